// The temperature that is measured at the end of a run.
#include "app/match_temperature.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "model/net_search.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

TEST(MatchTemperature, IsMeasuredOnceAndStoredWithTheNetwork) {
  const test::TemporaryFolder folder;
  const std::filesystem::path net = folder.path() / "chess.pt";
  std::filesystem::copy_file(FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt", net);
  const auto calibrate = [&](bool stopped) {
    return calibrate_match_temperature(net, cpu_backends(), {}, 1000, [=] { return stopped; });
  };
  EXPECT_EQ(calibrate(true), std::nullopt);
  const auto measured = calibrate(false);
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->positions, 300);
  // Its weights are random: the flatter its priors, the less they are wrong.
  EXPECT_GT(measured->temperature, 2);
  EXPECT_FLOAT_EQ(net_search(net).settings.params.policy_temperature,
                  static_cast<float>(measured->temperature));
  EXPECT_EQ(calibrate(false), std::nullopt);
}

}  // namespace
}  // namespace faultline
