// What a search found, in the structures of faultline.h.
#include "library/findings.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace faultline {
namespace {

faultline_evaluation evaluation_of(const Evaluation& value) {
  return {.win = value.win, .draw = value.draw, .loss = value.loss, .moves_left = value.moves_left};
}

/// The moves with blanks between them. One that is not legal where it would be played ends the
/// line: the tree's keys may, very rarely, stand for another position.
std::string variation_text(const GamePosition& root, const std::vector<Move>& moves) {
  std::string text;
  const std::unique_ptr<GamePosition> position = root.clone();
  for (const Move move : moves) {
    const std::vector<Move> legal = position->legal_moves();
    if (std::ranges::find(legal, move) == legal.end()) break;
    if (!text.empty()) text += ' ';
    text += position->move_text(move);
    position->play(move);
  }
  return text;
}

}  // namespace

FoundLine::FoundLine(const GamePosition& root, const AnalysisLine& line)
    : move_(root.move_text(line.moves.front())),
      variation_(variation_text(root, line.moves)),
      line_{.size = 0,
            .move = nullptr,
            .variation = nullptr,
            .value = evaluation_of(line.value),
            .visits = line.visits,
            .prior = line.prior,
            .mate_plies = line.mate_plies.value_or(0),
            .reserved = 0} {}

faultline_line FoundLine::line() const {
  faultline_line line = line_;
  line.move = move_.c_str();
  line.variation = variation_.c_str();
  return line;
}

Findings::Findings(const GamePosition& root, const AnalysisReport& report)
    : report_{.size = 0,
              .best_move = nullptr,
              .value = evaluation_of(report.value),
              .mate_plies = 0,
              .lines = static_cast<std::uint32_t>(report.lines.size()),
              .visits = report.nodes,
              .tree_visits = report.visits,
              .evaluations = report.evaluations,
              .depth = report.depth,
              .selective_depth = report.selective_depth,
              .memory_permille = report.hash_permille,
              .reserved = 0,
              .seconds = report.seconds} {
  for (const AnalysisLine& line : report.lines)
    lines_.emplace_back(root, line);
  if (!report.lines.empty()) report_.mate_plies = report.lines.front().mate_plies.value_or(0);
}

faultline_report Findings::report() const {
  faultline_report report = report_;
  report.best_move = lines_.front().line().move;
  return report;
}

}  // namespace faultline
