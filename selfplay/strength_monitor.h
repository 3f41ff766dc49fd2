// Measures a run's strength while it trains, at intervals, on a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/background_task.h"
#include "record/strength_point.h"

namespace faultline {

/// Used by the learner's thread.
class StrengthMonitor {
 public:
  using Clock = std::chrono::steady_clock;
  /// Most of the workers' time that measurements may take. They use one worker.
  static constexpr double kMostShare = 0.02;

  /// `seconds`: from one measurement's begin to the next one's, or more to keep to kMostShare; 0:
  /// none at all. `now`: the clock; tests pass their own.
  StrengthMonitor(double seconds, MeasureStrength measure,
                  std::function<Clock::time_point()> now = &Clock::now);
  ~StrengthMonitor() { stop(); }
  StrengthMonitor(const StrengthMonitor&) = delete;
  StrengthMonitor& operator=(const StrengthMonitor&) = delete;

  /// What limits the run: its actor threads, or the one device that evaluates for them. At first 1.
  void set_workers(int workers) { workers_ = workers; }
  /// Starts a measurement if one is due, none is running, and the network is not the last one.
  void consider(const std::filesystem::path& run, const std::filesystem::path& checkpoint,
                std::int64_t steps);
  /// The last result so far.
  std::optional<StrengthPoint> latest() const;
  /// Whether a measurement is running.
  bool is_running() const { return running_; }
  /// Why there will be no more; "" as long as there will. Given once.
  std::string failure();
  /// Ends a measurement that is running.
  void stop();

 private:
  void measure(const StrengthRequest& request);

  double seconds_;
  int workers_ = 1;
  MeasureStrength measure_;
  std::function<Clock::time_point()> now_;
  Clock::time_point last_start_;
  std::int64_t last_steps_ = 0;  // the untrained network is not measured
  std::atomic<bool> running_{false};
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::optional<StrengthPoint> latest_;  // guarded by mutex_, as all below
  double last_seconds_ = 0;              // that the last measurement took
  std::string failure_;
  bool failed_ = false;
  BackgroundTask thread_;  // last: it ends before what it uses
};

}  // namespace faultline
