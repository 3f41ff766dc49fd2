// Making a piece's move on any board, with incremental updates of the key.
#pragma once

#include <cstdint>

#include "rules/move.h"
#include "rules/piece_board.h"
#include "rules/zobrist.h"

namespace faultline {

struct PiecePlayed {
  bool pawn = false;      // a pawn moved
  bool captured = false;  // a piece was captured
  bool promoted = false;
  bool progress() const { return pawn || captured; }
  /// Whether the move is irreversible in games where pawns can move back.
  bool changed_pieces() const { return captured || promoted; }
};

/// Moves a piece of `us` from the move's first square to its second, captures any enemy piece on
/// `captured_on`, and promotes. The caller handles a castling rook, rights, counters and the side
/// to move. `key_base`: the offset of this board's squares in the variant's numbering.
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
