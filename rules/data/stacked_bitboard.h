// Sets of the squares of several levels, at most 384, with the functions of rules/bitboard.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rules/bitboard.h"

namespace faultline {

struct StackedBitboard {
  static constexpr std::size_t kWords = kMaxSquares / 64;
  std::array<std::uint64_t, kWords> words;  // not initialised by default

  friend constexpr bool operator==(const StackedBitboard&, const StackedBitboard&) = default;
  constexpr StackedBitboard& operator&=(const StackedBitboard& b) {
    for (std::size_t i = 0; i < kWords; ++i)
      words[i] &= b.words[i];
    return *this;
  }
  constexpr StackedBitboard& operator|=(const StackedBitboard& b) {
    for (std::size_t i = 0; i < kWords; ++i)
      words[i] |= b.words[i];
    return *this;
  }
  constexpr StackedBitboard& operator^=(const StackedBitboard& b) {
    for (std::size_t i = 0; i < kWords; ++i)
      words[i] ^= b.words[i];
    return *this;
  }
  friend constexpr StackedBitboard operator&(StackedBitboard a, const StackedBitboard& b) {
    return a &= b;
  }
  friend constexpr StackedBitboard operator|(StackedBitboard a, const StackedBitboard& b) {
    return a |= b;
  }
  friend constexpr StackedBitboard operator^(StackedBitboard a, const StackedBitboard& b) {
    return a ^= b;
  }
  friend constexpr StackedBitboard operator~(StackedBitboard a) {
    for (std::uint64_t& word : a.words)
      word = ~word;
    return a;
  }
};

constexpr bool any(const StackedBitboard& b) {
  std::uint64_t all = 0;
  for (const std::uint64_t word : b.words)
    all |= word;
  return all != 0;
}
constexpr int count(const StackedBitboard& b) {
  int total = 0;
  for (const std::uint64_t word : b.words)
    total += std::popcount(word);
  return total;
}
constexpr bool more_than_one(const StackedBitboard& b) {
  return count(b) > 1;
}
constexpr Square first(const StackedBitboard& b) {
  std::size_t i = 0;
  while (b.words[i] == 0)
    ++i;
  return static_cast<Square>(i * 64 + static_cast<std::size_t>(std::countr_zero(b.words[i])));
}
constexpr Square pop_first(StackedBitboard& b) {
  const Square s = first(b);
  b.words[s / 64U] &= b.words[s / 64U] - 1;
  return s;
}
/// Word by word, which is faster than to ask after each square whether any is left.
template <class F>
constexpr void for_each_square(StackedBitboard set, F&& f) {
  for (std::size_t i = 0; i < StackedBitboard::kWords; ++i)
    for (std::uint64_t word = set.words[i]; word != 0; word &= word - 1)
      f(static_cast<Square>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
}
template <>
constexpr StackedBitboard square_set<StackedBitboard>(Square s) {
  StackedBitboard set{};
  set.words[s / 64U] = std::uint64_t{1} << (s % 64U);
  return set;
}
constexpr bool contains(const StackedBitboard& b, Square s) {
  return (b.words[s / 64U] >> (s % 64U) & 1) != 0;
}
inline std::uint64_t extract_bits(const StackedBitboard& b, const StackedBitboard& mask) {
  std::uint64_t bits = 0;
  int found = 0;
  for (std::size_t i = 0; i < StackedBitboard::kWords; ++i) {
    if (mask.words[i] == 0) continue;  // a level's squares lie in one or two words
    bits |= extract_bits(b.words[i], mask.words[i]) << found;
    found += std::popcount(mask.words[i]);
  }
  return bits;
}

}  // namespace faultline
