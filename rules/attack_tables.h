// Attack tables for a board of any shape, computed once from a BoardGraph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/bitboard.h"
#include "rules/board_graph.h"

namespace faultline {

/// Riders' attacks are looked up by the occupancy of the squares that can block them, gathered into
/// an index with one bit extraction. Nothing is assumed about geometry: the tables are computed by
/// following the links, forks included, so one class serves every board.
///
/// `LinesPerLookup`: 2 looks up both lines of a rider at once (8×8: at most 2^12 entries per
/// square); 1 looks them up line by line, for boards where both together would need too many bits.
template <class B, int LinesPerLookup>
class BasicAttackTables {
  static constexpr std::size_t kLookups = 2 / LinesPerLookup;

 public:
  explicit BasicAttackTables(const BoardGraph& graph);
  // Moving keeps the tables in place; a copy would point into the original's.
  BasicAttackTables(BasicAttackTables&&) noexcept = default;
  BasicAttackTables& operator=(BasicAttackTables&&) noexcept = default;

  std::size_t size() const { return squares_.size(); }
  B board() const { return board_; }
  B knight(Square s) const { return squares_[s].knight; }
  B king(Square s) const { return squares_[s].king; }
  /// Squares on which a pawn of `c` on `s` can capture, en passant included.
  B pawn_attacks(Colour c, Square s) const {
    return squares_[s].pawn_attacks[static_cast<std::size_t>(index(c))];
  }
  /// The square straight ahead of a pawn of `c`, as a set (empty at the edge, two at a fork).
  B pawn_push(Colour c, Square s) const {
    return squares_[s].pawn_push[static_cast<std::size_t>(index(c))];
  }
  /// Rook attacks given the occupancy, including the first blocker on each line.
  B orthogonal(Square s, B blockers) const { return look_up(squares_[s].orthogonal, blockers); }
  B diagonal(Square s, B blockers) const { return look_up(squares_[s].diagonal, blockers); }
  /// The squares strictly between two squares on one line, empty if no line joins them. If several
  /// paths do, the squares common to all: a piece there blocks every path.
  B between(Square a, Square b) const { return between_[a * size() + b]; }

 private:
  struct Lookup {
    B mask{};
    const B* entries = nullptr;
  };
  using Lookups = std::array<Lookup, kLookups>;
  struct PerSquare {
    Lookups orthogonal;
    Lookups diagonal;
    B knight{};
    B king{};
    std::array<B, 2> pawn_attacks{};
    std::array<B, 2> pawn_push{};
  };

  static B look_up(const Lookups& lookups, B blockers) {
    B reach = lookups[0].entries[extract_bits(blockers, lookups[0].mask)];
    if constexpr (kLookups == 2)
      reach |= lookups[1].entries[extract_bits(blockers, lookups[1].mask)];
    return reach;
  }

  std::vector<PerSquare> squares_;
  std::vector<B> entries_;
  std::vector<B> between_;
  B board_{};
};

using AttackTables = BasicAttackTables<Bitboard, 2>;
/// Tables for at most 64 squares, but with lines of up to 16.
using LongLineTables = BasicAttackTables<Bitboard, 1>;
using WideAttackTables = BasicAttackTables<WideBitboard, 1>;

extern template class BasicAttackTables<Bitboard, 2>;
extern template class BasicAttackTables<Bitboard, 1>;
extern template class BasicAttackTables<WideBitboard, 1>;

/// The tables of square_board(), shared by all families that use it.
const AttackTables& square_board_tables();

}  // namespace faultline
