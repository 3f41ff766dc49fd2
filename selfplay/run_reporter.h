// A run's reports: counts what happens and prints it at intervals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "selfplay/actor_counts.h"
#include "selfplay/progress.h"
#include "selfplay/run_meter.h"

namespace faultline {

/// Used only by the learner's thread, except for counts(), which the actors add to.
class RunReporter {
 public:
  /// `interval`: seconds between reports. `tensorboard`: see ProgressPrinter. Throws
  /// std::runtime_error if `metrics` cannot be written.
  RunReporter(std::ostream& out, bool terminal, const std::filesystem::path& metrics,
              double interval, bool tensorboard = false)
      : printer_(out, terminal, metrics, tensorboard), interval_(interval) {}

  ActorCounts& counts() { return counts_; }
  RunMeter& meter() { return meter_; }
  void message(const std::string& text) { printer_.message(text); }
  /// Prints each text only once.
  void warn(const std::string& text) {
    if (warned_.insert(text).second) message("warning: " + text);
  }
  /// The session goes on from a state of so many steps.
  void resumed_at(std::int64_t steps) { resumed_at_ = steps; }
  bool is_due() const { return meter_.seconds_since_report() >= interval_; }
  /// Adds what happened since the last report and prints the report.
  void report(RunReport report) {
    meter_.finish_interval(report);
    report.resumed_at = std::exchange(resumed_at_, std::nullopt);
    printer_.report(report);
  }

 private:
  ProgressPrinter printer_;
  double interval_;
  ActorCounts counts_;
  RunMeter meter_{counts_};
  std::set<std::string> warned_;
  std::optional<std::int64_t> resumed_at_;  // until the first report
};

}  // namespace faultline
