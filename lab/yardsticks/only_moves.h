// Positions in which one move is far better than all others.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "lab/yardsticks/mate_puzzles.h"
#include "search/centipawns.h"

namespace faultline {

/// Centipawns by which the only move is better than the second best.
inline constexpr int kOnlyMoveGap = 300;

/// The score, within 2,000 centipawns, whose evaluation has this value, win - loss.
inline int centipawns_of_value(float value) {
  constexpr int kMost = 2000;
  int low = -kMost;
  int high = kMost;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (evaluation_of_centipawns(middle).value() < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Whether values, win - loss, say that the best move is the only one, in a position that is not
/// decided: by scores within 1,000 centipawns. `second`: the value of all other moves together.
inline bool is_only_move(float best, float second) {
  constexpr int kDecided = 1000;
  const int score = centipawns_of_value(best);
  return std::abs(score) <= kDecided && score - centipawns_of_value(second) >= kOnlyMoveGap;
}

/// The legal moves but one.
template <Position P>
std::vector<Move> other_moves(const P& position, Move move) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  std::vector<Move> others(moves.begin(), moves.end());
  std::erase(others, move);
  return others;
}

/// The first position of a game with an only move by a small search and by one of ten times as many
/// nodes, which a search of depth 1 would not play; nullopt if it has none.
template <Position P>
std::optional<P> find_only_move(const typename P::Variant& variant, std::uint64_t seed) {
  constexpr std::uint64_t kNodes = 1500;
  constexpr int kMostPlies = 160;
  PracticeGame<P> game(variant, seed, kNodes);
  const auto other = make_alpha_beta_searcher<P>({.table_mb = 4});
  const auto is_only = [&](const SearchResult& best, std::uint64_t nodes) {
    const std::vector<Move> others = other_moves(game.position(), best.move);
    return !others.empty() &&
           is_only_move(
               best.value.value(),
               game.search(*other, {.nodes = nodes, .search_moves = others}).value.value());
  };
  while (game.plies() < kMostPlies && !game.is_over()) {
    const SearchResult result = game.search();
    const Move obvious = game.search(*other, {.depth = 1}).move;
    if (result.move != obvious && is_only(result, kNodes)) {
      const SearchResult best = game.search(*other, {.nodes = 10 * kNodes});
      if (best.move != obvious && is_only(best, 10 * kNodes)) return game.position();
    }
    game.play(result);
  }
  return std::nullopt;
}

}  // namespace faultline
