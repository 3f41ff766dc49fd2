// Mates proven by trying every move of both sides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rules/position.h"

namespace faultline {

/// An AND/OR search without evaluation or pruning, with a table of what is proven. Draws by
/// repetition are no part of it: no line to a shortest mate repeats a position.
template <Position P>
class MateProver {
 public:
  /// `budget`: positions, after which nothing further is proven.
  explicit MateProver(std::uint64_t budget) : budget_(budget) {}

  /// The moves after which the other side is mated in at most `moves` moves, this one included.
  /// Complete unless is_spent().
  std::vector<Move> mating_moves(const P& position, int moves) {
    std::vector<Move> found;
    if (moves < 1) return found;
    typename P::MoveList list;
    position.legal_moves(list);
    for (const Move move : list) {
      P next = position;
      next.play(move);
      if (is_lost(next, moves - 1)) found.push_back(move);
    }
    return found;
  }
  /// Whether the budget has ended a search, whose results mean nothing then.
  bool is_spent() const { return positions_ > budget_; }
  std::uint64_t positions() const { return positions_; }

 private:
  struct Known {
    int mates_in = kNever;  // at most so many moves are needed
    int not_in = 0;         // so many are too few
  };
  static constexpr int kNever = 1000;

  /// Whether the side to move mates in at most `moves`, at least 1.
  bool mates(const P& position, int moves) {
    if (++positions_ > budget_) return false;
    const std::uint64_t key = position.key();
    if (moves > 1) {
      const Known& known = known_[key];
      if (known.mates_in <= moves) return true;
      if (known.not_in >= moves) return false;
    }
    typename P::MoveList list;
    position.legal_moves(list);
    if (is_over(position.outcome(!list.empty()))) return false;
    bool any = false;
    for (std::size_t i = 0; i < list.size() && !any; ++i) {
      P next = position;
      next.play(list[i]);
      any = is_lost(next, moves - 1);
    }
    if (is_spent()) return false;
    if (moves > 1) {
      Known& known = known_[key];
      if (any)
        known.mates_in = moves;
      else
        known.not_in = moves;
    }
    return any;
  }
  /// Whether the side to move is mated, or whatever it plays in at most `moves` moves of the other.
  bool is_lost(const P& position, int moves) {
    if (moves == 0 && !position.in_check()) return false;
    if (++positions_ > budget_) return false;
    if (moves == 0) return is_mated(position, position.count_legal_moves() > 0);
    typename P::MoveList list;
    position.legal_moves(list);
    if (list.empty()) return is_mated(position, false);
    if (is_over(position.outcome(true))) return false;
    // What has refuted a move often refutes the next one.
    Move& refutation = refutations_.at(static_cast<std::size_t>(moves) % kDepths);
    for (const bool first : {true, false})
      for (const Move move : list) {
        if ((move == refutation) != first) continue;
        P next = position;
        next.play(move);
        if (mates(next, moves)) continue;
        refutation = move;
        return false;
      }
    return true;
  }
  static bool is_mated(const P& position, bool any_legal_move) {
    return position.in_check() &&
           score_for(position.outcome(any_legal_move), position.side_to_move()) < 0;
  }

  static constexpr std::size_t kDepths = 16;
  std::uint64_t budget_;
  std::uint64_t positions_ = 0;
  std::unordered_map<std::uint64_t, Known> known_;  // by key
  std::array<Move, kDepths> refutations_{};         // by moves left
};

}  // namespace faultline
