// Writes results.json.
#include "survey/survey_json.h"

#include <cmath>
#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "survey/survey_ranking.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json interval_json(const Interval& interval) {
  return {number(interval.low), number(interval.high)};
}

/// {"value", "interval_95"}; null if it is not known.
Json estimate_json(const RatioEstimate& estimate) {
  if (!estimate.known) return nullptr;
  return {{"value", number(estimate.value)}, {"interval_95", interval_json(estimate.interval)}};
}

Json complexity_json(const Complexity& complexity) {
  const bool played = complexity.playouts > 0;
  const bool typical = played && complexity.typical_plies > 0;
  const auto if_known = [](bool known, double value) {
    return known ? number(value) : Json(nullptr);
  };
  return {{"perft", complexity.perft},
          {"growth", number(complexity.growth)},
          {"playouts", complexity.playouts},
          {"playouts_cut", complexity.cut},
          {"playouts_longest", complexity.longest},
          {"random_plies", estimate_json(complexity.random_plies)},
          {"random_decided", estimate_json(complexity.random_decided)},
          {"random_first_mover_score", estimate_json(complexity.random_score)},
          {"tree_log10", if_known(played, complexity.tree_log10)},
          {"typical_plies", complexity.typical_plies},
          {"typical_tree_log10", if_known(typical, complexity.typical_log10)},
          {"tree_largest_share", if_known(played, complexity.largest_share)}};
}

Json worth_json(const PieceWorth& worth) {
  Json json = {{"piece", worth.piece}};
  if (!worth.region.empty()) json["region"] = worth.region;
  json["games"] = worth.games;
  json["log_odds"] = {{"value", number(worth.value)},
                      {"interval_95", interval_json(worth.value_95)}};
  if (!worth.region.empty()) return json;
  json["pawns"] = worth.pawns ? number(*worth.pawns) : Json(nullptr);
  json["pawns_95"] = worth.pawns_95 ? interval_json(*worth.pawns_95) : Json(nullptr);
  return json;
}

Json pieces_json(const PieceValues& pieces) {
  if (!pieces.missing.empty()) return {{"missing", pieces.missing}};
  Json json = {
      {"games", pieces.games},
      {"positions", pieces.positions},
      {"penalty", pieces.penalty},
      {"first_move",
       {{"value", pieces.first_move}, {"interval_95", interval_json(pieces.first_move_95)}}},
      {"tempo", {{"value", pieces.tempo}, {"interval_95", interval_json(pieces.tempo_95)}}},
      {"rare", pieces.rare},
      {"whole_board", Json::array()},
      {"by_region", Json::array()}};
  for (const PieceWorth& worth : pieces.whole_board)
    json["whole_board"].push_back(worth_json(worth));
  for (const PieceWorth& worth : pieces.by_region)
    json["by_region"].push_back(worth_json(worth));
  return json;
}

Json use_json(const SpecialMoveUse& use) {
  Json json = {{"move", use.move.name}, {"help", use.move.help}};
  if (!use.move.of.empty()) json["of"] = use.move.of;
  json["general"] = use.move.general;
  json["played"] = use.played;
  json["possible"] = use.possible;
  json["turns"] = use.turns;
  json["per_game"] = estimate_json(use.per_game);
  json["chosen"] = estimate_json(use.chosen);
  json["first_mover_share"] = estimate_json(use.first_share);
  json["winner_share"] = estimate_json(use.winner_share);
  return json;
}

Json line_json(const OpeningLine& line) {
  Json json = Json::object();
  if (!line.move.empty()) json["move"] = line.move;
  json["games"] = line.games;
  if (line.random > 0) json["random"] = line.random;
  json["first_mover"] = line.results;
  if (line.policy) json["policy"] = *line.policy;
  if (!line.replies.empty()) json["replies"] = Json::array();
  for (const OpeningLine& reply : line.replies)
    json["replies"].push_back(line_json(reply));
  return json;
}

Json endings_json(const VisitResult& result) {
  Json json = Json::object();
  for (std::size_t i = 1; i < result.endings.size(); ++i)
    if (const auto outcome = static_cast<Outcome>(i); outcome != Outcome::Adjudicated)
      json[std::string(name(outcome))] = result.endings[i];
  return json;
}

Json visits_json(const VisitResult& result) {
  Json json = {{"visits", result.visits},
               {"games", result.games},
               {"cut", result.cut},
               {"distinct", result.distinct}};
  if (result.games == 0) return json;
  json["first_mover"] = {{"wins", result.score.wins},
                         {"draws", result.score.draws},
                         {"losses", result.score.losses},
                         {"score", number(result.first_mover.score)},
                         {"score_95", interval_json(result.first_mover.score_95)},
                         {"elo", number(result.first_mover.elo)},
                         {"elo_95", interval_json(result.first_mover.elo_95)}};
  json["decided"] = estimate_json(result.decided);
  json["endings"] = endings_json(result);
  json["plies"] = {{"mean", estimate_json(result.lengths.mean)},
                   {"tenth", result.lengths.tenth},
                   {"median", result.lengths.median},
                   {"ninetieth", result.lengths.ninetieth},
                   {"longest", result.lengths.longest},
                   {"bin_width", result.lengths.bin_width},
                   {"counts", result.lengths.counts}};
  Json games = Json::array(), means = Json::array();
  for (const PlyBranching& ply : result.by_ply) {
    games.push_back(ply.games);
    means.push_back(number(ply.mean));
  }
  json["branching"] = {{"mean", estimate_json(result.branching)},
                       {"geometric_mean", number(result.branching_geometric)},
                       {"line_log10", number(result.line_log10)},
                       {"by_ply", {{"games", games}, {"mean", means}}}};
  json["lead_changes"] = estimate_json(result.lead_changes);
  json["comebacks"] = estimate_json(result.comebacks);
  json["moves"] = Json::array();
  for (const SpecialMoveUse& use : result.moves)
    json["moves"].push_back(use_json(use));
  json["pieces"] = pieces_json(result.pieces);
  json["openings"] = line_json(result.openings);
  return json;
}

/// Null without variants that can be compared.
Json ranking_json(const SurveyResults& results, const Ranking& ranking) {
  if (!can_be_ranked(results)) return nullptr;
  Json json = Json::array();
  for (std::size_t i = 0; i < ranking.order.size(); ++i)
    json.push_back({{"variant", results.variants[ranking.order[i]].variant},
                    {"differs_from_first", bool{ranking.differs[i]}}});
  return json;
}

}  // namespace

Json to_json(const SurveyResults& results) {
  Json json = {{"format", 1},
               {"settings", to_json(results.settings)},
               {"finished_games", results.games},
               {"planned_games", results.settings.planned_games()},
               {"fairness", ranking_json(results, by_fairness(results))},
               {"decisiveness", ranking_json(results, by_decisiveness(results))},
               {"variants", Json::array()}};
  for (const VariantResult& variant : results.variants) {
    Json entry = {
        {"variant", variant.variant},
        {"player", variant.player},
        {"first_mover", name(variant.first)},
        {"complexity", variant.complexity ? complexity_json(*variant.complexity) : Json(nullptr)},
        {"visits", Json::array()}};
    for (const VisitResult& visits : variant.visits)
      entry["visits"].push_back(visits_json(visits));
    json["variants"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace faultline
