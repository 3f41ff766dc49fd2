// What a UCI engine says about a search: `info` lines with score, chances, counters and variation.
#include "engine/uci_info.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>

#include <fmt/format.h>

namespace faultline {
namespace {

/// The moves' texts, each with a blank before it.
std::string variation_text(const std::vector<Move>& moves, const GamePosition& root) {
  std::string text;
  const std::unique_ptr<GamePosition> position = root.clone();
  for (const Move move : moves) {
    const std::vector<Move> legal = position->legal_moves();
    if (std::ranges::find(legal, move) == legal.end()) break;
    text += ' ';
    text += position->move_text(move);
    position->play(move);
  }
  return text;
}

}  // namespace

int centipawns(double value) {
  return static_cast<int>(std::lround(111.7 * std::tan(1.562 * std::clamp(value, -1.0, 1.0))));
}

int mate_moves(int plies) {
  return plies > 0 ? (plies + 1) / 2 : -((-plies + 1) / 2);
}

std::string wdl_text(const Evaluation& evaluation) {
  const auto permille = [](float share) {
    return static_cast<int>(std::lround(1000 * std::clamp(share, 0.0F, 1.0F)));
  };
  const int win = permille(evaluation.win);
  const int loss = std::min(permille(evaluation.loss), 1000 - win);
  return fmt::format("{} {} {}", win, 1000 - win - loss, loss);
}

std::string info_lines(const AnalysisReport& report, const GamePosition& root,
                       const SearchTotals& totals, std::size_t lines, bool show_wdl) {
  const double speed =
      totals.seconds > 0 ? static_cast<double>(totals.nodes) / totals.seconds : 0.0;
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < std::min(lines, report.lines.size()); ++i) {
    const AnalysisLine& line = report.lines[i];
    fmt::format_to(out, "info depth {} seldepth {} multipv {} score ", std::max(report.depth, 1),
                   std::max(report.selective_depth, 1), i + 1);
    if (line.mate_plies)
      fmt::format_to(out, "mate {}", mate_moves(*line.mate_plies));
    else
      fmt::format_to(out, "cp {}", centipawns(line.value.value()));
    if (show_wdl) fmt::format_to(out, " wdl {}", wdl_text(line.value));
    fmt::format_to(out, " nodes {} nps {:.0f} hashfull {} time {:.0f} pv{}\n", totals.nodes, speed,
                   report.hash_permille, totals.seconds * 1000, variation_text(line.moves, root));
  }
  return text;
}

}  // namespace faultline
