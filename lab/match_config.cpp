// Checks a match's settings.
#include "lab/match_config.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include <fmt/core.h>

namespace faultline {
namespace {

void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds)
    throw std::invalid_argument(fmt::format("{} = {}: must be {}", field, value, allowed));
}

}  // namespace

int MatchConfig::place_of(int game) const {
  if (pairs.empty()) return game;
  const auto pair = std::ranges::lower_bound(pairs, game / 2);
  return 2 * static_cast<int>(pair - pairs.begin()) + game % 2;
}

void check(const MatchConfig& config) {
  require(config.games >= 2 && config.games % 2 == 0, "games", config.games,
          "even and at least 2: every opening is played twice, with colours swapped");
  if (!config.pairs.empty()) {
    require(2 * config.pairs.size() == static_cast<std::size_t>(config.games), "pairs",
            static_cast<double>(config.pairs.size()), "half as many as games");
    require(config.pairs.front() >= 0, "pairs", config.pairs.front(), "numbers from 0");
    const auto twice = std::ranges::adjacent_find(config.pairs, std::greater_equal());
    require(twice == config.pairs.end(), "pairs", twice == config.pairs.end() ? 0 : *twice,
            "below the number after it");
  }
  require(config.threads >= 1, "threads", config.threads, "at least 1");
  require(config.games_at_once >= 0, "games_at_once", config.games_at_once, "at least 0");
  require(config.leaves_per_tree >= 1, "leaves_per_tree", config.leaves_per_tree, "at least 1");
  require(config.max_plies == 0 || config.max_plies > config.openings.plies, "max_plies",
          config.max_plies, "more than the opening's plies");
  require(config.games <= 1'000'000, "games", config.games, "at most 1,000,000");
  require(config.temperature >= 0 && config.temperature <= 100, "temperature", config.temperature,
          "0 to 100");
  require(config.temperature_plies >= 0, "temperature_plies", config.temperature_plies,
          "at least 0");
  if (config.sprt) check(*config.sprt);
}

}  // namespace faultline
