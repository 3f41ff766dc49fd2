// Reach by occupancy: one kind of table for riders, limited and bent riders, lame leapers and
// hoppers, computed from routes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "rules/bitboard.h"
#include "rules/data/routes.h"
#include "rules/data/stacked_bitboard.h"

namespace faultline::data {

/// A table is split into lookups so that none has more squares in its mask, if its lines can be
/// separated so far.
inline constexpr int kMostMaskSquares = 10;
/// A single line may have so many; longer ones are refused.
inline constexpr int kMostLineSquares = 16;

/// A set of squares from a list.
template <class B>
B set_of(std::span<const Square> squares) {
  B set{};
  for (const Square s : squares)
    set |= square_set<B>(s);
  return set;
}

template <class B>
struct PathLookup {
  B mask{};
  const B* entries = nullptr;
};

/// By square.
template <class S>
struct PathArrays {
  const S* leaps = nullptr;
  const PathLookup<S>* lookups = nullptr;
};

/// The 64 squares from `first` on.
inline Bitboard window(const WideBitboard& set, Square first) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<Bitboard>((Wide{set.high} << 64 | set.low) >> first);
}
inline Bitboard window(const StackedBitboard& set, Square first) {
  const std::size_t word = first / 64U;
  const std::size_t bits = first % 64U;
  Bitboard result = set.words[word] >> bits;
  if (bits > 0 && word + 1 < StackedBitboard::kWords) result |= set.words[word + 1] << (64 - bits);
  return result;
}
/// The set of which that is a window.
template <class B>
B widened(Bitboard set, Square first);
template <>
inline WideBitboard widened(Bitboard set, Square first) {
  __extension__ using Wide = unsigned __int128;
  const Wide moved = Wide{set} << first;
  return {static_cast<std::uint64_t>(moved), static_cast<std::uint64_t>(moved >> 64)};
}
template <>
inline StackedBitboard widened(Bitboard set, Square first) {
  const std::size_t word = first / 64U;
  const std::size_t bits = first % 64U;
  StackedBitboard result{};
  result.words[word] = set << bits;
  if (bits > 0 && word + 1 < StackedBitboard::kWords) result.words[word + 1] = set >> (64 - bits);
  return result;
}

/// Where routes lead from each square, given the occupied squares. Refers to a TablePool's memory.
/// Levels of at most 64 squares have sets of their own, numbered from each level's first square.
template <class B>
class PathTable {
 public:
  PathTable() = default;
  PathTable(const PathArrays<B>& arrays, std::size_t lookups_per_square)
      : arrays_(arrays), lookups_per_square_(lookups_per_square) {}
  /// `first_of_level`: by square.
  PathTable(const PathArrays<Bitboard>& arrays, std::size_t lookups_per_square,
            const Square* first_of_level)
      : lookups_per_square_(lookups_per_square), of_level_{first_of_level, arrays} {}

  B at(Square s, const B& occupied) const {
    if constexpr (!std::is_same_v<B, Bitboard>)
      if (of_level_.first != nullptr) {
        const Square first = of_level_.first[s];
        return widened<B>(reach(of_level_.arrays, s, window(occupied, first)), first);
      }
    return reach(arrays_, s, occupied);
  }
  /// Whether what stands on other squares does not matter.
  bool only_leaps() const { return lookups_per_square_ == 0; }

 private:
  template <class S>
  S reach(const PathArrays<S>& arrays, Square s, const S& occupied) const {
    S reached = arrays.leaps[s];
    const PathLookup<S>* const lookups = arrays.lookups + s * lookups_per_square_;
    for (std::size_t i = 0; i < lookups_per_square_; ++i)
      reached |= lookups[i].entries[extract_bits(occupied, lookups[i].mask)];
    return reached;
  }

  PathArrays<B> arrays_;
  std::size_t lookups_per_square_ = 0;
  struct OfLevel {
    const Square* first = nullptr;
    PathArrays<Bitboard> arrays;
  };
  [[no_unique_address]] std::conditional_t<std::is_same_v<B, Bitboard>, std::monostate, OfLevel>
      of_level_;
};

/// Owns tables' memory; equal arrays are stored once. Moving it keeps them in place.
template <class B>
class TablePool {
 public:
  /// `level_squares`: of one of the levels; `squares` where there are none.
  TablePool(std::size_t squares, std::size_t level_squares)
      : squares_(squares), level_squares_(level_squares) {}
  TablePool(TablePool&&) noexcept = default;
  TablePool& operator=(TablePool&&) noexcept = default;

  /// A table of where routes lead; `reversed`: of where they come from. Throws GameLimit for
  /// longer lines than kMostLineSquares.
  PathTable<B> table(std::span<const Route> routes, bool reversed = false);

 private:
  /// The address of an equal array.
  template <class T>
  const T* kept(const std::vector<T>& values);
  template <class S>
  std::pair<PathArrays<S>, std::size_t> arrays(std::span<const Route> routes, bool reversed);

  std::size_t squares_;
  std::size_t level_squares_;
  std::vector<std::unique_ptr<std::byte[]>> arrays_;
  std::unordered_map<std::string_view, const std::byte*> addresses_;  // by content
};

extern template class TablePool<Bitboard>;
extern template class TablePool<WideBitboard>;
extern template class TablePool<StackedBitboard>;

}  // namespace faultline::data
