// The tables and the JSON of `analyse`.
#include "analysis/analysis_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/play_text.h"
#include "base/text.h"
#include "play/san.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTablePlies = 10;  // of a line in a table

/// Rounded to four digits, which exceeds the accuracy of a search.
double rounded(double value) {
  return std::round(value * 1e4) / 1e4;
}

/// The families' texts of moves played one after the other.
std::vector<std::string> move_texts(const GamePosition& position, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  const auto at = position.clone();
  for (const Move move : moves) {
    texts.push_back(at->move_text(move));
    at->play(move);
  }
  return texts;
}

double share(const AnalysisReport& report, const AnalysisLine& line) {
  std::uint64_t all = 0;  // the root's own visit belongs to no move
  if (report.visits > 1) all = report.visits - 1;
  return all > 0 ? static_cast<double>(line.visits) / static_cast<double>(all) : 0;
}

std::string mate_text(int plies) {
  return fmt::format("{} in {}", plies > 0 ? "mates" : "is mated",
                     counted(std::abs(plies), "ply", "plies"));
}

std::string line_row(const GamePosition& position, const PositionAnalysis& analysis,
                     std::size_t rank) {
  const AnalysisReport& report = analysis.report;
  const AnalysisLine& line = report.lines[rank];
  const std::size_t shown = std::min(line.moves.size(), kTablePlies);
  const std::vector<std::string> moves = san_texts(position, std::span(line.moves).first(shown));
  std::string row = fmt::format("{:>3}  {:<12}", rank + 1, moves.front());
  if (analysis.by_alpha_beta) {
    row += fmt::format("  {:>5.1f} {:>5.1f} {:>5.1f}  {}", 100 * line.value.win,
                       100 * line.value.draw, 100 * line.value.loss, fmt::join(moves, " "));
    if (line.mate_plies) row += fmt::format("  ({})", mate_text(*line.mate_plies));
    return row + "\n";
  }
  if (!analysis.searched) return row + fmt::format("  {:>5.1f}\n", 100 * line.prior);
  row += fmt::format("  {:>9}  {:>5.1f}  {:>5.1f}", grouped(line.visits), 100 * share(report, line),
                     100 * line.prior);
  // The value of a move without visits is not its own.
  if (line.visits > 0)
    row += fmt::format("  {:>5.1f} {:>5.1f} {:>5.1f}  {:>5.0f}", 100 * line.value.win,
                       100 * line.value.draw, 100 * line.value.loss, line.value.moves_left);
  else
    row += fmt::format("  {:>5} {:>5} {:>5}  {:>5}", "-", "-", "-", "-");
  row += fmt::format("  {}", fmt::join(moves, " "));
  if (line.mate_plies) row += fmt::format("  ({})", mate_text(*line.mate_plies));
  return row + "\n";
}

void add_results(Json& json, const Evaluation& value) {
  json["win"] = rounded(value.win);
  json["draw"] = rounded(value.draw);
  json["loss"] = rounded(value.loss);
}

void add_value(Json& json, const Evaluation& value) {
  add_results(json, value);
  json["moves_left"] = rounded(value.moves_left);
}

/// What an alpha-beta search found.
void add_alpha_beta(Json& json, const GamePosition& position, const AnalysisReport& report) {
  add_results(json, report.value);
  json["nodes"] = report.nodes;
  json["depth"] = report.depth;
  json["seconds"] = rounded(report.seconds);
  json["lines"] = Json::array();
  for (const AnalysisLine& line : report.lines) {
    std::vector<std::string> moves = move_texts(position, line.moves);
    Json one = {{"move", moves.front()}};
    add_results(one, line.value);
    if (line.mate_plies) one["mate_plies"] = *line.mate_plies;
    one["line"] = std::move(moves);
    json["lines"].push_back(std::move(one));
  }
}

std::string player_name(const std::string& name) {
  return name.empty() ? "?" : name;
}

}  // namespace

std::string analysis_text(const GamePosition& position, const PositionAnalysis& analysis) {
  std::string text = position.fen() + "\n";
  if (is_over(analysis.outcome))
    return text +
           outcome_sentence(analysis.outcome,
                            position.in_check() && position.legal_moves().empty()) +
           "\n";
  const AnalysisReport& report = analysis.report;
  text +=
      fmt::format("{} to move: {}", name(position.side_to_move()), evaluation_text(report.value));
  if (!analysis.by_alpha_beta)
    text += fmt::format(", about {} left",
                        counted(std::lround(report.value.moves_left), "ply", "plies"));
  if (analysis.by_alpha_beta)
    text += fmt::format("; {}, depth {} in {:.2f} s\n{:>3}  {:<12}  {:>5} {:>5} {:>5}  {}\n",
                        counted(report.nodes, "position"), report.depth, report.seconds, "#",
                        "move", "win", "draw", "loss", "line");
  else if (analysis.searched)
    text += fmt::format(
        "; {} in {:.2f} s\n{:>3}  {:<12}  {:>9}  {:>5}  {:>5}  {:>5} {:>5} {:>5}  {:>5}  {}\n",
        counted(report.visits, "visit"), report.seconds, "#", "move", "visits", "%", "prior", "win",
        "draw", "loss", "plies", "line");
  else
    text += fmt::format("\n{:>3}  {:<12}  {:>5}\n", "#", "move", "prior");
  for (std::size_t rank = 0; rank < report.lines.size(); ++rank)
    text += line_row(position, analysis, rank);
  return text;
}

Json analysis_json(const GamePosition& position, const PositionAnalysis& analysis) {
  Json json;
  json["fen"] = position.fen();
  json["side"] = name(position.side_to_move());
  if (is_over(analysis.outcome)) {
    json["outcome"] = name(analysis.outcome);
    return json;
  }
  const AnalysisReport& report = analysis.report;
  if (analysis.by_alpha_beta) {
    add_alpha_beta(json, position, report);
    return json;
  }
  add_value(json, report.value);
  json["visits"] = report.visits;
  if (analysis.searched) json["seconds"] = rounded(report.seconds);
  Json lines = Json::array();
  for (const AnalysisLine& line : report.lines) {
    std::vector<std::string> moves = move_texts(position, line.moves);
    Json one;
    one["move"] = moves.front();
    one["prior"] = rounded(line.prior);
    if (analysis.searched) {
      one["visits"] = line.visits;
      one["share"] = rounded(share(report, line));
      if (line.visits > 0) add_value(one, line.value);
      if (line.mate_plies) one["mate_plies"] = *line.mate_plies;
      one["line"] = std::move(moves);
    }
    lines.push_back(std::move(one));
  }
  json["lines"] = std::move(lines);
  return json;
}

std::string review_text(const TextGame& game, const GameReview& review) {
  std::string text = fmt::format(
      "{} - {}, {}, {}{}\n", player_name(game.white), player_name(game.black), game.variant,
      faultline::text(game.result), game.reason.empty() ? "" : " (" + game.reason + ")");
  text += fmt::format("{:>5}  {:<19} {:<12}  {:>6} {:>6} {:>6}\n", "ply", "move", "best", "before",
                      "after", "loss");
  for (std::size_t i = 0; i < review.plies.size(); ++i) {
    const PlyReview& ply = review.plies[i];
    text += fmt::format("{:>5}  {:<6} {:<12} {:<12}  {:>6.1f} {:>6.1f} {:>6.1f}", i + 1, ply.number,
                        ply.played_notation, ply.best.empty() ? "-" : ply.best_notation,
                        100 * ply.before, 100 * ply.after, 100 * ply.loss);
    if (ply.mistake != nullptr) text += fmt::format("  {}", ply.mistake->mark);
    if (ply.opening) text += "  opening";
    text += "\n";
    if (!ply.announcement.empty()) text += fmt::format("{:>5}  {}\n", "", ply.announcement);
  }
  for (const Colour colour : {Colour::White, Colour::Black}) {
    const SideSummary& side = review.sides.at(static_cast<std::size_t>(index(colour)));
    text += fmt::format("{} ({}): {}, mean loss {:.1f} %", name(colour),
                        player_name(colour == Colour::White ? game.white : game.black),
                        counted(side.moves, "move"), 100 * side.mean_loss());
    for (std::size_t i = kMistakeMarks.size(); i-- > 0;)
      text += fmt::format(", {} {}", side.mistakes.at(i), kMistakeMarks.at(i).mark);
    text += fmt::format(", {} the best\n", side.best);
  }
  return text;
}

Json review_json(const PlyReview& ply) {
  Json json;
  json["played"] = ply.played;
  json["best"] = ply.best.empty() ? Json(nullptr) : Json(ply.best);
  json["before"] = rounded(ply.before);
  json["after"] = rounded(ply.after);
  json["score_loss"] = rounded(ply.loss);
  json["mark"] = ply.mistake != nullptr ? ply.mistake->mark : "";
  json["opening"] = ply.opening;
  return json;
}

Json summary_json(const TextGame& game, const GameReview& review) {
  Json summary;
  summary["variant"] = game.variant;
  summary["result"] = faultline::text(game.result);
  summary["plies"] = review.plies.size();
  for (const Colour colour : {Colour::White, Colour::Black}) {
    const SideSummary& side = review.sides.at(static_cast<std::size_t>(index(colour)));
    Json one;
    one["player"] = colour == Colour::White ? game.white : game.black;
    one["moves"] = side.moves;
    one["best"] = side.best;
    one["mean_loss"] = rounded(side.mean_loss());
    for (std::size_t i = kMistakeMarks.size(); i-- > 0;)
      one["marks"][kMistakeMarks.at(i).mark] = side.mistakes.at(i);
    summary[std::string(name(colour))] = std::move(one);
  }
  return summary;
}

}  // namespace faultline
