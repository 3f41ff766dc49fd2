// Move ordering of the alpha-beta search: the table's move, captures, killers, history.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "search/material.h"

namespace faultline {

struct ScoredMove {
  Move move;
  int score;
};

/// How well quiet moves have done in this search, by side, moving piece and destination (the
/// history heuristic, Schaeffer 1989, with the bounded update that chess engines use).
template <Position P>
class MoveHistory {
 public:
  static constexpr int kMost = 8192;

  void clear() { values_.fill(0); }
  /// Keeps what earlier searches have learned at half its weight.
  void age() {
    for (std::int16_t& value : values_)
      value = static_cast<std::int16_t>(value / 2);
  }
  int of(const P& position, Move move) const { return values_[slot(position, move)]; }
  /// Moves the value towards ±kMost by a share of `bonus`.
  void reward(const P& position, Move move, int bonus) {
    std::int16_t& value = values_[slot(position, move)];
    value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / kMost);
  }

 private:
  // Squares, and beyond them the amounts of board movements without squares.
  static constexpr std::size_t kDestinations = 512;

  static std::size_t slot(const P& position, Move move) {
    const bool has_squares = move.has_squares();
    const PieceType piece = has_squares ? position.piece_at(move.from()).type : PieceType::None;
    const int row = std::min(index(piece), P::kTypes);  // the last one is None's
    const int amount = kMaxSquares + (move.by_ranks() ? 24 : 8) + move.amount();
    const std::size_t to = has_squares ? std::size_t{move.to()} : static_cast<std::size_t>(amount);
    return static_cast<std::size_t>(index(position.side_to_move()) * (P::kTypes + 1) + row) *
               kDestinations +
           to;
  }

  std::array<std::int16_t, 2 * (P::kTypes + 1) * kDestinations> values_{};
};

/// The two quiet moves that last refuted a position at one ply.
struct Killers {
  std::array<Move, 2> moves = {Move::none(), Move::none()};

  void add(Move move) {
    if (moves[0] == move) return;
    moves[1] = moves[0];
    moves[0] = move;
  }
};

/// Whether the move promotes to a piece of less than three fifths of the value of the best one that
/// the mover can become.
template <Position P>
bool is_underpromotion(const P& position, Move move) {
  if (move.kind() != MoveKind::Promotion) return false;
  const int best = position.best_promotion(position.piece_at(move.from()).type);
  return best > 0 && 5 * piece_value(position, move.promotion()) < 3 * best;
}

/// Orders of magnitude: the table's move, captures and promotions, killers, the rest by history.
inline constexpr int kTableMoveOrder = 1 << 30;
inline constexpr int kTacticalOrder = 1 << 20;
inline constexpr int kKillerOrder = 1 << 19;

template <Position P>
int move_order(const P& position, Move move, Move table_move, const Killers& killers,
               const MoveHistory<P>& history) {
  if (move == table_move) return kTableMoveOrder;
  if (const int gain = tactical_value(position, move); gain != 0) {
    if (is_underpromotion(position, move)) return -kTacticalOrder + gain;  // last
    return kTacticalOrder + gain;
  }
  if (move == killers.moves[0]) return kKillerOrder + 1;
  if (move == killers.moves[1]) return kKillerOrder;
  return history.of(position, move);
}

/// The best of the moves from `next` on is moved there. The first ones are picked one at a time, as
/// a cutoff often makes the others unnecessary; then the rest is sorted at once. Equal moves keep a
/// fixed order.
inline Move pick_next(std::span<ScoredMove> moves, std::size_t next) {
  constexpr std::size_t kPicked = 6;
  if (next < kPicked) {
    const auto best = std::ranges::max_element(moves.subspan(next), {}, &ScoredMove::score);
    std::swap(moves[next], *best);
  } else if (next == kPicked) {
    std::ranges::sort(moves.subspan(next), [](const ScoredMove& a, const ScoredMove& b) {
      return a.score != b.score ? a.score > b.score : a.move.bits() < b.move.bits();
    });
  }
  return moves[next].move;
}

}  // namespace faultline
