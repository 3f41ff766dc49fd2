// Family-independent settings of a game and its players: limits, ends, move selection.
#pragma once

#include <optional>
#include <random>
#include <string>

#include "rules/types.h"
#include "search/search_result.h"

namespace faultline {

/// The search budget of a player.
struct SearchBudget {
  SearchLimits full;
  /// Limits of searches whose moves are played but are not policy targets (playout cap
  /// randomization, Wu 2019).
  SearchLimits reduced = {};
  /// Share of full searches.
  double full_probability = 1;
  /// Moves without a choice have reduced searches in any case. `full_probability` is then the share
  /// of them that are policy targets.
  bool forced_reduced = false;
};

/// Selects the move to play from a search result.
struct MoveChoice {
  float temperature = 0;        // a move is picked with probability ~ policy target^(1/temperature)
  int temperature_plies = 0;    // counted from the start of the game; after that
  float final_temperature = 0;  // 0: the best move

  /// `ply`: plies played before the move.
  Move choose(const SearchResult& result, int ply, std::mt19937_64& rng) const {
    return pick_move(result, ply < temperature_plies ? temperature : final_temperature, rng);
  }
};

/// When a player resigns: after `moves` consecutive own moves whose root value was below `below`.
struct Resignation {
  double below = 0;  // win - loss; 0: never
  int moves = 1;
};

struct GameRules {
  int max_plies = 0;       // counted from the start of the history; then Adjudicated. 0: no limit
  bool may_resign = true;  // false: resignations are recorded but not carried out
};

struct GameEnd {
  Outcome outcome = Outcome::Ongoing;
  bool resigned = false;  // the game was resigned, not ended on the board
  /// Not empty if the loser's searcher failed (SearcherFailure): what happened.
  std::string failure = {};
  /// If resigning is disabled: the player who would have resigned first.
  std::optional<Colour> would_have_resigned = std::nullopt;
};

}  // namespace faultline
