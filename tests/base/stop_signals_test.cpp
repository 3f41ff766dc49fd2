// Ctrl-C once, twice at once, and again later.
#include "base/stop_signals.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline {
namespace {

TEST(StopSignals, OneSignalRequestsAStopEvenIfDeliveredTwice) {
  {
    const StopSignals signals;
    EXPECT_FALSE(StopSignals::requested());
    std::raise(SIGINT);
    EXPECT_TRUE(StopSignals::requested());
    std::raise(SIGINT);
    std::raise(SIGTERM);
  }
  const StopSignals again;
  EXPECT_FALSE(StopSignals::requested());
}

TEST(StopSignals, AHangUpIsOneUnlessItIsIgnored) {
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_TRUE(StopSignals::requested());
  }
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_FALSE(StopSignals::requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(ClosedPipesIgnored, WritingFailsInsteadOfEndingTheProcess) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  const ClosedPipesIgnored ignored;
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

TEST(StopSignalsDeathTest, ALaterOneEndsTheProcess) {
  EXPECT_EXIT(
      {
        const StopSignals signals;
        std::raise(SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(128 + SIGINT), "");
}

}  // namespace
}  // namespace faultline
