// Ctrl-C and SIGTERM: the first requests a clean stop, a later one ends the process at once.
#pragma once

namespace faultline {

/// Catches SIGINT and SIGTERM during its lifetime; signals within half a second count as one. At
/// most one instance may exist at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal was received. Safe from any thread.
  static bool requested();
};

}  // namespace faultline
