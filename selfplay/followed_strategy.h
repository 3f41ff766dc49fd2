// The strategy that one side of every self-play game follows (selfplay.strategy).
#pragma once

#include <filesystem>
#include <optional>

#include "record/config.h"
#include "rules/types.h"
#include "strategy/strategy.h"

namespace faultline {

/// The side that follows it in the game of this number: White in the even ones.
constexpr Colour follower_in(std::uint64_t game) {
  return game % 2 == 0 ? Colour::White : Colour::Black;
}

/// The text of selfplay.strategy, if there is one: from the run's folder, where it was copied to
/// when it was first followed, else from where the key says. `folder`: empty for no run. Throws
/// ConfigError for one that does not exist, cannot be read, or is impossible in the variant.
std::optional<StrategyText> followed_strategy(const Config& config,
                                              const std::filesystem::path& folder);
/// Copies it into the folder, as strategies/NAME.toml, unless it is there.
void keep_followed_strategy(const Config& config, const std::filesystem::path& folder);

}  // namespace faultline
