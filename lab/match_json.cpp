// Games of matches, and results that are kept for continuing, as JSON.
#include "lab/match_json.h"

#include <cmath>
#include <cstddef>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

nlohmann::ordered_json finite_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

nlohmann::ordered_json to_json(const StrategyUse& use) {
  return {{"moves", use.moves},
          {"lifted_moves", use.lifted},
          {"lifted_positions_below", use.lifted_below}};
}

}  // namespace

nlohmann::ordered_json to_json(const MatchResult& result) {
  const Score score = result.score();
  const Estimate e = estimate(result.tally);
  return {{"wins", score.wins},
          {"draws", score.draws},
          {"losses", score.losses},
          {"games", score.games()},
          {"cut", result.cut},
          {"forfeits", result.forfeits.size()},
          {"finished_games", result.finished},
          {"score", e.score},
          {"score_95", {e.score_95.low, e.score_95.high}},
          {"elo", finite_or_null(e.elo)},
          {"elo_95", {finite_or_null(e.elo_95.low), finite_or_null(e.elo_95.high)}},
          {"mean_plies", result.mean_plies()},
          {"openings", result.openings},
          {"pairs", result.tally.pairs},  // by points of both games: 0, 1/2, 1, 3/2, 2
          {"single_games", result.tally.singles}};
}

nlohmann::ordered_json to_json(const MatchGame& game, const std::string& first,
                               const std::string& second) {
  const bool first_is_white = game.first_colour == Colour::White;
  nlohmann::ordered_json json;
  json["game"] = game.number;
  json["opening_number"] = game.number / 2;
  json["white"] = first_is_white ? first : second;
  json["black"] = first_is_white ? second : first;
  json["first_player"] = name(game.first_colour);
  if (!game.start_fen.empty()) json["start"] = game.start_fen;
  json["opening"] = game.opening;
  json["moves"] = game.moves;
  json["plies"] = game.plies();
  json["outcome"] = name(game.outcome);
  json["ending"] = name(game.ending);
  for (std::size_t i = 0; i < 2; ++i)
    if (game.strategies.at(i).follows)
      json[i == 0 ? "first_strategy" : "second_strategy"] = to_json(game.strategies.at(i));
  if (!game.failure.empty()) json["failure"] = game.failure;
  json["first_player_points"] = 0.5 * (game.first_score() + 1);
  return json;
}

}  // namespace faultline
