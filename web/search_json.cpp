// Requests for searches, and what is told of what they found.
#include "web/search_json.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "play/san.h"
#include "rules/position.h"
#include "web/chances.h"

namespace faultline::web {
namespace {

constexpr std::int64_t kMostMs = 86'400'000, kMostVisits = 1'000'000'000, kMostLines = 100;
/// Of the lines that are shown.
constexpr std::size_t kLongestLine = 24;

std::span<const Move> shown(const std::vector<Move>& line) {
  return std::span(line).first(std::min(kLongestLine, line.size()));
}

ReportJson texts_of(const GamePosition& position, std::span<const Move> moves) {
  ReportJson texts = ReportJson::array();
  const auto at = position.clone();
  for (const Move move : moves) {
    texts.push_back(at->move_text(move));
    at->play(move);
  }
  return texts;
}

ReportJson line_json(const GamePosition& position, const AnalysisLine& line) {
  const Colour mover = position.side_to_move();
  ReportJson json = {{"moves", texts_of(position, shown(line.moves))},
                     {"san", san_texts(position, shown(line.moves))},
                     {"value", chances_json(line.value, mover)},
                     {"visits", line.visits},
                     {"prior", json_number(line.prior, 4)}};
  if (line.mate_plies) json["mate"] = mover == Colour::White ? *line.mate_plies : -*line.mate_plies;
  return json;
}

}  // namespace

SearchRequest search_request(const ReportJson& request) {
  SearchRequest made;
  made.line = played_line(request);
  made.player = text_field(request, "player");
  made.ms = optional_number(request, "ms", 1, kMostMs).value_or(0);
  made.visits = optional_number(request, "visits", 1, kMostVisits).value_or(0);
  return made;
}
SearchRequest analysis_request(const ReportJson& request) {
  SearchRequest made = review_request(request);
  made.lines = static_cast<int>(number_field(request, "lines", 1, kMostLines));
  return made;
}
SearchRequest review_request(const ReportJson& request) {
  SearchRequest made = search_request(request);
  made.key = text_field(request, "key");
  return made;
}

ReportJson empty_analysis_json(const SearchRequest& request) {
  ReportJson value = ReportJson::array({0, 1, 0});
  if (const Outcome outcome = request.line.end->outcome(); is_over(outcome)) {
    const int score = score_for(outcome, Colour::White);
    value = ReportJson::array({score > 0 ? 1 : 0, score == 0 ? 1 : 0, score < 0 ? 1 : 0});
  }
  return {{"key", request.key},
          {"player", request.player},
          {"lines", ReportJson::array()},
          {"value", value},
          {"nodes", 0},
          {"visits", 0},
          {"depth", 0},
          {"selective", 0},
          {"seconds", 0},
          {"done", true}};
}

ReportJson analysis_json(const SearchRequest& request, const std::string& player,
                         const AnalysisReport& report, bool done) {
  const GamePosition& position = *request.line.end;
  ReportJson json = empty_analysis_json(request);
  json["player"] = player;
  for (const AnalysisLine& line : report.lines)
    json["lines"].push_back(line_json(position, line));
  if (!report.lines.empty()) json["value"] = chances_json(report.value, position.side_to_move());
  json["nodes"] = report.nodes;
  json["visits"] = report.visits;
  json["depth"] = report.depth;
  json["selective"] = report.selective_depth;
  json["seconds"] = json_number(report.seconds, 4);
  json["done"] = done;
  return json;
}

ReportJson move_json(const GamePosition& position, const AnalysisReport& report) {
  const std::vector<Move>& line = report.lines.front().moves;
  return {{"move", position.move_text(line.front())},
          {"san", san_text(position, line.front())},
          {"value", chances_json(report.value, position.side_to_move())},
          {"line", texts_of(position, shown(line))},
          {"visits", report.visits},
          {"nodes", report.nodes},
          {"depth", report.depth},
          {"seconds", json_number(report.seconds, 4)}};
}

ReportJson review_json(const SearchRequest& request, std::size_t done, std::size_t total) {
  return {{"key", request.key}, {"done", done}, {"total", total}};
}

ReportJson review_plies_json(const GameReview& review) {
  ReportJson plies = ReportJson::array();
  for (const PlyReview& ply : review.plies)
    plies.push_back(
        {{"value", chances_json(ply.value, ply.mover)},
         {"best", ply.best},
         {"bestSan", ply.best_notation},
         {"loss", json_number(ply.loss, 4)},
         {"mark", ply.mistake != nullptr ? ply.mistake->mark : ""},
         {"note", ply.mistake == nullptr ? ""
                                         : fmt::format("loses {:.0f} %, best was {}",
                                                       100 * ply.loss, ply.best_notation)}});
  return plies;
}

TextGame game_of(const PlayedLine& line) {
  TextGame game;
  game.variant = line.game->variant();
  game.start_fen = line.start->fen();
  const auto at = line.start->clone();
  for (const Move move : line.moves) {
    game.moves.push_back(at->move_text(move));
    at->play(move);
  }
  return game;
}

}  // namespace faultline::web
