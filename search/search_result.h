// What a search is asked for and what it answers, whatever the game.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "rules/move.h"
#include "search/evaluation.h"
#include "search/root_moves.h"

namespace faultline {

/// When a search ends: at the limit that is reached first. At least one must be set, or the search
/// runs until `stop`; a searcher that knows no such unit (visits in an alpha-beta search, say)
/// ignores the limit.
struct SearchLimits {
  /// Visits of the root, those kept from an earlier search included. 0: no limit.
  std::uint32_t visits = 0;
  /// Visits of the root that this search makes. 0: no limit.
  std::uint32_t new_visits = 0;
  /// Positions that this search has evaluated. 0: no limit.
  std::uint32_t evaluations = 0;
  /// Since start(). At least one evaluation is made.
  std::optional<std::chrono::steady_clock::duration> time = std::nullopt;
  /// Only these moves are considered at the root, all legal; empty: every legal move.
  std::vector<Move> search_moves = {};
  /// Ends the search once it is true; may be set from any thread. Null: none.
  const std::atomic<bool>* stop = nullptr;

  /// Leaves that may wait for their evaluation at a time; at least 1.
  std::uint32_t leaves = 1;
  /// Mixes noise into the root's priors (SearchParams::dirichlet_weight), for self-play.
  bool root_noise = false;
};

/// What a search found. `policy` and `root_moves` are in legal_moves() order.
struct SearchResult {
  Move move = Move::none();  // the best one
  /// The policy target: a distribution over the legal moves, as weights in proportion to the
  /// probabilities (visit counts, where those are the target); at least one is above 0.
  std::vector<std::uint32_t> policy;
  Evaluation value;  // of the root, for its mover, with the plies that are left
  std::vector<RootMove> root_moves;
  std::vector<Move>
      variation;  // the expected moves from the root on; begins with `move` or is empty

  // What was searched.
  std::uint32_t visits = 0;       // of the root
  std::uint32_t new_visits = 0;   // of them made by this search
  std::uint32_t evaluations = 0;  // positions evaluated in this search
  double seconds = 0;             // since start()
};

/// A legal move with probability proportional to the policy target^(1/temperature); the best move
/// at temperature 0.
Move pick_move(const SearchResult& result, float temperature, std::mt19937_64& rng);

}  // namespace faultline
