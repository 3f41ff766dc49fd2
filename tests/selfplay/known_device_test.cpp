// Figures of a device that was measured elsewhere.
#include "selfplay/known_device.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

RunSpeeds speeds(double flops) {
  Config config;
  config.run.variant = "escher";
  config.learner.batch = 1'024;
  config.search.params.gumbel.enabled = true;
  config.search.visits = 64;
  config.search.full_search_probability = 1;
  return speeds_of_known_device(config, {.flops = flops}, 1);
}

// docs/measurements.md, "On a GPU".
TEST(KnownDevice, HasTheMeasuredRates) {
  EXPECT_NEAR(speeds(383.8e6).evaluations, 820'000, 25'000);  // escher-full.toml
  EXPECT_GT(speeds(1'922e6).evaluations, 150'000);  // inferno-full.toml: 242,000 were measured
  EXPECT_LT(speeds(1'922e6).evaluations, 242'000);
  EXPECT_NEAR(1'024 / speeds(383.8e6).step_seconds, 63'900, 1);
  EXPECT_NEAR(1'024 / speeds(3'032e6).step_seconds, 20'900, 1);
}

TEST(KnownDevice, IsInterpolatedBetweenThemAndLimitedByCores) {
  EXPECT_NEAR(speeds(800e6).evaluations, 387'500, 1);
  EXPECT_DOUBLE_EQ(speeds(1e6).evaluations, speeds(2e6).evaluations);
  const double trained = 1'024 / speeds(1'000e6).step_seconds;
  EXPECT_GT(trained, 20'900);
  EXPECT_LT(trained, 63'900);
  EXPECT_NEAR(1'024 / speeds(6'064e6).step_seconds, 10'450, 1);
  const RunSpeeds found = speeds(800e6);
  EXPECT_DOUBLE_EQ(found.moves, found.evaluations / 64);
  EXPECT_DOUBLE_EQ(found.targets, found.moves);
  EXPECT_FALSE(found.shares_cores);
}

}  // namespace
}  // namespace faultline
