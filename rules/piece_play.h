// A piece's move on any board: what it takes away, what it puts down, the key kept up to date.
#pragma once

#include <cstdint>

#include "rules/move.h"
#include "rules/piece_board.h"
#include "rules/zobrist.h"

namespace faultline {

struct PiecePlayed {
  bool pawn = false;      // a pawn moved
  bool captured = false;  // something was taken
  bool promoted = false;
  bool progress() const { return pawn || captured; }
  /// No earlier position can come again where pawns may come back.
  bool changed_pieces() const { return captured || promoted; }
};

/// Moves a piece of `us` from the move's first square to its second, takes what the enemy has on
/// `captured_on`, and promotes. A castling rook, rights, counters and the side to move are the
/// caller's. `key_base`: what the variant adds to this board's squares to number them.
template <class Board>
PiecePlayed move_piece(Board& board, std::uint64_t& key, Colour us, Move move, Square captured_on,
                       Square key_base = 0) {
  const Colour them = ~us;
  const auto piece_key = [&](Colour c, PieceType t, Square s) {
    return zobrist::piece(c, t, static_cast<Square>(key_base + s));
  };
  const PieceType type = board.type_at(move.from());
  PiecePlayed played{.pawn = type == PieceType::Pawn,
                     .promoted = move.kind() == MoveKind::Promotion};
  if (contains(board.of(them), captured_on)) {
    const PieceType captured = board.type_at(captured_on);
    board.toggle(them, captured, captured_on);
    key ^= piece_key(them, captured, captured_on);
    played.captured = true;
  }
  const PieceType placed = played.promoted ? move.promotion() : type;
  board.toggle(us, type, move.from());
  board.toggle(us, placed, move.to());
  key ^= piece_key(us, type, move.from()) ^ piece_key(us, placed, move.to());
  return played;
}

/// Moves the rook of a castling.
template <class Board>
void move_rook(Board& board, std::uint64_t& key, Colour us, Square from, Square to,
               Square key_base = 0) {
  for (const Square s : {from, to}) {
    board.toggle(us, PieceType::Rook, s);
    key ^= zobrist::piece(us, PieceType::Rook, static_cast<Square>(key_base + s));
  }
}

}  // namespace faultline
