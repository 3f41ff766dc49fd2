// Stopping, pondering and holding back the answer of one search, between the thread that reads
// commands and the thread that searches.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace faultline {

class SearchControl {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forgets the last search; to be called before the next.
  void begin(bool ponder) {
    const std::lock_guard lock(mutex_);
    interrupted_ = false;
    stopped_ = false;
    pondering_ = ponder;
    hit_ = std::nullopt;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    interrupted_ = true;
    changed_.notify_all();
  }
  /// The move pondered on was played: the search is now one for the engine's own move. Ignored
  /// unless pondering.
  void ponder_hit(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (!pondering_) return;
    pondering_ = false;
    hit_ = now;
    interrupted_ = true;
    changed_.notify_all();
  }

  // For the searching thread.

  /// True once the analyser should return, for whatever reason. For SearchLimits::stop.
  const std::atomic<bool>& interrupted() const { return interrupted_; }
  /// Ends the analyser's search from its own reports.
  void interrupt() { interrupted_ = true; }
  bool is_stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }
  /// Waits for the end of pondering; returns when `ponderhit` came, after which the analyser may
  /// search again, or nullopt after `stop`.
  std::optional<Clock::time_point> wait_for_hit() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !pondering_; });
    if (stopped_) return std::nullopt;
    interrupted_ = false;
    return hit_;
  }
  void wait_for_stop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> interrupted_ = false;
  bool stopped_ = false;
  bool pondering_ = false;
  std::optional<Clock::time_point> hit_;
};

}  // namespace faultline
