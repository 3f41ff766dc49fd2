// Ctrl-C and SIGTERM: the first asks for a clean stop, the second ends the process at once.
#include "selfplay/stop_signals.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

namespace faultline {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> signals_received{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_stop_signal(int signal) {
  if (signals_received.fetch_add(1) > 0) _exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals() {
  signals_received = 0;
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
  return signals_received > 0;
}

}  // namespace faultline
