// The folder between a learner and its actors: names, small files, and who is silent.
#include "cluster/post.h"

#include <chrono>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using test::TemporaryFolder;

TEST(Post, RangesAreTheirFilesNames) {
  const auto range = range_of("post/numbers/" + range_name({256, 512}));
  ASSERT_TRUE(range);
  EXPECT_EQ(range->next, 256U);
  EXPECT_EQ(range->end, 512U);
  const auto of_one = range_of(range_name({3, 4, {40, 0xabcU}}));
  ASSERT_TRUE(of_one);
  EXPECT_EQ(of_one->end, 4U);
  EXPECT_EQ(of_one->net, (NetworkIdentity{40, 0xabcU}));
  EXPECT_EQ(range_name(*of_one), "000000000003-000000000004-40-0000000000000abc.range");
  for (const char* name :
       {"", "x.range", "000000000003-000000000004-5.range", "000000000003-000000000004-.range",
        "000000000003-000000000004-x-0000000000000abc.range",
        "000000000003-000000000004-40-0000000000000abc-7.range",
        "000000000003-000000000004-40-0000000000000abc", "000000000005-000000000003.range",
        "000000000005-000000000005.range", "-00000000005-000000000009.range",
        "000000000001-000000000002", "000000000001-000000000002.range.tmp",
        "000000000001-000000000002.rangee", "000000000000-000099999999.range",
        "000000000000-18446744073709551615.range", "000000000001-99999999999999999999.range",
        "281474976710650-281474976710657.range",
        // Not as they are written: such a file would not be found again.
        "3-4.range", "000000000003-000000000004-040-0000000000000abc.range",
        "000000000003-000000000004-40-0000000000000ABC.range",
        "000000000003-000000000004-0-0000000000000000.range"})
    EXPECT_FALSE(range_of(name)) << name;
}

TEST(Post, WhatIsNoObjectIsNothing) {
  const TemporaryFolder place;
  const auto file = place.path() / "x.json";
  EXPECT_FALSE(read_object(file));
  for (const char* text : {"", "{", "[]", "7", "\xff\xfe"}) {
    test::write_text(file, text);
    EXPECT_FALSE(read_object(file)) << text;
  }
  EXPECT_FALSE(read_object(place.path()));
  replace_file(file, R"({"a": 1})");
  EXPECT_EQ(read_object(file)->at("a"), 1);
  EXPECT_THROW(replace_file(place.path() / "no/x.json", "{}"), std::system_error);
}

TEST(Post, SilenceIsJudgedByTheOwnClockFromWhatChanges) {
  Watch watch;
  const Watch::Clock::time_point start = Watch::Clock::now();
  EXPECT_EQ(watch.unchanged(start), 0ms);
  watch.see(0, start);
  EXPECT_EQ(watch.unchanged(start + 5s), 5s);
  watch.see(7, start + 6s);
  watch.see(7, start + 8s);
  EXPECT_EQ(watch.unchanged(start + 9s), 3s);
  watch.see(3, start + 9s);  // another process of the same name counts from the beginning
  EXPECT_EQ(watch.unchanged(start + 9s), 0ms);
}

}  // namespace
}  // namespace faultline
