// Tests that may be stopped at any time: their errors by simulation, and their intervals.
#include "lab/sequential_test.h"

#include <array>
#include <cstddef>
#include <random>

#include <gtest/gtest.h>

namespace faultline {
namespace {

using Chances = std::array<double, 5>;

/// Pairs of equal players: some openings favour one side.
constexpr Chances kEqual = {0.1, 0.2, 0.4, 0.2, 0.1};
constexpr Chances kEqualWithoutDraws = {0.2, 0, 0.6, 0, 0.2};
/// A score of 0.65.
constexpr Chances kBetter = {0.05, 0.1, 0.3, 0.3, 0.25};

/// A comparison that is looked at after every ten pairs.
struct Simulated {
  SequentialDecision decision = SequentialDecision::None;
  int pairs = 0;
  bool covered = true;  // the true score was within the interval at all looks
};

Simulated simulate(const Chances& chances, const SequentialTest& test, int most_pairs,
                   std::mt19937_64& rng) {
  double score = 0;
  for (std::size_t k = 0; k < chances.size(); ++k)
    score += chances[k] * static_cast<double>(k) / 4;
  // Not std::discrete_distribution, whose numbers differ between libraries.
  const auto draw = [&] {
    double left = static_cast<double>(rng() >> 11) * 0x1p-53;
    std::size_t k = 0;
    while (k + 1 < chances.size() && left >= chances[k])
      left -= chances[k++];
    return k;
  };
  Simulated result;
  PairCounts pairs{};
  while (result.pairs < most_pairs && result.decision == SequentialDecision::None) {
    for (int i = 0; i < 10; ++i)
      ++pairs.at(draw());
    result.pairs += 10;
    result.decision = decision(test, pairs);
    const Interval interval = anytime_score(pairs, test.alpha);
    result.covered = result.covered && interval.low <= score && score <= interval.high;
  }
  return result;
}

TEST(SequentialTest, OfManyComparisonsOfEqualPlayersNoneIsDecidedInMostStudies) {
  constexpr int kStudies = 60;
  constexpr int kComparisons = 4;
  constexpr double kAlpha = 0.1;
  std::mt19937_64 rng(1);
  int wrong = 0;
  for (int study = 0; study < kStudies; ++study) {
    bool any = false;
    for (int i = 0; i < kComparisons; ++i) {
      const Simulated one = simulate(i % 2 == 0 ? kEqual : kEqualWithoutDraws,
                                     {.alpha = kAlpha / kComparisons}, 80, rng);
      any = any || one.decision != SequentialDecision::None || !one.covered;
    }
    wrong += any ? 1 : 0;
  }
  EXPECT_LE(wrong, kAlpha * kStudies);
}

TEST(SequentialTest, AFixedSampleTestThatIsLookedAtAgainAndAgainWouldBeWrongOften) {
  // What the simulation above is sensitive to.
  std::mt19937_64 rng(1);
  int wrong = 0;
  for (int study = 0; study < 100; ++study) {
    PairTally tally;
    bool excluded = false;
    for (int pair = 1; pair <= 100; ++pair) {
      tally.add_pair(static_cast<int>(rng() % 5));
      const Interval score = estimate(tally).score_95;
      excluded = excluded || (pair % 10 == 0 && (score.low > 0.5 || score.high < 0.5));
    }
    wrong += excluded ? 1 : 0;
  }
  EXPECT_GT(wrong, 10);
}

TEST(SequentialTest, DecidesForTheBetterPlayer) {
  std::mt19937_64 rng(2);
  int pairs = 0;
  for (int i = 0; i < 20; ++i) {
    const Simulated one = simulate(kBetter, {.alpha = 0.005}, 600, rng);
    EXPECT_EQ(one.decision, SequentialDecision::FirstBetter);
    EXPECT_TRUE(one.covered);
    pairs += one.pairs;
  }
  EXPECT_LT(pairs / 20, 200);
}

TEST(SequentialTest, EndsWhereTheDifferenceIsTooSmallToMatter) {
  std::mt19937_64 rng(3);
  const Simulated one = simulate(kEqual, {.alpha = 0.05, .indifference = 60}, 2000, rng);
  EXPECT_EQ(one.decision, SequentialDecision::Equivalent);
  EXPECT_EQ(simulate(kEqual, {.alpha = 0.05}, 300, rng).decision, SequentialDecision::None);
}

TEST(SequentialTest, TurnsWithThePlayers) {
  const PairCounts pairs = {3, 9, 20, 14, 11};
  const PairCounts turned = {11, 14, 20, 9, 3};
  EXPECT_DOUBLE_EQ(anytime_score(pairs, 0.05).low, 1 - anytime_score(turned, 0.05).high);
  EXPECT_DOUBLE_EQ(anytime_p(pairs), anytime_p(turned));
  const PairCounts far = {0, 0, 5, 10, 60};
  EXPECT_EQ(decision({}, far), SequentialDecision::FirstBetter);
  EXPECT_EQ(decision({}, {60, 10, 5, 0, 0}), SequentialDecision::SecondBetter);
}

TEST(SequentialTest, AnIntervalExcludesOneHalfExactlyWhereItsPValueSaysSo) {
  for (int wins = 0; wins <= 30; ++wins) {
    const PairCounts pairs = {5, 0, 10, 0, wins};
    const Interval score = anytime_score(pairs, 0.05);
    EXPECT_EQ(score.low > 0.5 || score.high < 0.5, anytime_p(pairs) < 0.05) << wins;
  }
}

TEST(SequentialTest, KnowsNothingWithoutGamesAndStaysWithinBoundsWithOneSidedResults) {
  EXPECT_EQ(anytime_p({}), 1);
  EXPECT_EQ(anytime_score({}, 0.05).low, 0);
  EXPECT_EQ(anytime_score({}, 0.05).high, 1);
  EXPECT_EQ(decision({}, {}), SequentialDecision::None);
  const Interval lost = anytime_score({500, 0, 0, 0, 0}, 0.05);
  EXPECT_EQ(lost.low, 0);
  EXPECT_GT(lost.high, 0);
  EXPECT_LT(lost.high, 0.05);
}

}  // namespace
}  // namespace faultline
