// How many positions the threads of one search may still visit.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace faultline {

/// Hands a search's limit of nodes to its threads in portions, so that together they visit no more,
/// and seldom touch what they share. The last portions are small: when none is left, hardly any
/// thread has one to waste.
class NodeBudget {
 public:
  /// `nodes`: 0: no limit.
  void start(std::uint64_t nodes, std::size_t threads) {
    left_ = nodes > 0 ? nodes : std::numeric_limits<std::uint64_t>::max();
    threads_ = threads;
  }

  /// The next portion, of at least one node; 0: none is left. One thread is given all at once.
  /// Thread-safe.
  std::uint64_t take() {
    std::uint64_t left = left_.load(std::memory_order_relaxed);
    std::uint64_t portion = 0;
    do {
      portion =
          threads_ == 1
              ? left
              : std::min(left, std::clamp<std::uint64_t>(left / (2 * threads_), 1, kMostAtOnce));
    } while (!left_.compare_exchange_weak(left, left - portion, std::memory_order_relaxed));
    return portion;
  }

 private:
  static constexpr std::uint64_t kMostAtOnce = 256;

  std::atomic<std::uint64_t> left_ = 0;
  std::uint64_t threads_ = 1;
};

}  // namespace faultline
