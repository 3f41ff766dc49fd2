// The numbers of a run's games: which are finished, and which are given out next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "record/number_set.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// Assigns numbers to new games: first those that were given back, then those missing from an
/// interrupted session, then the ones above. Thread-safe.
class GameNumbers final : public NumberSource {
 public:
  /// `finished`: numbers already used, at least `first`. `limit`: games in all, with the finished
  /// ones and those below `first`; 0: no limit. `first`: the lowest number to assign.
  GameNumbers(NumberSet finished, std::uint64_t limit, std::uint64_t first = 0)
      : finished_(finished), given_(std::move(finished)), next_(first) {
    if (limit != 0) left_ = limit - std::min(limit, first + finished_.size());
    if (limit != 0) unfinished_ = *left_;
  }
  NumberRange take() override { return take(1); }
  /// Takes up to `most` numbers that follow each other.
  NumberRange take(std::uint64_t most) {
    const std::scoped_lock lock(mutex_);
    if (!returned_.empty()) {
      NumberRange& range = returned_.front();
      const NumberRange taken{range.next, std::min(range.end, range.next + most)};
      range.next = taken.end;
      if (range.empty()) returned_.pop_front();
      return taken;
    }
    if (left_) most = std::min(most, *left_);
    if (most == 0) return {};
    const std::uint64_t first = given_.first_missing(next_);
    std::uint64_t end = first;
    while (end - first < most && given_.insert(end))
      ++end;
    next_ = end;
    if (left_) *left_ -= end - first;
    return {first, end};
  }

  /// Somebody plays these numbers since an earlier session; they are not given out.
  void adopt(const NumberRange& range) {
    const std::scoped_lock lock(mutex_);
    for (std::uint64_t number = range.next; number < range.end; ++number)
      if (given_.insert(number) && left_) *left_ -= std::min<std::uint64_t>(*left_, 1);
  }
  /// Nobody plays these numbers any more: those that are not finished are given out again.
  void give_back(const NumberRange& range) {
    const std::scoped_lock lock(mutex_);
    for (std::uint64_t number = range.next; number < range.end; ++number) {
      if (finished_.contains(number)) continue;
      if (!returned_.empty() && returned_.back().end == number)
        ++returned_.back().end;
      else
        returned_.push_back({number, number + 1});
    }
  }
  /// Counts a game as finished; false if it was before.
  bool finish(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    if (!finished_.insert(number)) return false;
    if (unfinished_) *unfinished_ -= std::min<std::uint64_t>(*unfinished_, 1);
    return true;
  }
  bool is_finished(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    return finished_.contains(number);
  }
  /// Whether take() would give some.
  bool any_left() {
    const std::scoped_lock lock(mutex_);
    return !returned_.empty() || left_ != std::uint64_t{0};
  }
  /// Games that are not finished; nothing: there is no limit.
  std::optional<std::uint64_t> unfinished() {
    const std::scoped_lock lock(mutex_);
    return unfinished_;
  }

 private:
  // All guarded by mutex_.
  std::mutex mutex_;
  NumberSet finished_;
  NumberSet given_;                          // to somebody, or finished
  std::deque<NumberRange> returned_;         // to be given out first
  std::optional<std::uint64_t> left_;        // to assign; nothing: no limit
  std::optional<std::uint64_t> unfinished_;  // likewise
  std::uint64_t next_;                       // all below are given
};

}  // namespace faultline
