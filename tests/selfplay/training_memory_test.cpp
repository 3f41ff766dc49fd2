// Networks that the machine's memory cannot train are refused before anything is allocated.
#include "selfplay/training_memory.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/families/escher.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using testing::HasSubstr;

constexpr std::size_t kGiB = std::size_t{1} << 30;

Config config_of_size(int blocks, int channels) {
  Config config;
  config.net.blocks = blocks;
  config.net.channels = channels;
  return config;
}

TEST(TrainingMemory, CountsWeightsFiveTimesAndWhatAStepKeeps) {
  const EncodingInfo encoding = test::encoding_of<EscherPosition>();
  const Config one = config_of_size(10, 256), two = config_of_size(11, 256);
  const double block = 2 * (9.0 * 256 * 256 + 2 * 256);  // two convolutions and their norms
  const double outputs = 2.0 * one.learner.batch * encoding.cells() * 256 * 2;
  EXPECT_DOUBLE_EQ(least_training_memory(two, encoding) - least_training_memory(one, encoding),
                   block * 5 * 4 + outputs * 2);
}

TEST(TrainingMemory, NamesTheSizeAndTheMemoryOfWhatDoesNotFit) {
  const EncodingInfo encoding = test::encoding_of<EscherPosition>();
  EXPECT_NO_THROW(require_training_memory(config_of_size(20, 256), encoding, 8 * kGiB));
  Config huge = config_of_size(80, 1024);
  EXPECT_NO_THROW(require_training_memory(huge, encoding, 0)) << "0 is unknown";
  huge.sources["net.channels"] = "big.toml:7";
  try {
    require_training_memory(huge, encoding, 8 * kGiB);
    FAIL();
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr("big.toml:7: to train a network of 80x1024"));
    EXPECT_THAT(text, HasSubstr("the machine has 8.0 GiB: lower net.channels"));
  }
}

}  // namespace
}  // namespace faultline
