// Sums of billions of small numbers in a float.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/seeds.h"

namespace faultline {

/// Up to so many numbers of about the same size, ordinary additions are exact enough. Beyond 2^24,
/// they no longer change the sum at all.
inline constexpr std::uint32_t kExactVisits = std::uint32_t{1} << 20;

/// Adds the `count`th number, and rounds up or down at random, in proportion to the nearness, so
/// that the rounding errors cancel out instead of adding up. The choice depends only on `count`.
[[gnu::noinline]] inline void add_rounding_at_random(float& sum, float addend,
                                                     std::uint32_t count) {
  const double exact = static_cast<double>(sum) + static_cast<double>(addend);
  const auto nearest = static_cast<float>(exact);
  const double missing = exact - static_cast<double>(nearest);
  sum = nearest;
  if (missing == 0) return;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float other = std::nextafter(nearest, missing > 0 ? kInfinity : -kInfinity);
  const double share = missing / (static_cast<double>(other) - static_cast<double>(nearest));
  const double chance = static_cast<double>(splitmix64_finalizer(count) >> 11) * 0x1p-53;
  if (chance < share) sum = other;
}

}  // namespace faultline
