// Figures of a few games, worked out by hand.
#include "survey/survey_results.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "survey/survey_json.h"
#include "survey/survey_ranking.h"

namespace faultline {
namespace {

/// A game of chess with these numbers of legal moves; `winner` -1: a draw by repetition.
GameFacts game(std::vector<std::uint32_t> branching, int winner, std::uint64_t line) {
  GameFacts facts;
  facts.line = line;
  facts.branching = std::move(branching);
  facts.winner = winner;
  facts.outcome = winner == 0   ? Outcome::WhiteWins
                  : winner == 1 ? Outcome::BlackWins
                                : Outcome::Repetition;
  facts.moves.resize(special_moves("chess").size());
  return facts;
}

/// Two wins of the first mover, a draw, a loss, and one that was cut.
std::vector<GameFacts> five_games() {
  std::vector<GameFacts> games = {game({2, 4}, 0, 1), game({2, 4, 8}, 0, 2), game({2, 5}, -1, 3),
                                  game({2, 4, 8, 4}, 1, 4), game({2}, -1, 1)};
  games.back().outcome = Outcome::Ongoing;
  return games;
}

VisitResult result_of(const std::vector<GameFacts>& games) {
  std::vector<int> pairs;
  for (std::size_t i = 0; i < games.size(); ++i)
    pairs.push_back(static_cast<int>(i / 2));
  return visit_result("chess", 50, games, pairs);
}

TEST(VisitResult, CountsResultsOfTheSideThatMovesFirst) {
  const VisitResult result = result_of(five_games());
  EXPECT_EQ(result.games, 5);
  EXPECT_EQ(result.cut, 1);
  EXPECT_EQ(result.distinct, 4);
  EXPECT_EQ(result.score, (Score{.wins = 2, .draws = 1, .losses = 1}));
  EXPECT_DOUBLE_EQ(result.first_mover.score, 2.5 / 4);
  EXPECT_DOUBLE_EQ(result.decided.value, 0.75);
  EXPECT_EQ(result.endings.at(static_cast<std::size_t>(Outcome::Repetition)), 1);
}

TEST(VisitResult, HasTheIntervalOfTheMatchStatistics) {
  // 60 wins, 10 draws and 30 losses as independent games.
  std::vector<GameFacts> games;
  for (int i = 0; i < 100; ++i)
    games.push_back(game({2}, i < 60 ? 0 : i < 70 ? -1 : 1, static_cast<std::uint64_t>(i)));
  const Estimate expected = estimate(tally_of(Score{.wins = 60, .draws = 10, .losses = 30}));
  EXPECT_DOUBLE_EQ(result_of(games).first_mover.score_95.low, expected.score_95.low);
  EXPECT_DOUBLE_EQ(result_of(games).first_mover.score_95.high, expected.score_95.high);
  EXPECT_NEAR(expected.score_95.low, 0.554, 0.01) << "0.65 less about two standard errors of 0.045";
  // Games in pairs that end alike, because they share a drawn opening, say half as much.
  for (GameFacts& facts : games)
    facts.opening_plies = 1;
  const Interval paired = result_of(games).first_mover.score_95;
  EXPECT_GT(paired.high - paired.low, 1.3 * (expected.score_95.high - expected.score_95.low));
}

TEST(VisitResult, MeasuresLengthsAndBranching) {
  const VisitResult result = result_of(five_games());
  EXPECT_DOUBLE_EQ(result.lengths.mean.value, 12.0 / 5);
  EXPECT_EQ(result.lengths.tenth, 1);
  EXPECT_EQ(result.lengths.median, 2);
  EXPECT_EQ(result.lengths.ninetieth, 4);
  EXPECT_EQ(result.lengths.longest, 4);
  EXPECT_EQ(result.lengths.counts, (std::vector<int>{0, 1, 2, 1, 1}));
  EXPECT_DOUBLE_EQ(result.branching.value, (6 + 14 + 7 + 18 + 2) / 12.0);
  const double product = 8.0 * 64 * 10 * 256 * 2;
  EXPECT_NEAR(result.branching_geometric, std::pow(product, 1.0 / 12), 1e-9);
  EXPECT_NEAR(result.line_log10, std::log10(product) / 5, 1e-12);
  ASSERT_EQ(result.by_ply.size(), 4U);
  EXPECT_EQ(result.by_ply[1].games, 4);
  EXPECT_DOUBLE_EQ(result.by_ply[1].mean, 17.0 / 4);
  EXPECT_DOUBLE_EQ(result.by_ply[3].mean, 4);
}

TEST(VisitResult, BinsLengthsInRoundWidths) {
  std::vector<GameFacts> games = {game(std::vector<std::uint32_t>(230, 3), -1, 1),
                                  game(std::vector<std::uint32_t>(9, 3), -1, 2)};
  const GameLengths lengths = result_of(games).lengths;
  EXPECT_EQ(lengths.bin_width, 10);
  EXPECT_EQ(lengths.counts.size(), 24U);
  EXPECT_EQ(lengths.counts.front(), 1);
  EXPECT_EQ(lengths.counts.back(), 1);
}

TEST(VisitResult, SaysWhoPlaysSpecialMoves) {
  const auto special = special_moves("chess");
  const auto captures = static_cast<std::size_t>(
      std::ranges::find(special, "captures", &SpecialMove::name) - special.begin());
  std::vector<GameFacts> games = five_games();
  games[0].moves[captures] = {MoveUse{1, 1}, MoveUse{0, 1}};  // won by the first mover
  games[3].moves[captures] = {MoveUse{1, 2}, MoveUse{2, 2}};  // won by the other
  games[2].moves[captures] = {MoveUse{0, 0}, MoveUse{1, 2}};  // drawn
  const SpecialMoveUse use = result_of(games).moves[captures];
  EXPECT_EQ(use.played[0], 2);
  EXPECT_EQ(use.played[1], 3);
  EXPECT_EQ(use.turns[0], 1 + 2 + 1 + 2 + 1);
  EXPECT_EQ(use.turns[1], 1 + 1 + 1 + 2 + 0);
  EXPECT_DOUBLE_EQ(use.per_game.value, 1);
  EXPECT_DOUBLE_EQ(use.first_share.value, 2.0 / 5);
  EXPECT_DOUBLE_EQ(use.winner_share.value, 3.0 / 4) << "of the four plays in decided games";
  EXPECT_DOUBLE_EQ(use.chosen.value, 5.0 / 8);
}

TEST(VisitResult, CountsComebacksOfTheWinner) {
  std::vector<GameFacts> games = five_games();
  games[0].deepest_deficit = {300, 0};  // won from behind
  games[1].deepest_deficit = {100, 0};
  games[3].deepest_deficit = {500, 0};  // the loser was behind
  games[2].deepest_deficit = {900, 0};  // drawn
  EXPECT_DOUBLE_EQ(result_of(games).comebacks.value, 1.0 / 3);
}

TEST(VisitResult, OfNoGamesSaysSo) {
  const VisitResult result = result_of({});
  EXPECT_EQ(result.games, 0);
  EXPECT_EQ(result.pieces.missing, "no games yet");
}

TEST(Ranking, TellsFromTheFirstWhatItsIntervalsTell) {
  const std::vector<double> values = {0.30, 0.01, 0.05};
  const std::vector<Interval> intervals = {{0.25, 0.35}, {0.45, 0.55}, {0.50, 0.60}};
  const Ranking ranking = ranking_of(values, intervals);
  EXPECT_EQ(ranking.order, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(ranking.differs, (std::vector<bool>{false, false, true}));
}

TEST(Ranking, HasVariantsWithoutResultsLast) {
  SurveyResults results;
  results.variants.resize(2);
  results.variants[0].visits = {result_of({})};
  results.variants[1].visits = {result_of({game({2}, 0, 1), game({2}, 0, 2), game({2}, 1, 3)})};
  EXPECT_EQ(by_fairness(results).order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(by_decisiveness(results).order, (std::vector<std::size_t>{1, 0}));
}

TEST(Ranking, IsOfVariantsThatAllHaveResults) {
  const std::vector<GameFacts> won = {game({2}, 0, 1), game({2}, 0, 2)};
  std::vector<GameFacts> cut = won;
  for (GameFacts& facts : cut)
    facts.outcome = Outcome::Ongoing;
  const auto named = [](const std::vector<std::vector<GameFacts>>& games) {
    SurveyResults results;
    for (const auto& of_variant : games)
      results.variants.push_back(
          {.variant = "chess", .player = "uniform", .visits = {result_of(of_variant)}});
    const nlohmann::ordered_json json = to_json(results);
    EXPECT_EQ(json["fairness"].is_null(), !can_be_ranked(results));
    EXPECT_EQ(json["decisiveness"].is_null(), !can_be_ranked(results));
    return can_be_ranked(results);
  };
  EXPECT_TRUE(named({won, won}));
  EXPECT_FALSE(named({won}));
  EXPECT_FALSE(named({won, {}}));
  EXPECT_FALSE(named({won, cut}));
}

TEST(SurveyJson, HasNoSizesThatNoGameTells) {
  SurveyResults results;
  results.variants.push_back({.variant = "chess",
                              .player = "uniform",
                              .complexity = Complexity{},
                              .visits = {result_of({})}});
  Complexity& complexity = *results.variants[0].complexity;
  const auto size = [&] { return to_json(results)["variants"][0]["complexity"]; };
  EXPECT_TRUE(size()["tree_log10"].is_null());
  EXPECT_TRUE(size()["typical_tree_log10"].is_null());
  EXPECT_TRUE(size()["tree_largest_share"].is_null());
  complexity.playouts = 10;
  complexity.tree_log10 = 30;
  EXPECT_EQ(size()["tree_log10"], 30);
  EXPECT_TRUE(size()["typical_tree_log10"].is_null());
  complexity.typical_plies = 20;
  complexity.typical_log10 = 15;
  EXPECT_EQ(size()["typical_tree_log10"], 15);
}

}  // namespace
}  // namespace faultline
