// A game's position history, for draws by repetition (docs/rules.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/position.h"

namespace faultline {

/// The keys of all positions of a game so far, the current one last.
class KeyHistory {
 public:
  void clear() { keys_.clear(); }
  void push(std::uint64_t key) { keys_.push_back(key); }
  void pop() { keys_.pop_back(); }
  std::size_t size() const { return keys_.size(); }
  std::uint64_t back() const { return keys_.back(); }
  std::uint64_t operator[](std::size_t i) const { return keys_[i]; }

  /// How often the last position occurred before within the last `window` plies. Positions with the
  /// same side to move are an even number of plies apart; two are enough in games where a side can
  /// pass (escher) or move the board back (shifting).
  int repetitions(int window) const {
    int found = 0;
    const auto last = static_cast<int>(keys_.size()) - 1;
    const int first = std::max(0, last - window);
    for (int i = last - 2; i >= first; i -= 2)
      if (keys_[static_cast<std::size_t>(i)] == keys_.back()) ++found;
    return found;
  }

 private:
  std::vector<std::uint64_t> keys_;
};

/// A game in progress: the position, the history needed for the draw rules, and the moves played.
template <Position P>
class PositionHistory {
 public:
  explicit PositionHistory(const P& start) : start_(start), position_(start) {
    history_.push(start.key());
  }

  const P& start() const { return start_; }
  const P& position() const { return position_; }
  const KeyHistory& keys() const { return history_; }
  int plies() const { return static_cast<int>(history_.size()) - 1; }
  /// The moves played since the start of the history: plies() of them.
  std::span<const Move> moves() const { return moves_; }

  void play(Move move) {
    position_.play(move);
    history_.push(position_.key());
    moves_.push_back(move);
  }

  /// How often the current position occurred before in this game.
  int repetitions() const { return history_.repetitions(position_.repetition_window()); }

  /// The outcome including history: mate, stalemate, bare kings, 100 plies, repetition, in this
  /// order.
  Outcome outcome(bool any_legal_move) const {
    const Outcome o = position_.outcome(any_legal_move);
    if (is_over(o)) return o;
    return repetitions() >= 2 ? Outcome::Repetition : Outcome::Ongoing;
  }
  Outcome outcome() const { return outcome(position_.count_legal_moves() > 0); }

 private:
  P start_;
  P position_;
  KeyHistory history_;
  std::vector<Move> moves_;
};

}  // namespace faultline
