// One line on a terminal, several elsewhere, neither too often.
#include "base/progress_line.h"

#include <chrono>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ProgressLine, IsRewrittenOnATerminal) {
  std::ostringstream out;
  ProgressLine line(out, true);
  line.show({"one"});
  line.show({"t", "wo"});
  EXPECT_EQ(out.str(), "\rone\x1b[K\rtwo\x1b[K");
}

TEST(ProgressLine, PrintsSeparateLinesElsewhere) {
  std::ostringstream out;
  ProgressLine line(out, false);
  line.show({"one"});
  line.show({"t", "wo"});
  line.message("note");
  line.clear();
  EXPECT_EQ(out.str(), "one\ntwo\nnote\n");
}

TEST(ProgressLine, IsCutToTheTerminalsWidth) {
  std::ostringstream out;
  ProgressLine(out, true).show({std::string(100'000, 'x')});
  EXPECT_LT(out.str().size(), 10'000U);
}

TEST(ProgressLine, AMessageIsPrintedBelowIt) {
  std::ostringstream out;
  ProgressLine line(out, true);
  line.message("first");
  line.show({"50%"});
  line.message("note");
  line.message("another");
  EXPECT_EQ(out.str(), "first\n\r50%\x1b[K\nnote\nanother\n");
}

TEST(ProgressLine, IsClearedOnce) {
  std::ostringstream out;
  ProgressLine line(out, true);
  line.clear();
  EXPECT_EQ(out.str(), "");
  line.show({"50%"});
  line.clear();
  line.clear();
  EXPECT_EQ(out.str(), "\r50%\x1b[K\r\x1b[K");
}

TEST(ProgressLine, IsDueTwicePerSecondOnATerminalAndTwicePerMinuteElsewhere) {
  std::ostringstream out;
  const auto start = ProgressLine::Clock::time_point(seconds(1000));
  ProgressLine terminal(out, true), file(out, false);
  EXPECT_FALSE(terminal.due(start));
  EXPECT_FALSE(terminal.due(start + milliseconds(499)));
  EXPECT_TRUE(terminal.due(start + milliseconds(500)));
  EXPECT_FALSE(terminal.due(start + milliseconds(999)));
  EXPECT_TRUE(terminal.due(start + milliseconds(1000)));
  EXPECT_FALSE(file.due(start));
  EXPECT_FALSE(file.due(start + seconds(29)));
  EXPECT_TRUE(file.due(start + seconds(30)));
}

TEST(ProgressLine, RemainingTimeFollowsFromTheSpeedSoFar) {
  EXPECT_EQ(time_left(60, 0.5), "1:00");
  EXPECT_EQ(time_left(60, 0.25), "3:00");
  EXPECT_EQ(time_left(60, 1), "0:00");
}

}  // namespace
}  // namespace faultline
