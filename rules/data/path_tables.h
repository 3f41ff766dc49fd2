// Reach by occupancy: one kind of table for riders, limited and bent riders, lame leapers and
// hoppers, computed from routes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
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

/// Where routes lead from each square, given the occupied squares. Refers to a TablePool's memory.
template <class B>
class PathTable {
 public:
  PathTable() = default;
  PathTable(const B* leaps, const PathLookup<B>* lookups, std::size_t lookups_per_square)
      : leaps_(leaps), lookups_(lookups), lookups_per_square_(lookups_per_square) {}

  /// False: there are no routes at all.
  explicit operator bool() const { return leaps_ != nullptr; }
  B at(Square s, B occupied) const {
    B reach = leaps_[s];
    const PathLookup<B>* const lookups = lookups_ + s * lookups_per_square_;
    for (std::size_t i = 0; i < lookups_per_square_; ++i)
      reach |= lookups[i].entries[extract_bits(occupied, lookups[i].mask)];
    return reach;
  }
  /// Whether what stands on other squares does not matter.
  bool only_leaps() const { return lookups_per_square_ == 0; }

 private:
  const B* leaps_ = nullptr;
  const PathLookup<B>* lookups_ = nullptr;
  std::size_t lookups_per_square_ = 0;
};

/// Owns tables' memory; equal arrays are stored once. Moving it keeps them in place.
template <class B>
class TablePool {
 public:
  explicit TablePool(std::size_t squares) : squares_(squares) {}
  TablePool(TablePool&&) noexcept = default;
  TablePool& operator=(TablePool&&) noexcept = default;

  /// A table of where routes lead; `reversed`: of where they come from. Throws GameLimit for
  /// longer lines than kMostLineSquares.
  PathTable<B> table(std::span<const Route> routes, bool reversed = false);

 private:
  /// The address of an equal array.
  template <class T>
  const T* kept(const std::vector<T>& values);
  const B* entries(std::span<const Route* const> routes, B mask, bool reversed);

  std::size_t squares_;
  std::vector<std::unique_ptr<std::byte[]>> arrays_;
  std::unordered_map<std::string_view, const std::byte*> addresses_;  // by content
};

extern template class TablePool<Bitboard>;
extern template class TablePool<WideBitboard>;
extern template class TablePool<StackedBitboard>;

}  // namespace faultline::data
