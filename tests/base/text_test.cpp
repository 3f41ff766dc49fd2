// Formatting of counts, long numbers and durations.
#include "base/text.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/signed_text.h"

namespace faultline {
namespace {

TEST(Text, CountsHaveTheirPlural) {
  EXPECT_EQ(counted(1, "game"), "1 game");
  EXPECT_EQ(counted(0, "game"), "0 games");
  EXPECT_EQ(counted(std::uint64_t{12}, "actor thread"), "12 actor threads");
  EXPECT_EQ(counted(1, "loss", "losses"), "1 loss");
  EXPECT_EQ(counted(2, "loss", "losses"), "2 losses");
}

TEST(Text, LongNumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Text, WhatRoundsToZeroIsNotNegative) {
  EXPECT_EQ(signed_text(-0.4), "+0");
  EXPECT_EQ(signed_text(-0.004, 2), "+0.00");
  EXPECT_EQ(signed_text(-0.6), "-1");
  EXPECT_EQ(signed_text(-0.06, 1), "-0.1");
  EXPECT_EQ(signed_text(-100), "-100");
  EXPECT_EQ(signed_text(114.2), "+114");
  EXPECT_EQ(signed_text(-HUGE_VAL), "-inf");
}

TEST(Text, DurationsShowHoursOnlyIfThereAreAny) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(-3), "0:00");
  EXPECT_EQ(clock_text(59.6), "1:00");
  EXPECT_EQ(clock_text(754), "12:34");
  EXPECT_EQ(clock_text(7500), "2:05:00");
}

TEST(Text, BytesShowThreeDigitsAtMostBelowAGibibyte) {
  EXPECT_EQ(bytes_text(2.5 * (1 << 20)), "2.5 MiB");
  EXPECT_EQ(bytes_text(250.0 * (1 << 20)), "250 MiB");
  EXPECT_EQ(bytes_text(2.5 * (1 << 30)), "2.5 GiB");
}

}  // namespace
}  // namespace faultline
