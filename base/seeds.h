// Independent seeds and hash keys from one number: SplitMix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstdint>

namespace faultline {

/// What SplitMix64 adds to its state at each step: 2^64 / golden ratio.
inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15U;

/// SplitMix64's output function, a bijection that keeps 0.
constexpr std::uint64_t splitmix64_finalizer(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// The first output of a generator whose state is `z`. Position keys and the seeds of recorded
/// games depend on it: it must never change.
constexpr std::uint64_t splitmix64(std::uint64_t z) {
  return splitmix64_finalizer(z + kSplitMixStep);
}

/// The generator's output number `stream`, from 0: splits one seed into independent ones.
constexpr std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t stream) {
  return splitmix64(seed + kSplitMixStep * stream);
}

}  // namespace faultline
