// The strategy that one side of every self-play game follows (selfplay.strategy).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "record/config.h"
#include "rules/types.h"
#include "search/move_bias.h"
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

/// Null without a strategy. `variant` must outlive it.
template <Position P>
std::shared_ptr<const MoveBias<P>> followed_bias(const typename P::Variant& variant,
                                                 const Config& config,
                                                 const std::filesystem::path& folder) {
  const std::optional<StrategyText> text = followed_strategy(config, folder);
  return text ? make_strategy<P>(variant, *text) : nullptr;
}

}  // namespace faultline
