// Scores, their intervals and Elo against known or hand-computed values.
#include "lab/elo.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace faultline {
namespace {

PairTally pairs(std::array<int, 5> counts) {
  PairTally tally;
  tally.pairs = counts;
  return tally;
}
double width(Interval interval) {
  return interval.high - interval.low;
}

TEST(Elo, FollowsTheLogisticCurve) {
  EXPECT_NEAR(elo_of_score(0.5), 0, 1e-9);
  EXPECT_NEAR(elo_of_score(0.75), 190.848, 1e-3);
  EXPECT_NEAR(elo_of_score(10.0 / 11), 400, 1e-9);
  EXPECT_NEAR(score_of_elo(-400), 1.0 / 11, 1e-12);
  EXPECT_NEAR(score_of_elo(elo_of_score(0.123)), 0.123, 1e-12);
  EXPECT_EQ(elo_of_score(1), INFINITY);
  EXPECT_EQ(elo_of_score(0), -INFINITY);
}

TEST(Elo, IndependentDecisiveGamesGiveWilsonsInterval) {
  // 600 of 1000 with z = 1.95996: 0.56928 … 0.62992 (Wilson 1927); Student's t at 1000 is 1.96234.
  const Estimate e = estimate(tally_of({.wins = 600, .draws = 0, .losses = 400}));
  EXPECT_DOUBLE_EQ(e.score, 0.6);
  EXPECT_NEAR(e.score_95.low, 0.56928, 1e-4);
  EXPECT_NEAR(e.score_95.high, 0.62992, 1e-4);
  const double spread = 1.962339081 * 1.962339081 / e.effective_games;
  EXPECT_NEAR(e.score_95.high - e.score_95.low,
              2 * std::sqrt(0.24 * spread + spread * spread / 4) / (1 + spread), 1e-9);
  EXPECT_NEAR(e.effective_games, 1000, 1);
}

TEST(Elo, AllWinsDoNotExcludeLosses) {
  const Estimate e = estimate(tally_of({.wins = 10, .draws = 0, .losses = 0}));
  // Wilson's lower end at a score of 1 is n / (n + t²), with t = 2.228139 at ten degrees of
  // freedom.
  EXPECT_NEAR(e.score_95.low, 10 / (10 + 2.228138852 * 2.228138852), 1e-9);
  EXPECT_EQ(e.score_95.high, 1);
  EXPECT_EQ(e.elo, INFINITY);
  EXPECT_EQ(e.elo_95.high, INFINITY);
  EXPECT_NEAR(e.elo_95.low, elo_of_score(e.score_95.low), 1e-9);
  // More games of the same kind narrow the interval.
  EXPECT_GT(estimate(pairs({0, 0, 0, 0, 50})).score_95.low, 0.95);
  EXPECT_LT(estimate(pairs({0, 0, 0, 0, 1})).score_95.low, 0.2);
}

TEST(Elo, FewGamesUseStudentsQuantiles) {
  // Student's t for a two-sided 95 % interval, to the digits of any table: 12.7062 at one degree of
  // freedom, 4.30265 at two, 2.57058 at five, 1.98397 at a hundred.
  const std::array<std::pair<int, double>, 4> quantiles = {
      {{1, 12.706204736}, {2, 4.302652730}, {5, 2.570581836}, {100, 1.983971519}}};
  for (const auto& [games, t] : quantiles) {
    const Estimate e = estimate(tally_of({.wins = games, .draws = 0, .losses = 0}));
    EXPECT_NEAR(e.score_95.low, games / (games + t * t), 1e-8) << games;
  }
}

TEST(Elo, SwappingThePlayersMirrorsEverything) {
  const Estimate a = estimate(pairs({1, 2, 7, 9, 11}));
  const Estimate b = estimate(pairs({11, 9, 7, 2, 1}));
  EXPECT_NEAR(a.score, 1 - b.score, 1e-12);
  EXPECT_NEAR(a.score_95.low, 1 - b.score_95.high, 1e-12);
  EXPECT_NEAR(a.elo, -b.elo, 1e-9);
  EXPECT_NEAR(a.superiority, 1 - b.superiority, 1e-12);
}

TEST(Elo, DrawsNarrowTheInterval) {
  const Estimate drawn = estimate(tally_of({.wins = 60, .draws = 880, .losses = 60}));
  const Estimate decisive = estimate(tally_of({.wins = 500, .draws = 0, .losses = 500}));
  // The variance of a game is 0.03 instead of 0.25.
  EXPECT_NEAR(width(drawn.score_95) / width(decisive.score_95), std::sqrt(0.03 / 0.25), 0.01);
}

TEST(Elo, PairsThatSplitNarrowItAndPairsThatAgreeWidenIt) {
  const double split = width(estimate(pairs({2, 0, 46, 0, 2})).score_95);
  const double independent = width(estimate(pairs({12, 0, 26, 0, 12})).score_95);
  const double agreeing = width(estimate(pairs({25, 0, 0, 0, 25})).score_95);
  EXPECT_LT(split, 0.6 * independent);
  EXPECT_GT(agreeing, 1.3 * independent);
}

TEST(Elo, NothingButDrawsStillHasAWidth) {
  const Estimate e = estimate(pairs({0, 0, 5, 0, 0}));
  EXPECT_DOUBLE_EQ(e.score, 0.5);
  EXPECT_GT(width(e.score_95), 0.1);
  EXPECT_LT(width(e.score_95), 0.6);
}

TEST(Elo, SuperiorityMatchesTheKnownFormulaForManyGames) {
  // (wins - losses) / sqrt(wins + losses) = 2.
  const Estimate e = estimate(tally_of({.wins = 520, .draws = 9000, .losses = 420}));
  EXPECT_NEAR(e.superiority, 0.5 * std::erfc(-(100 / std::sqrt(940.0)) / std::sqrt(2.0)), 1e-3);
  EXPECT_NEAR(estimate(pairs({5, 3, 8, 3, 5})).superiority, 0.5, 1e-12);
}

TEST(Elo, SuperiorityAgreesWithTheIntervalAlsoForFewPairs) {
  int above = 0, below = 0;
  for (int won = 0; won <= 8; ++won)
    for (int better = 0; better <= 8; ++better) {
      const Estimate e = estimate(pairs({1, 0, 2, better, won}));
      EXPECT_EQ(e.superiority > 0.975, e.score_95.low > 0.5) << won << ' ' << better;
      (e.superiority > 0.975 ? above : below) += 1;
    }
  EXPECT_GT(above, 10);
  EXPECT_GT(below, 10);
}

TEST(Elo, AMatchWithoutGamesHasTheFullInterval) {
  const Estimate e = estimate({});
  EXPECT_EQ(e.score_95.low, 0);
  EXPECT_EQ(e.score_95.high, 1);
  EXPECT_EQ(e.elo_95.low, -INFINITY);
  EXPECT_EQ(e.superiority, 0.5);
}

TEST(Elo, CountsSingleGamesAndPairsAlike) {
  PairTally tally;
  tally.add_pair(4);
  tally.add_pair(3);
  tally.add_single(1);
  EXPECT_EQ(tally.games(), 5);
  EXPECT_DOUBLE_EQ(tally.points(), 4);
  EXPECT_DOUBLE_EQ(estimate(tally).score, 0.8);
}

/// The share of simulated matches whose interval contains the true score. Openings favour White or
/// Black by `opening` Elo.
double coverage(int pair_count, double elo, double draw_share, double opening) {
  std::mt19937_64 rng(7);
  const auto chance = [&] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
  const auto game = [&](double difference) {
    const double score = score_of_elo(difference);
    const double draw = draw_share * 4 * score * (1 - score) / 2;
    return std::array<double, 2>{1 - score - draw / 2, draw};  // loss, draw
  };
  double truth = 0;
  for (const double colour : {-1.0, 1.0}) {
    const auto [loss, draw] = game(elo + colour * opening);
    truth += (1 - loss - draw / 2) / 2;
  }
  constexpr int kMatches = 2000;
  int hits = 0;
  for (int match = 0; match < kMatches; ++match) {
    PairTally tally;
    for (int i = 0; i < pair_count; ++i) {
      int twice_points = 0;
      for (const double colour : {-1.0, 1.0}) {
        const auto [loss, draw] = game(elo + colour * opening);
        const double u = chance();
        twice_points += u < loss ? 0 : u < loss + draw ? 1 : 2;
      }
      tally.add_pair(twice_points);
    }
    const Interval interval = estimate(tally).score_95;
    if (interval.low <= truth && truth <= interval.high) ++hits;
  }
  return static_cast<double>(hits) / kMatches;
}

TEST(Elo, TheIntervalContainsTheTrueScoreInNineteenOfTwentyMatches) {
  for (const int count : {3, 10, 22, 200})
    for (const double elo : {0.0, 200.0, 500.0})
      for (const double opening : {0.0, 250.0})
        EXPECT_GT(coverage(count, elo, 0.5, opening), 0.93)
            << count << " pairs, " << elo << " Elo, openings worth " << opening;
  // …and is not simply too wide.
  EXPECT_LT(coverage(200, 100, 0.5, 0), 0.965);
  EXPECT_LT(coverage(200, 100, 0.5, 250), 0.965);
}

}  // namespace
}  // namespace faultline
