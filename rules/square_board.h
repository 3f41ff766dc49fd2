// Facts about the 8×8 board (square = rank * 8 + file) that several families share.
#pragma once

#include "rules/bitboard.h"
#include "rules/types.h"

namespace faultline::square_board_sets {

/// Rank 1 is row 0.
constexpr Bitboard row(int r) {
  return Bitboard{0xff} << (8 * r);
}
inline constexpr Bitboard kFirstAndLast = row(0) | row(7);
/// Rows relative to their side, 0 … 7.
constexpr Bitboard row_of(Colour c, int r) {
  return row(c == Colour::White ? r : 7 - r);
}
/// The square `ranks` rows ahead of `s` for a pawn of `c` (negative: behind). Must be on the board.
constexpr Square ahead(Colour c, Square s, int ranks) {
  return static_cast<Square>(c == Colour::White ? s + 8 * ranks : s - 8 * ranks);
}
/// A pawn of `c` may be anywhere but on its last row.
constexpr Bitboard last_row(Colour c) {
  return row_of(c, 7);
}

}  // namespace faultline::square_board_sets
