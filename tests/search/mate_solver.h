// Mates proven by trying every move of both sides: what the searches are judged by.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "rules/position.h"

namespace faultline::test {

/// Plain AND/OR search without pruning, tables or evaluation. Throws BudgetSpent after `budget`
/// positions.
class MateSolver {
 public:
  struct BudgetSpent : std::runtime_error {
    BudgetSpent() : std::runtime_error("the mate solver's budget is spent") {}
  };

  explicit MateSolver(std::uint64_t budget = std::numeric_limits<std::uint64_t>::max())
      : budget_(budget) {}

  /// Whether the side to move can force mate in at most `plies` plies, its own mating move
  /// included.
  template <Position P>
  bool mates_within(const P& position, int plies) {
    if (plies <= 0) return false;
    typename P::MoveList moves;
    if (!enter(position, moves)) return false;
    for (const Move move : moves) {
      P next = position;
      next.play(move);
      if (is_mated_within(next, plies - 1)) return true;
    }
    return false;
  }
  /// Whether the side to move is mated, or is forced to be in at most `plies` plies.
  template <Position P>
  bool is_mated_within(const P& position, int plies) {
    if (plies < 2) return is_mated(position);
    typename P::MoveList moves;
    if (!enter(position, moves)) return is_mated(position);
    for (const Move move : moves) {
      P next = position;
      next.play(move);
      if (!mates_within(next, plies - 1)) return false;
    }
    return true;
  }

  std::uint64_t positions() const { return positions_; }

 private:
  template <Position P>
  bool is_mated(const P& position) {
    count();
    return position.in_check() && score_for(position.outcome(position.count_legal_moves() > 0),
                                            position.side_to_move()) < 0;
  }
  /// Lists the moves; false if the game is over.
  template <Position P>
  bool enter(const P& position, typename P::MoveList& moves) {
    count();
    position.legal_moves(moves);
    return !is_over(position.outcome(!moves.empty()));
  }
  void count() {
    if (++positions_ > budget_) throw BudgetSpent();
  }

  std::uint64_t budget_;
  std::uint64_t positions_ = 0;
};

}  // namespace faultline::test
