// Typos find the intended name; other words find none.
#include "base/nearest_name.h"

#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(NearestName, FindsTyposAndNothingElse) {
  EXPECT_EQ(nearest_name("vists", {"visits", "window"}), "visits");
  EXPECT_EQ(nearest_name("zzzzzz", {"visits", "window"}), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, PicksTheNearestThenTheFirst) {
  EXPECT_EQ(nearest_name("threds", {"heads", "threads"}), "threads");
  EXPECT_EQ(nearest_name("ab", {"aa", "bb"}), "aa");
}

TEST(NearestName, IgnoresTextsTooLongToBeTyped) {
  const std::string text(5'000'000, 'x');
  EXPECT_EQ(nearest_name(text, {"visits"}), "");
}

TEST(NearestName, IsAppendedToAMessageOnlyIfFound) {
  EXPECT_EQ(did_you_mean("visits"), "; did you mean 'visits'?");
  EXPECT_EQ(did_you_mean(""), "");
}

}  // namespace
}  // namespace faultline
