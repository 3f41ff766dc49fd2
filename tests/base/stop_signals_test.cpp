// Ctrl-C once, twice at once, and again later.
#include "base/stop_signals.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

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
