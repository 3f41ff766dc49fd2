// The greatest limits of searches and games, wherever they are given.
#pragma once

#include <cstdint>

namespace faultline {

inline constexpr std::int64_t kMostVisits = 10'000'000;  // and evaluations, of a move
inline constexpr std::int64_t kMostTimeMs = 3'600'000;   // of a move
inline constexpr std::int64_t kMostGamePlies = 100'000;

}  // namespace faultline
