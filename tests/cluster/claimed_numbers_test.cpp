// The numbers that an actor has claimed.
#include "cluster/claimed_numbers.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(ClaimedNumbers, AreReleasedWhenAllTheirGamesAreConfirmed) {
  ClaimedNumbers numbers;
  numbers.add({10, 12});
  EXPECT_EQ(numbers.take().next, 10U);
  EXPECT_EQ(numbers.take().next, 11U);
  EXPECT_TRUE(numbers.take().empty());
  numbers.put(10, 1);
  EXPECT_TRUE(numbers.release(9).empty());
  numbers.put(11, 3);
  EXPECT_TRUE(numbers.release(3).empty());  // part 3 is not confirmed
  const auto released = numbers.release(4);
  ASSERT_EQ(released.size(), 1U);
  EXPECT_EQ(released[0].next, 10U);
  EXPECT_TRUE(numbers.all().empty());
}

TEST(ClaimedNumbers, OnesThatWereLostAreNotStarted) {
  ClaimedNumbers numbers;
  numbers.add({0, 4});
  numbers.add({8, 10});
  EXPECT_EQ(numbers.take().next, 0U);
  numbers.lose(0);
  EXPECT_EQ(numbers.take().next, 8U);
  EXPECT_EQ(numbers.reserve(), 1U);
  numbers.put(0, 1);  // its game still ends
  EXPECT_EQ(numbers.all().size(), 1U);
}

TEST(ClaimedNumbers, OfOneNetworkAreForNoOther) {
  const NetworkIdentity first{0, 7}, second{5, 8};
  ClaimedNumbers numbers;
  numbers.add({0, 2, first});
  EXPECT_TRUE(numbers.take().empty());
  EXPECT_TRUE(numbers.take(second).empty());
  EXPECT_EQ(numbers.take(first).next, 0U);
  EXPECT_EQ(numbers.all().at(0).net, first);
  EXPECT_TRUE(numbers.any_unfinished());
  numbers.put(0, 1);
  numbers.put(1, 1);
  EXPECT_FALSE(numbers.any_unfinished());
  EXPECT_EQ(numbers.release(2).at(0).net, first);
}

TEST(ClaimedNumbers, WhoeverWaitsIsWokenByNewOnesAndByTheEnd) {
  ClaimedNumbers numbers;
  std::atomic<int> woken{0};
  std::thread waiting([&] {
    EXPECT_TRUE(numbers.wait());
    ++woken;
    numbers.take();
    EXPECT_FALSE(numbers.wait());
  });
  EXPECT_EQ(woken, 0);
  numbers.add({0, 1});
  while (numbers.reserve() > 0)
    std::this_thread::yield();
  numbers.close();
  waiting.join();
  numbers.add({5, 6});
  EXPECT_TRUE(numbers.take().empty());
}

}  // namespace
}  // namespace faultline
