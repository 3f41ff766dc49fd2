// Positions of finished games from which new ones may start.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <random>
#include <string>
#include <utility>

namespace faultline {

/// Keeps, of each of the newest games, one position as FEN or none (Go-Exploit, Trudeau and Bowling
/// 2023). Thread-safe.
class StartArchive {
 public:
  explicit StartArchive(std::size_t games) : capacity_(games) {}

  /// The next game's; "" if it has none.
  void add(std::string fen) {
    const std::scoped_lock lock(mutex_);
    positions_ += fen.empty() ? 0 : 1;
    starts_.push_back(std::move(fen));
    if (starts_.size() <= capacity_) return;
    positions_ -= starts_.front().empty() ? 0 : 1;
    starts_.pop_front();
  }
  /// A uniformly random one; "" while there is none.
  std::string draw(std::mt19937_64& rng) const {
    const std::scoped_lock lock(mutex_);
    if (positions_ == 0) return {};
    std::uniform_int_distribution<std::size_t> any(0, starts_.size() - 1);
    std::size_t i = any(rng);
    while (starts_[i].empty())
      i = any(rng);
    return starts_[i];
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::deque<std::string> starts_;
  std::size_t positions_ = 0;  // that are not empty
};

}  // namespace faultline
