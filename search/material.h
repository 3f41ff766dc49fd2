// Material: what the pieces are worth, in every family.
#pragma once

#include <algorithm>
#include <cstddef>

#include "rules/position.h"

namespace faultline {

/// In centipawns; 0 for PieceType::None.
template <Position P>
int piece_value(const P& position, PieceType t) {
  return position.piece_values()[static_cast<std::size_t>(index(t))];
}
inline constexpr int kPawnValue = kPieceValues[index(PieceType::Pawn)];

/// The side to move's material less the opponent's, in centipawns, over all levels.
template <Position P>
int material_balance(const P& position) {
  int white = 0;
  position.for_each_piece([&](Colour c, PieceType t, Square) {
    const int value = piece_value(position, t);
    white += c == Colour::White ? value : -value;
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
      return position.en_passant_type();
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
    value = std::max(1, 16 * piece_value(position, victim) + 1000 -
                            piece_value(position, position.piece_at(move.from()).type));
  if (move.kind() == MoveKind::Promotion)
    value += std::max(1, 16 * (piece_value(position, move.promotion()) - kPawnValue));
  return value;
}

/// Whether a static evaluation can be expected to equal a search's: the position is not in check,
/// and its best move neither captures nor promotes.
template <Position P>
bool is_quiet(const P& position, Move best) {
  return !position.in_check() && tactical_value(position, best) == 0;
}

}  // namespace faultline
