// A match's result as text and as JSON.
#include "lab/match_report.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

nlohmann::ordered_json finite_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

nlohmann::ordered_json to_json(const Score& score) {
  return {{"wins", score.wins}, {"draws", score.draws}, {"losses", score.losses}};
}

nlohmann::ordered_json to_json(const StrategyUse& use) {
  if (!use.follows) return nullptr;
  return {{"moves", use.moves},
          {"lifted_moves", use.lifted},
          {"lifted_positions_below", use.lifted_below}};
}

std::string strategy_text(const MatchResult& result, std::size_t player) {
  const StrategyUse& use = result.strategies.at(player);
  if (!use.follows) return "";
  return fmt::format(
      "{}'s strategy: its limits forbade every move, and were lifted, on {} of {} (in {} of {}), "
      "and at {} below.\n",
      player == 0 ? "A" : "B", use.lifted, counted(use.moves, "move"),
      result.games_with_lifted_limits.at(player), counted(result.finished, "game"),
      counted(use.lifted_below, "searched position"));
}

}  // namespace

std::string result_text(const MatchResult& result) {
  const Score score = result.score();
  if (result.finished == 0) return "no game was finished";
  if (score.games() == 0) return "no game had a result: all were cut at the ply limit";
  const Estimate e = estimate(result.tally);
  return fmt::format("{}, {}, {}: {:.1f} % (95 % interval {:.1f} % to {:.1f} %), Elo {}",
                     counted(score.wins, "win"), counted(score.draws, "draw"),
                     counted(score.losses, "loss", "losses"), 100 * e.score, 100 * e.score_95.low,
                     100 * e.score_95.high, elo_text(e));
}

std::string endings_text(const MatchResult& result) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* one, const char* many) {
    if (count > 0) parts.push_back(counted(count, one, many));
  };
  add(result.mates(), "mate", "mates");
  add(result.ended(Outcome::Stalemate), "stalemate", "stalemates");
  add(result.ended(Outcome::Repetition), "by repetition", "by repetition");
  add(result.ended(Outcome::FiftyMoveRule), "by 100 plies without progress",
      "by 100 plies without progress");
  add(result.ended(Outcome::BareKings), "with only kings left", "with only kings left");
  add(result.adjudicated_wins, "adjudicated win", "adjudicated wins");
  add(result.adjudicated_draws, "adjudicated draw", "adjudicated draws");
  add(static_cast<int>(result.forfeits.size()), "forfeit", "forfeits");
  if (result.cut_are_draws)
    add(result.cut, "cut at the ply limit and counted as a draw",
        "cut at the ply limit and counted as draws");
  else
    add(result.cut, "cut at the ply limit and not counted", "cut at the ply limit and not counted");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string details_text(const MatchResult& result) {
  if (result.finished == 0) return "";
  const auto plain = [](const Score& s) {
    return fmt::format("{}-{}-{}", s.wins, s.draws, s.losses);
  };
  std::string text = fmt::format(
      "As white {}, as black {} (wins-draws-losses); likelihood of being the stronger {:.1f} %.\n",
      plain(result.by_colour[0]), plain(result.by_colour[1]),
      100 * estimate(result.tally).superiority);
  const auto& pairs = result.tally.pairs;
  text += fmt::format("Pairs by A's points 0, 1/2, 1, 3/2, 2: {}", fmt::join(pairs, ", "));
  if (const auto normalised = normalised_elo(pairs))
    text += fmt::format("; normalised Elo {} [{} to {}]", signed_text(normalised->elo),
                        signed_text(normalised->elo_95.low), signed_text(normalised->elo_95.high));
  text += fmt::format(".\nEndings: {}; {:.0f} plies per game.\n", endings_text(result),
                      result.mean_plies());
  text += strategy_text(result, 0) + strategy_text(result, 1);
  constexpr std::size_t kMostListed = 10;
  for (std::size_t i = 0; i < result.forfeits.size() && i < kMostListed; ++i) {
    const Forfeit& forfeit = result.forfeits[i];
    text += fmt::format("Game {}: {} forfeits: {}\n", forfeit.game + 1,
                        forfeit.player == 0 ? "A" : "B", forfeit.reason);
  }
  if (result.forfeits.size() > kMostListed)
    text +=
        fmt::format("… and {}.\n", counted(result.forfeits.size() - kMostListed, "more forfeit"));
  return text;
}

std::string sprt_text(const SprtConfig& config, const SprtState& state) {
  const char* decision = "not decided";
  if (state.decision == SprtDecision::AcceptElo0) decision = "elo0 is accepted";
  if (state.decision == SprtDecision::AcceptElo1) decision = "elo1 is accepted";
  return fmt::format("LLR {} ({} to {}) after {} for {}: {}", signed_text(state.llr, 2),
                     signed_text(state.lower, 2), signed_text(state.upper, 2),
                     counted(state.pairs, "pair"), text(config), decision);
}

nlohmann::ordered_json to_json(const SprtConfig& config, const SprtState& state) {
  const char* decision = "none";
  if (state.decision == SprtDecision::AcceptElo0) decision = "elo0";
  if (state.decision == SprtDecision::AcceptElo1) decision = "elo1";
  return {{"elo0", config.elo0},
          {"elo1", config.elo1},
          {"alpha", config.alpha},
          {"beta", config.beta},
          {"model", config.model == EloModel::Logistic ? "logistic" : "normalised"},
          {"llr", state.llr},
          {"lower", state.lower},
          {"upper", state.upper},
          {"pairs", state.pairs},
          {"accepted", decision}};
}

nlohmann::ordered_json to_json(const MatchResult& result) {
  const Estimate e = estimate(result.tally);
  nlohmann::ordered_json json = to_json(result.score());
  json["games"] = result.score().games();
  json["cut"] = result.cut;
  json["finished_games"] = result.finished;
  json["planned_games"] = result.planned_games;
  json["complete"] = result.complete();
  json["score"] = e.score;
  json["score_95"] = {e.score_95.low, e.score_95.high};
  json["elo"] = finite_or_null(e.elo);
  json["elo_95"] = {finite_or_null(e.elo_95.low), finite_or_null(e.elo_95.high)};
  json["normalised_elo"] = nullptr;
  json["normalised_elo_95"] = nullptr;
  if (const auto normalised = normalised_elo(result.tally.pairs)) {
    json["normalised_elo"] = normalised->elo;
    json["normalised_elo_95"] = {normalised->elo_95.low, normalised->elo_95.high};
  }
  json["superiority"] = e.superiority;
  json["as_white"] = to_json(result.by_colour[0]);
  json["as_black"] = to_json(result.by_colour[1]);
  json["endings"] = {{"mate", result.mates()},
                     {"stalemate", result.ended(Outcome::Stalemate)},
                     {"kings", result.ended(Outcome::BareKings)},
                     {"100plies", result.ended(Outcome::FiftyMoveRule)},
                     {"repetition", result.ended(Outcome::Repetition)},
                     {"adjudicated_win", result.adjudicated_wins},
                     {"adjudicated_draw", result.adjudicated_draws},
                     {"forfeit", result.forfeits.size()},
                     {"cut", result.cut}};
  json["forfeits"] = nlohmann::ordered_json::array();
  for (const Forfeit& forfeit : result.forfeits)
    json["forfeits"].push_back({{"game", forfeit.game},
                                {"player", forfeit.player == 0 ? "first" : "second"},
                                {"reason", forfeit.reason}});
  json["strategies"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    json["strategies"].push_back(to_json(result.strategies.at(i)));
    if (result.strategies.at(i).follows)
      json["strategies"].back()["games_with_lifted_moves"] = result.games_with_lifted_limits.at(i);
  }
  json["mean_plies"] = result.mean_plies();
  json["openings"] = result.openings;
  json["pairs"] = result.tally.pairs;  // by points of both games: 0, 1/2, 1, 3/2, 2
  json["single_games"] = result.tally.singles;
  return json;
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
