// Making a piece's move on the 8×8 board, castling and en passant included, and en passant squares.
#pragma once

#include <cstdint>
#include <string>

#include "rules/fen.h"
#include "rules/piece_play.h"
#include "rules/position.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_text.h"

namespace faultline {

/// The square of the piece that a move captures, if any; ranks are adjacent as in chess.
inline Square captured_on(Colour us, Move move) {
  return move.kind() == MoveKind::EnPassant ? square_board_sets::ahead(us, move.to(), -1)
                                            : move.to();
}

/// Does as move_piece() of rules/piece_play.h, and moves the rook when castling.
inline PiecePlayed play_piece(OrthodoxBoard& board, std::uint64_t& key, Colour us, Move move,
                              Square captured_on, Square key_base = 0) {
  const PiecePlayed played = move_piece(board, key, us, move, captured_on, key_base);
  if (move.kind() == MoveKind::Castling) {
    const auto side = square_castling::side_of_move(move.from(), move.to());
    move_rook(board, key, us, side.rook_from, side.rook_to, key_base);
  }
  return played;
}
inline PiecePlayed play_piece(OrthodoxBoard& board, std::uint64_t& key, Colour us, Move move) {
  return play_piece(board, key, us, move, captured_on(us, move));
}

/// kOrthodoxStart on a board without some of its empty squares.
inline std::string orthodox_start_without(Bitboard missing) {
  FenPlacement placement;
  read_placement(kOrthodoxStart, square_board_rows(), "PNBRQK", false, placement);
  for_each_square(missing, [&](Square s) { placement.missing.set(s); });
  return write_placement(square_board_rows(), placement);
}

/// Makes queens of the pawns of `c` on its last row, where only the board can have carried them,
/// and returns them.
inline Bitboard promote_carried(OrthodoxBoard& board, Colour c) {
  const Bitboard queens = board.of(c, PieceType::Pawn) & square_board_sets::last_row(c);
  if (!queens) return queens;
  board.toggle(c, PieceType::Pawn, queens);
  board.toggle(c, PieceType::Queen, queens);
  return queens;
}

/// Throws FenError "en passant" unless a pawn of `them` may just have stepped over `s`, which must
/// be on one of `rows`: it is ahead of `s`, and neither `s` nor its origin is `blocked`.
inline void require_step_over(const OrthodoxBoard& board, Colour them, Square s, Bitboard rows,
                              Bitboard blocked) {
  using square_board_sets::ahead;
  if (!contains(rows, s))
    throw FenError("en passant", "the square is not on a row that a double step passes");
  const Bitboard left_empty = square_set<Bitboard>(s) | square_set<Bitboard>(ahead(them, s, -1));
  if (board.at(ahead(them, s, 1)) != Piece{PieceType::Pawn, them} || (blocked & left_empty))
    throw FenError("en passant", "no pawn has just passed over " + square_name(s));
}

}  // namespace faultline
