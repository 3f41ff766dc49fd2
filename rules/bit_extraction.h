// Gathering the bits of a 64-bit set under a mask: one instruction (BMI2's pext), or a loop where
// there is none or a slow one.
#pragma once

#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace faultline {

/// What extract_bits() does without pext.
constexpr std::uint64_t extract_bits_in_a_loop(std::uint64_t b, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (std::uint64_t bit = 1; mask != 0; bit <<= 1) {
    if (b & mask & (~mask + 1)) result |= bit;
    mask &= mask - 1;
  }
  return result;
}

// AMD's processors before Zen 3 execute pext as microcode, which takes up to 300 cycles. A build
// for one processor knows which it is; a portable one looks once, when the program starts.
#if defined(FAULTLINE_PORTABLE) && defined(__BMI2__)
/// Both ways give the same result, so that a use before this is initialised is only slower.
[[gnu::visibility("hidden")]] extern const bool pext_is_fast;
inline bool uses_pext() {
  return pext_is_fast;
}
#elif defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(__bdver4__)
constexpr bool uses_pext() {
  return true;
}
#else
constexpr bool uses_pext() {
  return false;
}
#endif

/// Gathers the bits of `b` under `mask` into the low bits.
inline std::uint64_t extract_bits(std::uint64_t b, std::uint64_t mask) {
#if defined(__BMI2__)
  if (uses_pext()) [[likely]]
    return _pext_u64(b, mask);
#endif
  return extract_bits_in_a_loop(b, mask);
}

}  // namespace faultline
