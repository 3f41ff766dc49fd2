// Ratios of sums with their intervals.
#include "survey/intervals.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(RatioOfSums, IsTheMeanWithStudentsIntervalWhereDenominatorsAreOne) {
  // 1, 2, 3, 6: mean 3, standard error sqrt(14/3 / 4), t of three degrees of freedom 3.182446.
  const std::vector<ClusterSum> sums = {{1, 1}, {2, 1}, {3, 1}, {6, 1}};
  const RatioEstimate mean = ratio_of_sums(sums);
  EXPECT_TRUE(mean.known);
  EXPECT_DOUBLE_EQ(mean.value, 3);
  EXPECT_NEAR(mean.interval.high - 3, 3.182446 * std::sqrt(14.0 / 12), 1e-5);
  EXPECT_NEAR(3 - mean.interval.low, 3.182446 * std::sqrt(14.0 / 12), 1e-5);
}

TEST(RatioOfSums, LeavesOutEmptyClustersAndKnowsWhenThereIsNothing) {
  EXPECT_FALSE(ratio_of_sums(std::vector<ClusterSum>{}).known);
  EXPECT_FALSE(share_of_sums(std::vector<ClusterSum>{{0, 0}, {0, 0}}).known);
  const std::vector<ClusterSum> one = {{0, 0}, {2, 4}};
  EXPECT_DOUBLE_EQ(ratio_of_sums(one).value, 0.5);
  EXPECT_TRUE(std::isinf(ratio_of_sums(one).interval.high)) << "one cluster has no spread";
}

TEST(ShareOfSums, IsWilsonsIntervalForIndependentObservations) {
  std::vector<ClusterSum> sums;
  for (int i = 0; i < 1000; ++i)
    sums.push_back({i < 300 ? 1.0 : 0.0, 1});
  // Wilson's interval of 300 of 1000 is 0.2724 to 0.3291; Student's quantile changes the last
  // digit.
  const RatioEstimate share = share_of_sums(sums);
  EXPECT_NEAR(share.interval.low, 0.2724, 2e-4);
  EXPECT_NEAR(share.interval.high, 0.3291, 2e-4);
}

TEST(ShareOfSums, HasAnIntervalAtZeroAndOne) {
  const std::vector<ClusterSum> none = {{0, 5}, {0, 5}, {0, 5}, {0, 5}};
  const RatioEstimate share = share_of_sums(none);
  EXPECT_EQ(share.interval.low, 0);
  EXPECT_GT(share.interval.high, 0.2) << "four clusters, whatever their sizes";
  const std::vector<ClusterSum> all = {{5, 5}, {5, 5}};
  EXPECT_EQ(share_of_sums(all).interval.high, 1);
}

TEST(ShareOfSums, CoversTheTruthThoughPlaysOfAGameAreAlike) {
  // Each of 60 games has its own share, around 0.4, and 1 to 20 plays of it.
  constexpr int kSurveys = 400;
  std::mt19937_64 rng(3);
  int covered = 0;
  for (int survey = 0; survey < kSurveys; ++survey) {
    std::vector<ClusterSum> sums;
    for (int game = 0; game < 60; ++game) {
      const double share = rng() % 2 == 0 ? 0.1 : 0.7;
      const int plays = 1 + static_cast<int>(rng() % 20);
      std::binomial_distribution<int> played(plays, share);
      sums.push_back({static_cast<double>(played(rng)), static_cast<double>(plays)});
    }
    const Interval interval = share_of_sums(sums).interval;
    if (interval.low <= 0.4 && 0.4 <= interval.high) ++covered;
  }
  // 380 are expected, with a standard deviation of 4.4.
  EXPECT_GT(covered, 362);
  EXPECT_LT(covered, 396);
}

}  // namespace
}  // namespace faultline
