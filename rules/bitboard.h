// Sets of squares: 64 bits for boards up to 8×8, 128 for the larger ones, one set of functions.
#pragma once

#include <bit>
#include <cstdint>

#include "rules/bit_extraction.h"
#include "rules/types.h"

namespace faultline {

using Bitboard = std::uint64_t;

/// A set over at most 128 squares. Like a plain integer it is not initialised by default, so that
/// large arrays cost nothing until they are filled.
struct WideBitboard {
  std::uint64_t low;
  std::uint64_t high;

  friend constexpr bool operator==(WideBitboard, WideBitboard) = default;
  friend constexpr WideBitboard operator&(WideBitboard a, WideBitboard b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr WideBitboard operator|(WideBitboard a, WideBitboard b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr WideBitboard operator^(WideBitboard a, WideBitboard b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  friend constexpr WideBitboard operator~(WideBitboard a) { return {~a.low, ~a.high}; }
  constexpr WideBitboard& operator|=(WideBitboard b) { return *this = *this | b; }
  constexpr WideBitboard& operator&=(WideBitboard b) { return *this = *this & b; }
  constexpr WideBitboard& operator^=(WideBitboard b) { return *this = *this ^ b; }
};

constexpr bool any(Bitboard b) {
  return b != 0;
}
constexpr bool any(WideBitboard b) {
  return (b.low | b.high) != 0;
}

constexpr int count(Bitboard b) {
  return std::popcount(b);
}
constexpr int count(WideBitboard b) {
  return std::popcount(b.low) + std::popcount(b.high);
}

constexpr bool more_than_one(Bitboard b) {
  return (b & (b - 1)) != 0;
}
constexpr bool more_than_one(WideBitboard b) {
  return count(b) > 1;
}

/// The lowest square; the set must not be empty.
constexpr Square first(Bitboard b) {
  return static_cast<Square>(std::countr_zero(b));
}
constexpr Square first(WideBitboard b) {
  return static_cast<Square>(b.low ? std::countr_zero(b.low) : 64 + std::countr_zero(b.high));
}

constexpr Square pop_first(Bitboard& b) {
  const Square s = first(b);
  b &= b - 1;
  return s;
}
constexpr Square pop_first(WideBitboard& b) {
  const Square s = first(b);
  if (b.low)
    b.low &= b.low - 1;
  else
    b.high &= b.high - 1;
  return s;
}

/// The set of one square.
template <class B>
constexpr B square_set(Square s);
template <>
constexpr Bitboard square_set<Bitboard>(Square s) {
  return Bitboard{1} << s;
}
template <>
constexpr WideBitboard square_set<WideBitboard>(Square s) {
  return s < 64 ? WideBitboard{std::uint64_t{1} << s, 0}
                : WideBitboard{0, std::uint64_t{1} << (s - 64)};
}

constexpr bool contains(Bitboard b, Square s) {
  return (b >> s & 1) != 0;
}
constexpr bool contains(WideBitboard b, Square s) {
  return s < 64 ? contains(b.low, s) : contains(b.high, static_cast<Square>(s - 64));
}

/// Gathers the bits of `b` under `mask` into the low bits.
inline std::uint64_t extract_bits(WideBitboard b, WideBitboard mask) {
  return extract_bits(b.low, mask.low) | extract_bits(b.high, mask.high) << std::popcount(mask.low);
}

/// Calls `f(square)` for each member, lowest first.
template <class B, class F>
constexpr void for_each_square(B set, F&& f) {
  while (any(set))
    f(pop_first(set));
}

}  // namespace faultline
