// A player: what finds its moves, what evaluates positions for it, how it picks and when it
// resigns.
#pragma once

#include <memory>
#include <random>
#include <utility>

#include "search/searcher.h"

namespace faultline {

/// What a player's searches may cost.
struct SearchBudget {
  SearchLimits full;
  /// Of the searches whose moves are played but are no policy targets (playout cap randomization,
  /// Wu 2019).
  SearchLimits reduced = {};
  double full_probability = 1;  // share of full searches
};

/// From a search's result to the move that is played.
struct MoveChoice {
  float temperature = 0;        // a move is picked with probability ~ policy target^(1/temperature)
  int temperature_plies = 0;    // of the game, counted from its start; then comes
  float final_temperature = 0;  // 0: the best move

  /// `ply`: plies played before the move.
  Move choose(const SearchResult& result, int ply, std::mt19937_64& rng) const {
    return pick_move(result, ply < temperature_plies ? temperature : final_temperature, rng);
  }
};

/// When a player resigns: after `moves` own moves in a row whose root value was below `below`.
struct Resignation {
  double below = 0;  // win - loss; 0: never
  int moves = 1;
};

/// One side of one game. Without a searcher its moves come from outside (GameDriver::play).
template <Position P>
struct Player {
  /// Of this game alone. The two sides of a game may share one, which then keeps what it has found
  /// for one side when the other is to move (self-play).
  std::shared_ptr<Searcher<P>> searcher;
  /// Shared with other games; null where the searcher adds no leaves. Must outlive the player.
  Evaluator<P>* evaluator = nullptr;
  SearchBudget budget = {};
  MoveChoice choice = {};
  Resignation resignation = {};
};

}  // namespace faultline
