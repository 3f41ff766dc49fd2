// When a run measures its strength. Runs under the thread sanitizer.
#include "selfplay/strength_monitor.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Clock = StrengthMonitor::Clock;

/// A clock that tests set, and measurements that take a set time.
struct Fixture {
  std::atomic<Clock::time_point> now{Clock::time_point{} + 1h};
  std::atomic<int> measured{0};
  std::chrono::seconds takes = 0s;
  StrengthMonitor monitor;

  explicit Fixture(double seconds, int threads = 2)
      : monitor(
            seconds,
            [this](const StrengthRequest& request) {
              now = now.load() + takes;
              ++measured;
              return StrengthPoint{.steps = request.steps, .elo = 10, .games = 4, .zero = "random"};
            },
            [this] { return now.load(); }) {
    monitor.set_workers(threads);
  }

  void pass(std::chrono::seconds time) { now = now.load() + time; }
  /// Returns when the measurement has ended, if one began.
  void consider(std::int64_t steps) {
    monitor.consider("run", "net", steps);
    while (monitor.is_running())
      std::this_thread::sleep_for(1ms);
  }
};

TEST(StrengthMonitor, MeasuresNewNetsAtIntervals) {
  Fixture f(60);
  f.consider(100);
  EXPECT_EQ(f.measured, 0);  // not yet
  f.pass(61s);
  f.consider(0);
  EXPECT_EQ(f.measured, 0);  // the untrained network
  f.consider(200);
  ASSERT_EQ(f.measured, 1);
  f.monitor.stop();
  ASSERT_TRUE(f.monitor.latest().has_value());
  EXPECT_EQ(f.monitor.latest()->steps, 200);
  EXPECT_EQ(text_of(*f.monitor.latest()),
            "+10 Elo (+0 to +0) over random after 200 steps (4 games)");
}

TEST(StrengthMonitor, MeasuresNoNetTwice) {
  Fixture f(60);
  f.pass(61s);
  f.consider(200);
  f.pass(61s);
  f.consider(200);
  EXPECT_EQ(f.measured, 1);
  f.consider(300);
  EXPECT_EQ(f.measured, 2);
}

TEST(StrengthMonitor, TakesAtMostItsShareOfTheActorsTime) {
  Fixture f(60, 2);
  f.takes = 30s;  // of one of two threads: 2 % of 750 s
  f.pass(61s);
  f.consider(200);
  ASSERT_EQ(f.measured, 1);
  f.pass(700s);
  f.consider(300);
  EXPECT_EQ(f.measured, 1);
  f.pass(60s);
  f.consider(400);
  EXPECT_EQ(f.measured, 2);
}

TEST(StrengthMonitor, NoIntervalMeansNoMeasurement) {
  Fixture f(0);
  f.pass(10'000s);
  f.consider(200);
  EXPECT_EQ(f.measured, 0);
}

TEST(StrengthMonitor, AFailureIsReportedOnceAndEndsIt) {
  std::atomic<int> tries{0};
  StrengthMonitor monitor(1e-9, [&](const StrengthRequest&) -> std::optional<StrengthPoint> {
    ++tries;
    throw std::runtime_error("no such player");
  });
  std::string failure;
  for (std::int64_t steps = 1; failure.empty() && steps < 2000; ++steps) {
    monitor.consider("run", "net", steps);
    std::this_thread::sleep_for(1ms);
    failure = monitor.failure();
  }
  EXPECT_EQ(failure, "no such player");
  EXPECT_EQ(monitor.failure(), "");
  monitor.consider("run", "net", 5000);
  monitor.stop();
  EXPECT_EQ(tries, 1);
}

TEST(StrengthMonitor, StoppingEndsAMeasurement) {
  std::atomic<bool> begun{false};
  StrengthMonitor monitor(1e-9, [&](const StrengthRequest& r) -> std::optional<StrengthPoint> {
    begun = true;
    while (!r.stop())
      std::this_thread::sleep_for(1ms);
    return std::nullopt;
  });
  monitor.consider("run", "net", 1);
  while (!begun)
    std::this_thread::sleep_for(1ms);
  monitor.stop();
  EXPECT_FALSE(monitor.latest().has_value());
}

}  // namespace
}  // namespace faultline
