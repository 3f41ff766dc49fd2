// The numbers of games that an actor has claimed, until their games are confirmed.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "selfplay/actor_links.h"

namespace faultline {

/// Never waits: it gives none where there is none at the moment, so that games in progress go on.
/// Thread-safe.
class ClaimedNumbers final : public NumberSource {
 public:
  NumberRange take() override { return take({}); }
  /// One of a game that this network is to play.
  NumberRange take(const NetworkIdentity& net) {
    const std::scoped_lock lock(mutex_);
    if (closed_) return {};
    for (auto& [first, claim] : claims_) {
      if (claim.next == claim.end || claim.net != net) continue;
      ++taken_;
      const std::uint64_t number = claim.next++;
      return {number, number + 1};
    }
    return {};
  }
  /// Waits until there are numbers; false: there will be none.
  bool wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || unstarted() > 0; });
    return !closed_;
  }
  /// No game is started any more.
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  void add(const NumberRange& range) {
    const std::scoped_lock lock(mutex_);
    claims_[range.next] = {.end = range.end,
                           .net = range.net,
                           .next = range.next,
                           .unfinished = range.end - range.next};
    changed_.notify_all();
  }
  /// They are another's now: no more of them is started.
  void lose(std::uint64_t first) {
    const std::scoped_lock lock(mutex_);
    claims_.erase(first);
  }
  /// A game is finished and in this part.
  void put(std::uint64_t number, std::uint64_t part) {
    const std::scoped_lock lock(mutex_);
    const auto after = claims_.upper_bound(number);
    if (after == claims_.begin()) return;
    Claim& claim = std::prev(after)->second;
    if (number >= claim.end) return;
    claim.unfinished -= std::min<std::uint64_t>(claim.unfinished, 1);
    claim.last_part = std::max(claim.last_part, part);
  }
  /// Gives up the claims all of whose games are finished and in parts below this one.
  std::vector<NumberRange> release(std::uint64_t below) {
    const std::scoped_lock lock(mutex_);
    std::vector<NumberRange> released;
    std::erase_if(claims_, [&](const auto& entry) {
      const auto& [first, claim] = entry;
      if (claim.unfinished > 0 || claim.last_part >= below) return false;
      released.push_back({first, claim.end, claim.net});
      return true;
    });
    return released;
  }

  std::vector<NumberRange> all() {
    const std::scoped_lock lock(mutex_);
    std::vector<NumberRange> ranges;
    for (const auto& [first, claim] : claims_)
      ranges.push_back({first, claim.end, claim.net});
    return ranges;
  }
  /// Whether games are to be played or finished.
  bool any_unfinished() {
    const std::scoped_lock lock(mutex_);
    return std::ranges::any_of(claims_,
                               [](const auto& entry) { return entry.second.unfinished > 0; });
  }
  /// Numbers whose games are not started yet.
  std::uint64_t reserve() {
    const std::scoped_lock lock(mutex_);
    return unstarted();
  }
  /// Numbers that were taken since the last call.
  std::uint64_t taken() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(taken_, 0);
  }

 private:
  struct Claim {
    std::uint64_t end = 0;
    NetworkIdentity net = {};
    std::uint64_t next = 0;        // to start
    std::uint64_t unfinished = 0;  // games
    std::uint64_t last_part = 0;   // with one of its games
  };

  std::uint64_t unstarted() const {
    std::uint64_t sum = 0;
    for (const auto& [first, claim] : claims_)
      sum += claim.end - claim.next;
    return sum;
  }

  // All guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Claim> claims_;  // by their first number
  std::uint64_t taken_ = 0;
  bool closed_ = false;
};

}  // namespace faultline
