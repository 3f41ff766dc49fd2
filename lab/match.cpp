// The seeds of a match.
#include "lab/match.h"

#include "base/seeds.h"

namespace faultline {

std::uint64_t opening_seed(std::uint64_t seed) {
  return splitmix64(seed);
}

std::uint64_t game_seed(std::uint64_t seed, int number) {
  return splitmix64(splitmix64(splitmix64(seed)) + static_cast<std::uint64_t>(number));
}

}  // namespace faultline
