// What a predicate is asked about: a position, and a legal move in it.
#pragma once

#include "rules/position.h"
#include "search/move_bias.h"

namespace faultline {

/// A position whose side to move follows a strategy, and one of its legal moves after the other.
/// The position after a move is played when it is first asked for.
template <Position P>
class Turn {
 public:
  /// All must outlive it. `first_mover`: the side that begins the game.
  Turn(const P& before, const LineKeys& line, Colour first_mover)
      : before_(&before), line_(&line), first_mover_(first_mover) {}

  void set_move(Move move) {
    move_ = move;
    has_played_ = false;
  }

  const P& before() const { return *before_; }
  Colour mover() const { return before_->side_to_move(); }
  /// Plies since the start of the game, by the position's own counter: that of a position text
  /// counts, too.
  int ply() const {
    return 2 * (before_->full_move_number() - 1) + (mover() == first_mover_ ? 0 : 1);
  }

  Move move() const { return move_; }
  /// Whether a piece moves, and not the board.
  bool moves_piece() const { return !move_.moves_board(); }
  /// The type of the piece that moves; None for a board movement.
  PieceType piece() const {
    return moves_piece() ? before_->piece_at(move_.from()).type : PieceType::None;
  }
  /// The position after the move, with everything that it sets off.
  const P& after() const {
    if (!has_played_) {
      after_ = *before_;
      after_.play(move_);
      has_played_ = true;
    }
    return after_;
  }
  /// Whether the position after the move occurred before, in the game or on the line searched.
  bool repeats() const { return line_->contain(after().key(), after().repetition_window()); }

 private:
  const P* before_;
  const LineKeys* line_;
  Colour first_mover_;
  Move move_ = Move::none();
  mutable P after_{};
  mutable bool has_played_ = false;
};

}  // namespace faultline
