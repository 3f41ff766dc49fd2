// SplitMix64 gives the published numbers: keys and recorded games depend on them.
#include "base/seeds.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Seeds, AreTheOutputsOfSplitMix64) {
  // The first outputs of the reference implementation (Vigna 2015) for the seed 1234567.
  EXPECT_EQ(mix_seed(1234567, 0), 6457827717110365317U);
  EXPECT_EQ(mix_seed(1234567, 1), 3203168211198807973U);
  EXPECT_EQ(mix_seed(1234567, 2), 9817491932198370423U);
  EXPECT_EQ(splitmix64(1234567), mix_seed(1234567, 0));
}

TEST(Seeds, TheFinalizerMapsZeroToZero) {
  EXPECT_EQ(splitmix64_finalizer(0), 0U);
  EXPECT_NE(splitmix64_finalizer(1), 1U);
  EXPECT_EQ(splitmix64_finalizer(kSplitMixStep), splitmix64(0));
}

}  // namespace
}  // namespace faultline
