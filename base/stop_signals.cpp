// Signals: the first that asks the program to stop requests a clean stop, a later one ends the
// process at once.
#include "base/stop_signals.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include <unistd.h>

namespace faultline {
namespace {

// A signal handler can only access globals.
std::atomic<std::int64_t> first_signal{0};  // in milliseconds; 0: none yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// `timeout` and some terminals deliver the same signal twice.
constexpr std::int64_t kSameSignal = 500;

extern "C" void on_stop_signal(int signal) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = 1 + std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
  std::int64_t first = 0;
  if (!first_signal.compare_exchange_strong(first, now) && now - first >= kSameSignal &&
      signal != SIGHUP)
    _exit(128 + signal);
}

constexpr std::array<int, 3> kStopSignals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

StopSignals::StopSignals() {
  first_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    sigaction(kStopSignals[i], nullptr, &before_[i]);
    if (kStopSignals[i] != SIGHUP || before_[i].sa_handler != SIG_IGN)
      sigaction(kStopSignals[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i)
    sigaction(kStopSignals[i], &before_[i], nullptr);
}

bool StopSignals::requested() {
  return first_signal > 0;
}

ClosedPipesIgnored::ClosedPipesIgnored() {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &before_);
}

ClosedPipesIgnored::~ClosedPipesIgnored() {
  sigaction(SIGPIPE, &before_, nullptr);
}

}  // namespace faultline
