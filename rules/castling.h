// Castling on any board whose kings and rooks begin on fixed squares.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/fen.h"
#include "rules/generator.h"
#include "rules/position.h"

namespace faultline {

/// One right to castle. Sets of rights are bits: 1 K, 2 Q, 4 k, 8 q.
template <class B>
struct CastlingSide {
  unsigned right = 0;
  Colour colour = Colour::White;
  Square king_from = 0, king_to = 0, rook_from = 0, rook_to = 0;  // the king crosses rook_to
  B empty{};                                                      // between king and rook

  constexpr B changes() const {
    return square_set<B>(king_from) ^ square_set<B>(king_to) ^ square_set<B>(rook_from) ^
           square_set<B>(rook_to);
  }
};
template <class B>
using CastlingSides = std::array<CastlingSide<B>, 4>;

/// The rights whose king and rook are on their home squares.
template <class B, class Board>
unsigned possible_castling(const CastlingSides<B>& sides, const Board& board) {
  unsigned rights = 0;
  for (const CastlingSide<B>& side : sides)
    if (contains(board.of(side.colour, PieceType::King), side.king_from) &&
        contains(board.of(side.colour, PieceType::Rook), side.rook_from))
      rights |= side.right;
  return rights;
}

/// FEN's castling field. Also throws FenError for a right whose king or rook is not on its home
/// square; `name_of(square)`.
template <class B, class Board, class NameOf>
std::uint8_t read_castling(std::string_view field, const CastlingSides<B>& sides,
                           const Board& board, NameOf&& name_of) {
  const unsigned rights = read_castling_letters(field);
  for (const CastlingSide<B>& side : sides)
    if (rights & side.right & ~possible_castling(sides, board))
      throw FenError("castling", "a right to castle needs the king on " + name_of(side.king_from) +
                                     " and the rook on " + name_of(side.rook_from));
  return static_cast<std::uint8_t>(rights);
}

/// Calls `emit(move)` for each castling of `us`, whose king is not in check. `blocked`: pieces, and
/// squares that no line may pass.
template <Colour us, class Tables, class Board, class B, class Emit>
void generate_castling(const Tables& tables, const Board& board, const CastlingSides<B>& sides,
                       unsigned rights, B blocked, Emit&& emit) {
  for (const CastlingSide<B>& side : sides) {
    if (!(rights & side.right) || side.colour != us || any(blocked & side.empty)) continue;
    // The squares as if the king were there, and its destination again after the rook's move.
    if (any(attackers(tables, board, side.rook_to, ~us, blocked)) ||
        any(attackers(tables, board, side.king_to, ~us, blocked)) ||
        any(attackers(tables, board, side.king_to, ~us, blocked ^ side.changes())))
      continue;
    emit(Move(side.king_from, side.king_to, MoveKind::Castling));
  }
}

}  // namespace faultline
