// Figures of a few games, worked out by hand.
#include "survey/survey_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "survey/survey_document.h"
#include "survey/survey_ranking.h"
#include "tests/document_parts.h"

namespace faultline {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_DOUBLE_EQ(result.branching.value, (6 + 14 + 7 + 18 + 2) / 12.0);
  const double product = 8.0 * 64 * 10 * 256 * 2;
  EXPECT_NEAR(result.branching_geometric, std::pow(product, 1.0 / 12), 1e-9);
  EXPECT_NEAR(result.line_log10, std::log10(product) / 5, 1e-12);
  ASSERT_EQ(result.by_ply.size(), 4U);
  EXPECT_EQ(result.by_ply[1].games, 4);
  EXPECT_DOUBLE_EQ(result.by_ply[1].mean, 17.0 / 4);
  EXPECT_DOUBLE_EQ(result.by_ply[3].mean, 4);
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

TEST(SurveyDocument, NamesTheFairestVariantOnceAllHaveResults) {
  const std::vector<GameFacts> won = {game({2}, 0, 1), game({2}, 0, 2)};
  std::vector<GameFacts> cut = won;
  for (GameFacts& facts : cut)
    facts.outcome = Outcome::Ongoing;
  const auto fairest = [](const std::vector<std::vector<GameFacts>>& games) {
    SurveyResults results;
    results.settings.visits = {8};
    for (const auto& of_variant : games)
      results.variants.push_back(
          {.variant = "chess", .player = "uniform", .visits = {result_of(of_variant)}});
    return test::fact_in(survey_document(results), "Figures", "Fairest");
  };
  EXPECT_THAT(fairest({won, won}), testing::StartsWith("not decided"));
  EXPECT_EQ(fairest({won}), "");
  EXPECT_EQ(fairest({won, {}}), "");
  EXPECT_EQ(fairest({won, cut}), "");
}

/// Two variants with results, or one.
SurveyResults results_of(const std::vector<std::string>& variants) {
  SurveyResults results;
  results.settings.visits = {8};
  for (const std::string& variant : variants)
    results.variants.push_back({.variant = variant,
                                .player = "uniform",
                                .visits = {result_of({game({2}, 0, 1), game({2}, 0, 2)})}});
  results.games = 2 * static_cast<int>(variants.size());
  return results;
}

TEST(SurveyDocument, NamesAllVariantsThatCannotBeToldFromTheFairest) {
  SurveyResults results = results_of({"gardner", "chess", "escher"});
  const std::array<double, 3> scores = {0.55, 0.9, 0.5};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Estimate& estimate = results.variants[i].visits.back().first_mover;
    estimate.score = scores[i];
    estimate.score_95 = {scores[i] - 0.05, scores[i] + 0.05};
  }
  EXPECT_THAT(test::fact_in(survey_document(results), "Figures", "Fairest"),
              testing::StartsWith("escher or gardner ("));
}

TEST(SurveyDocument, SaysThatGamesAreRepeated) {
  SurveyResults results = results_of({"gardner"});
  EXPECT_THAT(survey_document(results).notices, Not(Contains(HasSubstr("games differ"))));
  results.variants[0].visits[0].distinct = 1;
  EXPECT_THAT(survey_document(results).notices,
              Contains(HasSubstr("gardner at 50 visits: only 1 of 2 games differ")));
}

TEST(SurveyDocument, SaysWhatGamesWereDrawnBy) {
  SurveyResults results = results_of({"gardner"});
  const auto draws = [&](const std::array<int, 8>& endings) {
    results.variants[0].visits[0].endings = endings;
    return test::rows_in(survey_document(results), "First move and decided games")[0].back();
  };
  EXPECT_EQ(draws({0, 5, 4, 3, 7, 1, 2, 6}),
            "stalemate 3, bare kings 7, no progress 1, repetition 2");
  EXPECT_EQ(draws({0, 5, 4, 0, 0, 1, 0, 6}), "no progress 1");
  EXPECT_EQ(draws({0, 5, 4, 0, 0, 0, 0, 6}), "-");
}

TEST(SurveyDocument, HasPieceValuesByRegionWithoutPawnsAsTheUnit) {
  SurveyResults results = results_of({"gardner"});
  PieceValues& pieces = results.variants[0].visits[0].pieces;
  pieces.missing = "";
  const PieceWorth rook{.piece = "rook",
                        .games = 9,
                        .value = 2,
                        .value_95 = {1, 3},
                        .pawns = 4,
                        .pawns_95 = Interval{3, 5}};
  PieceWorth abroad = rook;
  abroad.region = "enemy half";
  abroad.pawns.reset();
  abroad.pawns_95.reset();
  pieces.whole_board = {rook};
  pieces.by_region = {abroad};
  pieces.games = 12;
  EXPECT_EQ(test::rows_in(survey_document(results), "Piece values: gardner"),
            (std::vector<std::vector<std::string>>{
                {"rook", "whole board", "2.00 (1.00 to 3.00)", "4.00 (3.0 to 5.0)", "9"},
                {"rook", "enemy half", "2.00 (1.00 to 3.00)", "-", "9"},
                {"the first move", "-", "0.00 (0.00 to 0.00)", "-", "12"},
                {"being to move", "-", "0.00 (0.00 to 0.00)", "-", "12"}}));
}

TEST(SurveyDocument, HasNoSizesThatNoGameTells) {
  SurveyResults results = results_of({"chess"});
  Complexity& complexity = results.variants[0].complexity.emplace();
  const auto sizes = [&] {
    const auto row = test::rows_in(survey_document(results), "Size")[0];
    return std::vector<std::string>(row.begin() + 4, row.end());
  };
  EXPECT_EQ(sizes(), (std::vector<std::string>{"-", "-", "-"}));
  complexity.playouts = 10;
  complexity.tree_log10 = 30;
  complexity.largest_share = 0.5;
  EXPECT_EQ(sizes(), (std::vector<std::string>{"-", "30.0", "50.0 %"}));
  complexity.typical_plies = 20;
  complexity.typical_log10 = 15;
  EXPECT_EQ(sizes()[0], "15.0");
}

}  // namespace
}  // namespace faultline
