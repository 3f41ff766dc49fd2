// Material: what the pieces are worth, in every family.
#pragma once

#include <array>
#include <cstddef>

#include "rules/position.h"

namespace faultline {

/// Centipawns. The orthodox pieces have the classical values in the form of Michniewski's
/// "Simplified Evaluation Function". The others are estimates by analogy: a chancellor, rook and
/// knight in one, is worth nearly a queen; an ultra reaches sixteen squares without being blocked,
/// twice as many as a knight. A king is not material.
inline constexpr std::array<int, kPieceTypes + 1> kPieceValues = {100, 320, 330, 500, 900,
                                                                  0,   850, 650, 0};
constexpr int piece_value(PieceType t) {
  return kPieceValues[static_cast<std::size_t>(index(t))];
}

/// The side to move's material less the opponent's, in centipawns, over all levels.
template <Position P>
int material_balance(const P& position) {
  int white = 0;
  position.for_each_piece([&](Colour c, PieceType t, Square) {
    white += c == Colour::White ? piece_value(t) : -piece_value(t);
  });
  return position.side_to_move() == Colour::White ? white : -white;
}

/// What the move takes: PieceType::None for a quiet move. Pieces that vanish with a level (inferno)
/// are not counted.
template <Position P>
PieceType captured_type(const P& position, Move move) {
  switch (move.kind()) {
    case MoveKind::Normal:
    case MoveKind::Promotion:
      return position.piece_at(move.to()).type;
    case MoveKind::EnPassant:
      return PieceType::Pawn;
    default:
      return PieceType::None;
  }
}

/// Captures by most valuable victim, then least valuable attacker: a number above 0 for a capture
/// or a promotion, 0 for other moves.
template <Position P>
int tactical_value(const P& position, Move move) {
  const PieceType victim = captured_type(position, move);
  int value = 0;
  if (victim != PieceType::None)
    value = 16 * piece_value(victim) + 1000 - piece_value(position.piece_at(move.from()).type);
  if (move.kind() == MoveKind::Promotion)
    value += 16 * (piece_value(move.promotion()) - piece_value(PieceType::Pawn));
  return value;
}

/// Whether a static evaluation can be expected to equal a search's: the position is not in check,
/// and its best move neither captures nor promotes.
template <Position P>
bool is_quiet(const P& position, Move best) {
  return !position.in_check() && tactical_value(position, best) == 0;
}

}  // namespace faultline
