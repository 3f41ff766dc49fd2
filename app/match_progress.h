// A match's progress on the error stream.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/progress_line.h"
#include "lab/match_config.h"
#include "lab/match_result.h"
#include "lab/run_match.h"

namespace faultline {

/// Thread-safe.
class MatchProgress {
 public:
  explicit MatchProgress(const MatchConfig& config);

  /// Plies of all games, written by the match.
  std::atomic<std::int64_t> plies{0};

  void finished(const MatchResult& result);
  /// Shows the line if one is due.
  void tick();
  /// Removes the line from the terminal.
  void clear();
  double seconds() const;
  /// The result of all games that have ended.
  MatchResult result();

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<std::string> parts() const;

  MatchConfig config_;
  Clock::time_point start_;
  std::mutex mutex_;
  ProgressLine line_;  // these two are guarded by mutex_
  MatchResult result_;
};

/// Plays a match and shows its progress; stops when StopSignals, of which the caller has one, are
/// requested. `more.on_game` and `more.stop` are called, too.
MatchResult run_match(const MatchSetup& setup, PlayerResources& resources, MatchProgress& progress,
                      const MatchHooks& more = {});

}  // namespace faultline
