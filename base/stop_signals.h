// Ctrl-C and SIGTERM: the first asks for a clean stop, a later one ends the process at once.
#pragma once

namespace faultline {

/// Catches SIGINT and SIGTERM, of which those within half a second count as one, for as long as it
/// lives; one at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether a signal came. Safe from any thread.
  static bool requested();
};

}  // namespace faultline
