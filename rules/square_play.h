// A piece's move on the 8×8 board: what it takes away, what it puts down, the key kept up to date.
#pragma once

#include <cstdint>

#include "rules/move.h"
#include "rules/piece_board.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/zobrist.h"

namespace faultline {

struct PiecePlayed {
  bool pawn = false;      // a pawn moved
  bool captured = false;  // something was taken
  bool promoted = false;
  bool progress() const { return pawn || captured; }
};

/// Plays a piece's move of `us` (castling, en passant and promotion included) on `board` and in
/// `key`. Rights, counters and the side to move are the caller's. `key_base`: what the variant adds
/// to this board's squares to number them.
inline PiecePlayed play_piece(OrthodoxBoard& board, std::uint64_t& key, Colour us, Move move,
                              Square key_base = 0) {
  using square_board_sets::ahead;
  const Colour them = ~us;
  const auto piece_key = [&](Colour c, PieceType t, Square s) {
    return zobrist::piece(c, t, static_cast<Square>(key_base + s));
  };
  const Square from = move.from();
  const Square to = move.to();
  const MoveKind kind = move.kind();
  const PieceType type = board.type_at(from);
  PiecePlayed played{.pawn = type == PieceType::Pawn, .promoted = kind == MoveKind::Promotion};

  const Square captured_on = kind == MoveKind::EnPassant ? ahead(us, to, -1) : to;
  if (contains(board.of(them), captured_on)) {
    const PieceType captured = board.type_at(captured_on);
    board.toggle(them, captured, captured_on);
    key ^= piece_key(them, captured, captured_on);
    played.captured = true;
  }
  const PieceType placed = played.promoted ? move.promotion() : type;
  board.toggle(us, type, from);
  board.toggle(us, placed, to);
  key ^= piece_key(us, type, from) ^ piece_key(us, placed, to);

  if (kind == MoveKind::Castling) {
    const auto side = square_castling::side_of_move(from, to);
    board.toggle(us, PieceType::Rook, side.rook_from);
    board.toggle(us, PieceType::Rook, side.rook_to);
    key ^= piece_key(us, PieceType::Rook, side.rook_from) ^
           piece_key(us, PieceType::Rook, side.rook_to);
  }
  return played;
}

}  // namespace faultline
