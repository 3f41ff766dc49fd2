// A match's result as a document.
#include "lab/match_document.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

using enum Column::Kind;

constexpr std::array<const char*, 2> kNames = {"A", "B"};

/// "39 mates, 3 by repetition, 2 adjudicated wins": the endings of the games that count, then those
/// of the others.
std::string endings_text(const MatchResult& result) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* one, const char* many) {
    if (count > 0) parts.push_back(counted(count, one, many));
  };
  add(result.mates(), "mate", "mates");
  add(result.ended(Outcome::Stalemate), "stalemate", "stalemates");
  add(result.ended(Outcome::Repetition), "by repetition", "by repetition");
  add(result.ended(Outcome::FiftyMoveRule), "by plies without progress",
      "by plies without progress");
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

Section players(const MatchSetup& setup) {
  Table table{{{""}, {"player", Code}, {"limits per move"}, {"search"}}};
  for (std::size_t i = 0; i < 2; ++i) {
    const PlayerSpec& player = setup.players.at(i);
    const MoveLimits limits = limits_of(player, setup.limits.at(i));
    table.rows.push_back({{kNames.at(i)},
                          {player.name},
                          {limits.any() ? limits_text(limits) : "-"},
                          {player.uses_tree_search() ? search_of(player, setup).source : "-"}});
  }
  return {"Players", std::move(table)};
}

void add_sprt(const SprtConfig& config, const SprtState& state, Facts& facts) {
  const char* decision = "not decided";
  if (state.decision == SprtDecision::AcceptElo0) decision = "elo0 is accepted";
  if (state.decision == SprtDecision::AcceptElo1) decision = "elo1 is accepted";
  facts.emplace_back("SPRT", Cell{decision}, text(config));
  facts.emplace_back("LLR",
                     Cell{fmt::format("{} (between {} and {})", signed_text(state.llr, 2),
                                      signed_text(state.lower, 2), signed_text(state.upper, 2)),
                          state.llr, state.lower, state.upper},
                     "after " + counted(state.pairs, "pair"));
}

Fact strategy_fact(const MatchResult& result, std::size_t player) {
  const StrategyUse& use = result.strategies.at(player);
  return {fmt::format("{}'s strategy", kNames.at(player)),
          {fmt::format("limits lifted on {} of {}", use.lifted, counted(use.moves, "move"))},
          fmt::format("in {} of {}; they forbade every move. At positions below: {}",
                      result.games_with_lifted_limits.at(player), counted(result.finished, "game"),
                      use.lifted_below)};
}

Section figures(const MatchConfig& config, const MatchResult& result) {
  const Estimate e = estimate(result.tally);
  Facts facts;
  if (result.score().games() > 0) {
    if (const auto normalised = normalised_elo(result.tally.pairs))
      facts.emplace_back("Normalised Elo", elo_cell(normalised->elo, normalised->elo_95.low,
                                                    normalised->elo_95.high));
    facts.emplace_back("LOS", share_cell(e.superiority), "likelihood that A is the stronger one");
  }
  facts.emplace_back("Games", count_cell(result.finished),
                     config.sprt ? "" : fmt::format("of {}", result.planned_games));
  facts.emplace_back("Endings", Cell{endings_text(result)});
  if (result.finished > 0)
    facts.emplace_back("Plies per game", number_cell(result.mean_plies(), 0));
  if (config.sprt && result.sprt) add_sprt(*config.sprt, *result.sprt, facts);
  for (const std::size_t player : {0, 1})
    if (result.strategies.at(player).follows) facts.push_back(strategy_fact(result, player));
  return {"Result", std::move(facts)};
}

Section pairs(const PairCounts& counts) {
  Table table{{{"0", Number}, {"½", Number}, {"1", Number}, {"1½", Number}, {"2", Number}}, {{}}};
  for (const int count : counts)
    table.rows[0].push_back(count_cell(count));
  return {"Pairs by A's points", std::move(table)};
}

Section forfeits(const MatchResult& result) {
  constexpr std::size_t kMostListed = 10;
  Table table{{{"game", Number}, {"player"}, {"reason"}}};
  for (std::size_t i = 0; i < std::min(kMostListed, result.forfeits.size()); ++i) {
    const Forfeit& forfeit = result.forfeits[i];
    table.rows.push_back({count_cell(forfeit.game + 1),
                          {kNames.at(static_cast<std::size_t>(forfeit.player))},
                          {forfeit.reason}});
  }
  return {
      "Forfeits", std::move(table),
      result.forfeits.size() > kMostListed
          ? fmt::format("And {}.", counted(result.forfeits.size() - kMostListed, "more forfeit"))
          : ""};
}

Section settings(const MatchConfig& config, const std::string& inference, double seconds) {
  return {"Settings", Facts{{"Openings", {text(config.openings)}},
                            {"Seed", {std::to_string(config.seed)}},
                            {"Games are cut",
                             {fmt::format("at {} plies", config.max_plies)},
                             config.cut == CutGames::Draws ? "draws" : "without a result"},
                            {"Adjudication", {adjudication_text(config.adjudication)}},
                            {"Nets computed by", {inference}},
                            {"Threads", count_cell(config.threads)},
                            {"Took", {clock_text(seconds), seconds}}}};
}

/// What makes the result less than it seems.
void add_notices(const MatchSetup& setup, const MatchResult& result, Document& document) {
  if (!result.complete())
    document.notices.push_back(fmt::format(
        "Stopped after {} of {} games. The games in progress, the longer ones, are not counted.",
        result.finished, result.planned_games));
  if (result.finished > 0 && result.score().games() == 0)
    document.notices.emplace_back("No game had a result: all were cut at the ply limit.");
  const int pairs = (result.finished + 1) / 2;
  const bool may_repeat = setup.config.temperature == 0 && !setup.players[0].temperature &&
                          !setup.players[1].temperature;
  if (result.complete() && result.openings < pairs && may_repeat)
    document.notices.push_back(fmt::format(
        "Only {} of {} openings are different, and the same opening gives the same games: the "
        "interval is narrower than it should be. Use longer openings or a --temperature.",
        result.openings, pairs));
}

}  // namespace

Section score_section(const std::vector<PlayerView>& views) {
  Table table{{{"player", Code},
               {"games", Number},
               {"wins", Number},
               {"draws", Number},
               {"losses", Number},
               {"as White", Number},
               {"as Black", Number},
               share_column("score (95 %)", 0.5),
               {"Elo difference (95 %)", Number}}};
  for (const PlayerView& view : views) {
    const auto& [white, black] = view.by_colour;
    const Score all{white.wins + black.wins, white.draws + black.draws,
                    white.losses + black.losses};
    const Estimate e = estimate(view.tally);
    table.rows.push_back({{view.player},
                          count_cell(all.games()),
                          count_cell(all.wins),
                          count_cell(all.draws),
                          count_cell(all.losses),
                          {score_text(white)},
                          {score_text(black)},
                          share_cell(e.score, e.score_95.low, e.score_95.high),
                          elo_cell(e.elo, e.elo_95.low, e.elo_95.high)});
  }
  return {"Score", std::move(table)};
}

std::string result_text(const MatchResult& result) {
  const Score score = result.score();
  if (result.finished == 0) return "no game was finished";
  if (score.games() == 0) return "no game had a result: all were cut at the ply limit";
  const Estimate e = estimate(result.tally);
  return fmt::format("{}, {}, {}: {}, Elo {}", counted(score.wins, "win"),
                     counted(score.draws, "draw"), counted(score.losses, "loss", "losses"),
                     share_cell(e.score, e.score_95.low, e.score_95.high).text,
                     elo_cell(e.elo, e.elo_95.low, e.elo_95.high).text);
}

Document match_document(const MatchSetup& setup, const MatchResult& result,
                        const std::string& inference, double seconds) {
  const MatchConfig& config = setup.config;
  Document document{.kind = "match",
                    .title = setup.variant,
                    .subtitle = fmt::format("{} from {} {}", counted(result.finished, "game"),
                                            result.openings, describe(config.openings))};
  add_notices(setup, result, document);
  document.sections = {players(setup)};
  if (result.score().games() > 0) {
    document.sections.push_back(score_section({{kNames[0], result.by_colour, result.tally}}));
    document.sections.push_back(pairs(result.tally.pairs));
  }
  document.sections.push_back(figures(config, result));
  if (!result.forfeits.empty()) document.sections.push_back(forfeits(result));
  document.sections.push_back(settings(config, inference, seconds));
  return document;
}

}  // namespace faultline
