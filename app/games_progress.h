// The progress of games that are played on several threads, on the error stream.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "base/progress_line.h"
#include "lab/run_match.h"

namespace faultline {

/// Thread-safe. "12 of 40 games, about 3:20 left; A - B +3 =2 -1".
class GamesProgress {
 public:
  /// What is to be done. `work` of all games is in any unit in which the time goes evenly.
  struct Plan {
    int games = 0;
    double work = 0;
    bool at_most = false;  // it may be less
    std::string note = {};
  };

  /// `games` and `work` of `plan` are there already.
  GamesProgress(int games, double work, Plan plan);

  /// A game ended, which was `work`. `last` is shown at the line's end.
  void finished(double work, std::string last);
  void set_plan(Plan plan);
  /// Shows `stage` instead of the games from now on.
  void set_stage(const std::string& stage);
  /// Shows the line if one is due.
  void tick();
  /// Removes the line from the terminal.
  void clear();
  double seconds() const;  // since the start

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<std::string> parts() const;

  const double before_;  // work that was there at the start
  const Clock::time_point start_;
  std::mutex mutex_;
  int games_;  // guarded by mutex_, as are the following
  double work_;
  Plan plan_;
  std::string last_;
  std::string stage_;
  ProgressLine line_;
};

/// What is to be done in a match.
GamesProgress::Plan plan_of(const MatchConfig& config);
/// Plays a match and shows its progress; stops when StopSignals, of which the caller has one, are
/// requested. `more.on_game`, `more.on_progress` and `more.stop` are called, too.
MatchResult run_match(const MatchSetup& setup, PlayerResources& resources, GamesProgress& progress,
                      const MatchHooks& more = {});

}  // namespace faultline
