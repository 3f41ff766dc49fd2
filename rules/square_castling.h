// Castling on the 8×8 board with king and rooks on their usual squares, for all families that have
// it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/fen.h"
#include "rules/generator.h"
#include "rules/piece_board.h"
#include "rules/position.h"
#include "rules/square_board.h"
#include "rules/square_text.h"

namespace faultline::square_castling {

/// One right to castle. Sets of rights are bits: 1 K, 2 Q, 4 k, 8 q.
struct Side {
  unsigned right;
  Colour colour;
  Square king_from, king_to, rook_from, rook_to;
  Bitboard empty;       // between king and rook
  Square king_crosses;  // must not be attacked; king_from and king_to neither
  constexpr Bitboard changes() const {
    return square_set<Bitboard>(king_from) ^ square_set<Bitboard>(king_to) ^
           square_set<Bitboard>(rook_from) ^ square_set<Bitboard>(rook_to);
  }
};

constexpr Bitboard squares(Square from, Square to) {
  Bitboard set = 0;
  for (Square s = from; s <= to; ++s)
    set |= square_set<Bitboard>(s);
  return set;
}

inline constexpr std::array<Side, 4> kSides = {{
    {1, Colour::White, 4, 6, 7, 5, squares(5, 6), 5},
    {2, Colour::White, 4, 2, 0, 3, squares(1, 3), 3},
    {4, Colour::Black, 60, 62, 63, 61, squares(61, 62), 61},
    {8, Colour::Black, 60, 58, 56, 59, squares(57, 59), 59},
}};

constexpr Side side_of_move(Square king_from, Square king_to) {
  return kSides[(king_from >= 56 ? 2U : 0U) + (king_to < king_from ? 1U : 0U)];
}

/// The rights that survive a move from or to each square.
inline constexpr std::array<std::uint8_t, 64> kRightsKept = [] {
  std::array<std::uint8_t, 64> kept{};
  kept.fill(15);
  for (const Side& side : kSides) {
    kept[side.king_from] = static_cast<std::uint8_t>(kept[side.king_from] & ~side.right);
    kept[side.rook_from] = static_cast<std::uint8_t>(kept[side.rook_from] & ~side.right);
  }
  return kept;
}();

/// The rights whose king and rook are on their home squares.
inline unsigned possible_rights(const OrthodoxBoard& board) {
  unsigned rights = 0;
  for (const Side& side : kSides)
    if (contains(board.of(side.colour, PieceType::King), side.king_from) &&
        contains(board.of(side.colour, PieceType::Rook), side.rook_from))
      rights |= side.right;
  return rights;
}

/// The rights that survive a move.
inline unsigned kept_after(Move move) {
  return kRightsKept[move.from()] & kRightsKept[move.to()];
}

/// FEN's castling field. Also throws FenError for a right whose king or rook is not on its home
/// square.
inline std::uint8_t read_rights(std::string_view field, const OrthodoxBoard& board) {
  const unsigned rights = read_castling_letters(field);
  for (const Side& side : kSides)
    if (rights & side.right & ~possible_rights(board))
      throw FenError("castling", "a right to castle needs the king on " +
                                     square_name(side.king_from) + " and the rook on " +
                                     square_name(side.rook_from));
  return static_cast<std::uint8_t>(rights);
}

/// Calls `emit(move)` for each castling of `us`, whose king is not in check. `blocked`: pieces, and
/// squares that no line may pass.
template <Colour us, class Tables, class Emit>
void generate(const Tables& tables, const OrthodoxBoard& board, unsigned rights, Bitboard blocked,
              Emit&& emit) {
  for (const Side& side : kSides) {
    if (!(rights & side.right) || side.colour != us || (blocked & side.empty)) continue;
    // The squares as if the king were there, and its destination again after the rook's move.
    if (any(attackers(tables, board, side.king_crosses, ~us, blocked)) ||
        any(attackers(tables, board, side.king_to, ~us, blocked)) ||
        any(attackers(tables, board, side.king_to, ~us, blocked ^ side.changes())))
      continue;
    emit(Move(side.king_from, side.king_to, MoveKind::Castling));
  }
}

}  // namespace faultline::square_castling
