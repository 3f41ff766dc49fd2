// Checks a match's settings.
#include "lab/match_config.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <stdexcept>

#include <fmt/core.h>

namespace faultline {
int MatchConfig::place_of(int game) const {
  if (pairs.empty()) return game;
  const auto pair = std::ranges::lower_bound(pairs, game / 2);
  return 2 * static_cast<int>(pair - pairs.begin()) + game % 2;
}

void check(const MatchConfig& config) {
  assert(config.games >= 2 && config.games % 2 == 0);
  assert(config.pairs.empty() || 2 * config.pairs.size() == static_cast<std::size_t>(config.games));
  assert(std::ranges::is_sorted(config.pairs, std::less_equal()));
  assert(config.threads >= 1 && config.games_at_once >= 0);
  if (config.max_plies != 0 && config.max_plies <= config.openings.plies)
    throw std::invalid_argument(
        fmt::format("max_plies = {}: must be more than the opening's plies, {}", config.max_plies,
                    config.openings.plies));
  if (config.sprt) check(*config.sprt);
}

}  // namespace faultline
