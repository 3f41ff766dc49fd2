// Repetition counts.
#include "rules/history.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(KeyHistory, CountsEarlierOccurrencesWithTheSameSideToMove) {
  KeyHistory history;
  for (const std::uint64_t key : {7, 1, 7, 2, 7})
    history.push(key);
  EXPECT_EQ(history.repetitions(100), 2);
  history.push(7);
  EXPECT_EQ(history.repetitions(100), 0) << "odd distances are the other side's positions";
}

TEST(KeyHistory, LooksNoFurtherBackThanTheWindow) {
  KeyHistory history;
  for (const std::uint64_t key : {7, 1, 7, 2, 7})
    history.push(key);
  EXPECT_EQ(history.repetitions(3), 1);
  EXPECT_EQ(history.repetitions(1), 0);
  EXPECT_EQ(history.repetitions(0), 0);
}

}  // namespace
}  // namespace faultline
