// What self-play asks about the levels of Inferno Chess.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "rules/position.h"

namespace faultline {

template <Position P>
inline constexpr bool kHasLevels = requires(typename P::Variant variant) {
  variant.levels;
};

/// How many levels the variant's games start with; 1 in variants without levels.
template <Position P>
int all_levels(const typename P::Variant& variant) {
  if constexpr (kHasLevels<P>) return variant.levels;
  return 1;
}

/// How many levels are left; 1 in variants without levels.
template <Position P>
int levels_left(const P& position) {
  if constexpr (requires { position.levels(); }) return position.levels();
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

/// Draws, with probability `share`, a uniformly random number of levels below the variant's, from
/// 1; else, and where there are no fewer, 0.
template <Position P>
int fewer_levels(const typename P::Variant& variant, double share, std::mt19937_64& rng) {
  const int all = all_levels<P>(variant);
  if (all < 2 || share <= 0) return 0;
  if (std::uniform_real_distribution<double>(0, 1)(rng) >= share) return 0;
  return std::uniform_int_distribution<int>(1, all - 1)(rng);
}

/// The FEN from which a game of `variant` starts with so many levels; "" in variants without
/// levels.
template <Position P>
std::string start_with_levels(typename P::Variant variant, int levels) {
  if constexpr (kHasLevels<P>) {
    variant.levels = levels;
    return P::start(variant).fen();
  }
  return {};
}

}  // namespace faultline
