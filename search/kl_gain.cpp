// Ending a search when further visits no longer change what it found.
#include "search/kl_gain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace faultline {

bool KlGain::is_spent(std::span<const RootMove> moves, std::uint32_t root_visits) {
  next_ = root_visits + interval_;
  std::vector<std::uint32_t> now;
  now.reserve(moves.size());
  for (const RootMove& move : moves)
    now.push_back(move.visits);
  if (kept_.empty()) {
    kept_ = std::move(now);
    return false;
  }
  std::ranges::transform(now, kept_, now.begin(), std::minus<>{});
  const std::vector<std::uint32_t> before = std::exchange(visits_, now);
  const auto total = static_cast<double>(std::accumulate(now.begin(), now.end(), std::uint64_t{0}));
  const auto earlier =
      static_cast<double>(std::accumulate(before.begin(), before.end(), std::uint64_t{0}));
  if (earlier == 0 || total <= earlier) return false;
  double gain = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] > 0) {
      const double share = before[i] / earlier;
      gain += share * std::log(share / (now[i] / total));
    }
  return gain < static_cast<double>(least_) * (total - earlier);
}

}  // namespace faultline
