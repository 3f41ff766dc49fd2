// What self-play asks about the levels of Inferno Chess.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "rules/position.h"

namespace faultline {

template <Position P>
inline constexpr bool kHasLevels = requires(const typename P::Variant& variant) {
  { variant.levels } -> std::convertible_to<int>;
};

/// How many levels the variant's games start with; 1 in variants without levels.
template <Position P>
int all_levels(const typename P::Variant& variant) {
  if constexpr (kHasLevels<P>) return variant.levels;
  return 1;
}

/// How many levels game `number` of a run starts with by its schedule: `one_level_games` have one,
/// then over `rising_games` their number rises evenly from two to one fewer than all. 0: what comes
/// after these.
template <Position P>
int scheduled_levels(const typename P::Variant& variant, std::uint64_t number,
                     std::int64_t one_level_games, std::int64_t rising_games) {
  const auto first = static_cast<std::uint64_t>(one_level_games);
  if (number < first) return 1;
  const auto rising = static_cast<std::uint64_t>(rising_games);
  const int between = all_levels<P>(variant) - 2;
  if (number - first >= rising || between < 1) return 0;
  return 2 + static_cast<int>((number - first) * static_cast<std::uint64_t>(between) / rising);
}

/// The FEN from which a game of `variant` starts with so many levels; "" in variants without
/// levels.
template <Position P>
std::string start_with_levels(const typename P::Variant& of, int levels) {
  if constexpr (kHasLevels<P>) {
    typename P::Variant variant = of;
    variant.levels = levels;
    return P::start(variant).fen();
  }
  return {};
}

}  // namespace faultline
