// The learner's sliding window: the training positions of the latest games, decoded, in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

#include "selfplay/game_samples.h"

namespace faultline {

/// The window's capacity in positions when the run has generated `total` so far: a share of them,
/// between a minimum and a maximum.
std::uint64_t window_size(std::uint64_t total, std::uint64_t least, std::uint64_t most,
                          double share);

/// Whole games, newest last; the oldest are dropped. Used by one thread at a time.
class Window {
 public:
  /// Drops the oldest games as long as `capacity` positions remain without them.
  void set_capacity(std::uint64_t capacity) {
    capacity_ = capacity;
    trim();
  }
  void add(GameSamples game);

  /// Positions in the window.
  std::size_t size() const {
    return games_.empty() ? 0 : static_cast<std::size_t>(added_ - games_.front().first);
  }
  std::size_t games() const { return games_.size(); }
  /// The i-th of size(), oldest first; valid until the window changes.
  Sample operator[](std::size_t i) const;
  /// A random position, with replacement, all with equal probability. The window must not be empty.
  Sample draw(std::mt19937_64& rng) const {
    return (*this)[std::uniform_int_distribution<std::size_t>(0, size() - 1)(rng)];
  }

 private:
  struct Entry {
    std::uint64_t first;  // number of positions ever added before this game's
    GameSamples samples;
  };

  void trim();

  std::deque<Entry> games_;
  std::uint64_t added_ = 0;
  std::uint64_t capacity_ = ~std::uint64_t{0};
};

}  // namespace faultline
