// The numbers of a run's games: which are finished, and which are given out next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "record/number_set.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// Assigns numbers to new games: first those that were given back, then those missing from an
/// interrupted session, then the ones above. In rounds there are those of the open one.
/// Thread-safe.
class GameNumbers final : public NumberSource {
 public:
  /// `finished`: numbers already used, at least `first`. `limit`: games in all, with the finished
  /// ones and those below `first`; 0: no limit. `first`: the lowest number to assign.
  GameNumbers(NumberSet finished, std::uint64_t limit, std::uint64_t first = 0)
      : finished_(finished), given_(std::move(finished)), next_(first) {
    if (limit != 0) left_ = limit - std::min(limit, first + finished_.size());
    if (limit != 0) unfinished_ = *left_;
  }
  /// The next round, of the games from `first` to below `end`; without a limit.
  void open(std::uint64_t first, std::uint64_t end) {
    const std::scoped_lock lock(mutex_);
    first_ = first;
    end_ = end;
    unfinished_ = 0;
    for (std::uint64_t number = first; number < end; ++number)
      if (!finished_.contains(number)) ++*unfinished_;
  }
  NumberRange take() override { return take(1); }
  /// Takes up to `most` numbers that follow each other.
  NumberRange take(std::uint64_t most) {
    const std::scoped_lock lock(mutex_);
    if (const auto range = open_returned(); range != returned_.end()) {
      const NumberRange taken{range->next, std::min({range->end, range->next + most, end_})};
      range->next = taken.end;
      if (range->empty()) returned_.erase(range);
      return taken;
    }
    if (left_) most = std::min(most, *left_);
    const std::uint64_t first = given_.first_missing(next_);
    if (most == 0 || first >= end_) return {};
    std::uint64_t end = first;
    while (end - first < most && end < end_ && given_.insert(end))
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
  /// Counts a game as finished; false if it was before, or is none of the open round.
  bool finish(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    if (number < first_ || number >= end_ || !finished_.insert(number)) return false;
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
    return open_returned() != returned_.end() ||
           (left_ != std::uint64_t{0} && given_.first_missing(next_) < end_);
  }
  /// Games, of the open round if there are rounds, that are not finished; nothing: there is no
  /// limit.
  std::optional<std::uint64_t> unfinished() {
    const std::scoped_lock lock(mutex_);
    return unfinished_;
  }

 private:
  std::deque<NumberRange>::iterator open_returned() {
    return std::ranges::find_if(returned_, [this](const auto& range) { return range.next < end_; });
  }

  // All guarded by mutex_.
  std::mutex mutex_;
  NumberSet finished_;
  NumberSet given_;                                                // to somebody, or finished
  std::deque<NumberRange> returned_;                               // to be given out first
  std::optional<std::uint64_t> left_;                              // to assign; nothing: no limit
  std::optional<std::uint64_t> unfinished_;                        // likewise
  std::uint64_t next_;                                             // all below are given
  std::uint64_t first_ = 0;                                        // of the open round
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();  // likewise
};

}  // namespace faultline
