// What holds for a game and its players whatever the family: limits, ends, how moves are picked.
#pragma once

#include <optional>
#include <random>

#include "rules/types.h"
#include "search/search_result.h"

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

struct GameRules {
  int max_plies = 0;       // counted from the start of the history; then Adjudicated. 0: no limit
  bool may_resign = true;  // false: resignations are noted and not made
};

struct GameEnd {
  Outcome outcome = Outcome::Ongoing;
  bool resigned = false;  // the outcome was given up, not reached on the board
  /// Where nobody may resign: who would have been the first to.
  std::optional<Colour> would_have_resigned = std::nullopt;
};

}  // namespace faultline
