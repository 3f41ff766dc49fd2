// Numbers of games: gaps first, then the ones above, as many as the limit leaves.
#include "selfplay/game_numbers.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

/// Ranges are of one number each.
std::optional<std::uint64_t> next(GameNumbers& numbers) {
  const NumberRange range = numbers.take();
  if (range.empty()) return std::nullopt;
  EXPECT_EQ(range.end, range.next + 1);
  return range.next;
}

TEST(GameNumbers, FillsTheGapsFirst) {
  GameNumbers numbers({0, 1, 4, 2, 6}, 9);
  std::vector<std::uint64_t> taken;
  while (const auto number = next(numbers))
    taken.push_back(*number);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{3, 5, 7, 8}));
}

TEST(GameNumbers, ALimitCountsGamesAndNotTheirNumbers) {
  // Games of several threads finish in another order than that of their numbers.
  GameNumbers numbers({0, 1, 9, 3, 12}, 8);
  std::vector<std::uint64_t> taken;
  while (const auto number = next(numbers))
    taken.push_back(*number);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{2, 4, 5}));
  GameNumbers enough({0, 1, 9}, 2);
  EXPECT_EQ(next(enough), std::nullopt);
  EXPECT_EQ(next(enough), std::nullopt);
}

TEST(GameNumbers, AWideGapTakesNeitherTimeNorMemory) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 60;
  GameNumbers numbers({0, kFar, 2, kFar - 1}, 0);
  EXPECT_EQ(next(numbers), 1U);
  EXPECT_EQ(next(numbers), 3U);
  GameNumbers last({kFar, kFar - 1}, 0, kFar - 2);
  EXPECT_EQ(next(last), kFar - 2);
  EXPECT_EQ(next(last), kFar + 1);
}

TEST(GameNumbers, WithoutALimitThereIsAlwaysAnother) {
  GameNumbers numbers({}, 0);
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(next(numbers), i);
}

TEST(GameNumbers, ARangeEndsAtTheNextGameThatIsThere) {
  GameNumbers numbers({2, 3}, 0);
  const NumberRange first = numbers.take(5), second = numbers.take(5);
  EXPECT_EQ(first.next, 0U);
  EXPECT_EQ(first.end, 2U);
  EXPECT_EQ(second.next, 4U);
  EXPECT_EQ(second.end, 9U);
}

TEST(GameNumbers, WhatIsGivenBackUnfinishedIsGivenOutFirst) {
  GameNumbers numbers({}, 12);
  const NumberRange range = numbers.take(8);
  EXPECT_TRUE(numbers.finish(1));
  EXPECT_TRUE(numbers.finish(5));
  EXPECT_FALSE(numbers.finish(5));
  numbers.give_back(range);
  std::vector<std::uint64_t> taken;
  while (const auto number = next(numbers))
    taken.push_back(*number);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{0, 2, 3, 4, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(numbers.unfinished(), 10U);
  EXPECT_FALSE(numbers.any_left());
  for (const std::uint64_t number : taken)
    EXPECT_TRUE(numbers.finish(number));
  EXPECT_EQ(numbers.unfinished(), 0U);
}

TEST(GameNumbers, WhatOthersPlaySinceAnEarlierSessionIsNotGivenOut) {
  GameNumbers numbers({0}, 8);
  numbers.adopt({2, 5});
  std::vector<std::uint64_t> taken;
  while (const auto number = next(numbers))
    taken.push_back(*number);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{1, 5, 6, 7}));
}

TEST(GameNumbers, InRoundsAreThoseOfTheOpenOne) {
  GameNumbers numbers({0, 1, 2, 3, 6, 9}, 0, 4);
  numbers.open(4, 8);
  EXPECT_EQ(numbers.unfinished(), 3U);
  numbers.adopt({8, 9});  // another plays it since an earlier session
  numbers.give_back({8, 9});
  EXPECT_FALSE(numbers.finish(3));
  EXPECT_FALSE(numbers.finish(8));
  EXPECT_EQ(next(numbers), 4U);
  EXPECT_EQ(next(numbers), 5U);
  EXPECT_TRUE(numbers.any_left());
  EXPECT_EQ(next(numbers), 7U);
  EXPECT_EQ(next(numbers), std::nullopt);
  EXPECT_FALSE(numbers.any_left());
  numbers.give_back({4, 6});
  EXPECT_EQ(numbers.take(8).end, 6U);
  for (const std::uint64_t number : {4U, 5U, 7U})
    EXPECT_TRUE(numbers.finish(number));
  EXPECT_EQ(numbers.unfinished(), 0U);
  numbers.open(8, 12);
  EXPECT_EQ(numbers.unfinished(), 3U);
  EXPECT_EQ(next(numbers), 8U);
  const NumberRange rest = numbers.take(8);
  EXPECT_EQ(rest.next, 10U);
  EXPECT_EQ(rest.end, 12U);
}

}  // namespace
}  // namespace faultline
