// The learner's sliding window.
#include "selfplay/window.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace faultline {

std::uint64_t window_size(std::uint64_t total, std::uint64_t least, std::uint64_t most,
                          double share) {
  const auto wanted = static_cast<std::uint64_t>(static_cast<double>(total) * share);
  return std::clamp(wanted, std::min(least, most), most);
}

void Window::add(GameSamples game) {
  if (game.size() == 0) return;
  games_.push_back({added_, std::move(game)});
  added_ += games_.back().samples.size();
  trim();
}

Sample Window::operator[](std::size_t i) const {
  assert(i < size());
  const std::uint64_t wanted = games_.front().first + i;
  const auto after =
      std::upper_bound(games_.begin(), games_.end(), wanted,
                       [](std::uint64_t value, const Entry& e) { return value < e.first; });
  const Entry& entry = *std::prev(after);
  return entry.samples[static_cast<std::size_t>(wanted - entry.first)];
}

void Window::trim() {
  while (games_.size() > 1 && size() - games_.front().samples.size() >= capacity_)
    games_.pop_front();
}

}  // namespace faultline
