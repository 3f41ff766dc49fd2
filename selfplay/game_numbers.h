// The numbers of a run's games, assigned to all actor threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "record/number_set.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// Assigns numbers to new games, one at a time: first those missing from an interrupted session,
/// then the ones above. Thread-safe.
class GameNumbers final : public NumberSource {
 public:
  /// `finished`: numbers already used, at least `first`. `limit`: games in all, with the finished
  /// ones and those below `first`; 0: no limit. `first`: the lowest number to assign.
  GameNumbers(NumberSet finished, std::uint64_t limit, std::uint64_t first = 0)
      : finished_(std::move(finished)), next_(first) {
    if (limit != 0) left_ = limit - std::min(limit, first + finished_.size());
  }
  NumberRange take() override {
    const std::scoped_lock lock(mutex_);
    if (left_ == 0U) return {};
    if (left_) --*left_;
    const std::uint64_t number = finished_.first_missing(next_);
    next_ = number + 1;
    return {number, next_};
  }

 private:
  const NumberSet finished_;
  std::mutex mutex_;
  std::optional<std::uint64_t> left_;  // to assign; nothing: no limit
  std::uint64_t next_;                 // all below are assigned or finished
};

}  // namespace faultline
