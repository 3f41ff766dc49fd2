// The numbers of a run's games, assigned to all actor threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace faultline {

/// Assigns numbers to new games: first those missing from an interrupted session, then the ones
/// above. Thread-safe.
class GameNumbers {
 public:
  /// `finished`: numbers already used, at least `first`. `limit`: games in all, with the finished
  /// ones and those below `first`; 0: no limit. `first`: the lowest number to assign.
  GameNumbers(std::vector<std::uint64_t> finished, std::uint64_t limit, std::uint64_t first = 0)
      : next_(first) {
    const std::uint64_t begun = first + finished.size();
    if (limit != 0) left_ = limit - std::min(limit, begun);
    std::sort(finished.begin(), finished.end());
    for (const std::uint64_t number : finished) {
      for (; next_ < number; ++next_)
        missing_.push_back(next_);
      next_ = std::max(next_, number + 1);
    }
    std::reverse(missing_.begin(), missing_.end());
  }
  /// nullopt: no game is left to start.
  std::optional<std::uint64_t> take() {
    const std::scoped_lock lock(mutex_);
    if (left_ == 0U) return std::nullopt;
    if (left_) --*left_;
    if (missing_.empty()) return next_++;
    const std::uint64_t number = missing_.back();
    missing_.pop_back();
    return number;
  }

 private:
  std::mutex mutex_;
  std::optional<std::uint64_t> left_;  // to assign; nothing: no limit
  std::uint64_t next_;
  std::vector<std::uint64_t> missing_;  // largest first
};

}  // namespace faultline
