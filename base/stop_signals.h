// Signals: the first that asks the program to stop requests a clean stop, a later one ends the
// process at once.
#pragma once

#include <array>
#include <csignal>

namespace faultline {

/// Catches SIGINT, SIGTERM and, unless it is ignored (`nohup`), SIGHUP during its lifetime; signals
/// within half a second count as one, and a SIGHUP after another signal, as of a terminal that
/// closes, is not counted. At most one instance may exist at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal was received. Safe from any thread.
  static bool requested();

 private:
  std::array<struct sigaction, 3> before_{};  // of SIGINT, SIGTERM, SIGHUP
};

/// Ignores SIGPIPE during its lifetime, for long work that must not end because nobody reads its
/// messages any more (`faultline train … | head`): printing then fails instead. Use iostreams,
/// which remember that; fmt::print to a file throws.
class ClosedPipesIgnored {
 public:
  ClosedPipesIgnored();
  ~ClosedPipesIgnored();
  ClosedPipesIgnored(const ClosedPipesIgnored&) = delete;
  ClosedPipesIgnored& operator=(const ClosedPipesIgnored&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace faultline
