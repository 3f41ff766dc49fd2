// Ctrl-C and SIGTERM: the first requests a clean stop, a later one ends the process at once.
#include "base/stop_signals.h"

#include <atomic>
#include <csignal>
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
  if (!first_signal.compare_exchange_strong(first, now) && now - first >= kSameSignal)
    _exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals() {
  first_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignals::requested() {
  return first_signal > 0;
}

}  // namespace faultline
