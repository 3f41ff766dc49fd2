// Measures a run's strength while it trains, at intervals, on a thread of its own.
#include "selfplay/strength_monitor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/stop_signals.h"

namespace faultline {

StrengthMonitor::StrengthMonitor(double seconds, MeasureStrength measure,
                                 std::function<Clock::time_point()> now)
    : seconds_(seconds), measure_(std::move(measure)), now_(std::move(now)), last_start_(now_()) {}

void StrengthMonitor::consider(const std::filesystem::path& run,
                               const std::filesystem::path& checkpoint, std::int64_t steps) {
  if (seconds_ <= 0 || !measure_ || running_ || stopping_ || steps == last_steps_) return;
  const double passed = std::chrono::duration<double>(now_() - last_start_).count();
  {
    const std::scoped_lock lock(mutex_);
    if (failed_ || passed < std::max(seconds_, last_seconds_ / (kMostShare * workers_))) return;
  }
  last_start_ = now_();
  last_steps_ = steps;
  running_ = true;
  thread_.wait();
  thread_.start([this, request = StrengthRequest{run, checkpoint, steps, [this] {
                                                   return stopping_ || StopSignals::requested();
                                                 }}] {
    measure(request);
    running_ = false;
  });
}

void StrengthMonitor::measure(const StrengthRequest& request) {
  const Clock::time_point start = now_();
  std::optional<StrengthPoint> point;
  std::string failure;
  try {
    point = measure_(request);
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "an error without a message";
  } catch (...) {
    failure = "an unknown error";
  }
  const std::scoped_lock lock(mutex_);
  last_seconds_ = std::chrono::duration<double>(now_() - start).count();
  if (point) latest_ = point;
  failed_ = !failure.empty();
  failure_ = std::move(failure);
}

std::optional<StrengthPoint> StrengthMonitor::latest() const {
  const std::scoped_lock lock(mutex_);
  return latest_;
}

std::string StrengthMonitor::failure() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(failure_, {});
}

void StrengthMonitor::stop() {
  stopping_ = true;
  thread_.wait();
}

}  // namespace faultline
