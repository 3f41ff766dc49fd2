// Search limits and search results, independent of the game.
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

/// When a search ends: at the first limit reached. At least one must be set, or the search runs
/// until `stop`. A searcher ignores limits that do not apply to it (such as visits in an alpha-beta
/// search).
struct SearchLimits {
  /// Visits of the root, including those kept from an earlier search. 0: no limit.
  std::uint32_t visits = 0;
  /// Visits of the root that this search makes. 0: no limit.
  std::uint32_t new_visits = 0;
  /// The visits that the search makes at least, even if `visits` would end it sooner because most
  /// of them are kept.
  std::uint32_t least_new_visits = 0;
  /// Positions evaluated by this search. 0: no limit.
  std::uint32_t evaluations = 0;
  /// Positions visited by a search that evaluates positions itself (alpha-beta, an external
  /// engine). 0: no limit.
  std::uint64_t nodes = 0;
  /// Iterations of a search that deepens iteratively. 0: no limit.
  int depth = 0;
  /// Since start(). A root without visits is evaluated in any case.
  std::optional<std::chrono::steady_clock::duration> time = std::nullopt;
  /// The only moves, all legal, that are considered at the root; empty: every legal move. A tree
  /// search's value is then the mean over their visits, an alpha-beta search's that of the best of
  /// them; a searcher that evaluates nothing but the root has the root's own value all the same.
  std::vector<Move> search_moves = {};
  /// Ends the search once true; may be set from any thread. Null: none.
  const std::atomic<bool>* stop = nullptr;

  /// Leaves that may be waiting for evaluation at a time; at least 1.
  std::uint32_t leaves = 1;
  /// Mixes noise into the root's priors (SearchParams::dirichlet_weight), for self-play.
  bool root_noise = false;
};

/// What a search found. `policy` and `root_moves` are in legal_moves() order.
struct SearchResult {
  Move move = Move::none();  // the best one
  /// The policy target: a distribution over the legal moves, as weights proportional to the
  /// probabilities (such as visit counts); at least one is above 0.
  std::vector<std::uint32_t> policy;
  Evaluation value;  // of the root, for the side to move, including the plies left
  std::vector<RootMove> root_moves;
  std::vector<Move> variation;  // principal variation from the root; begins with `move` or is empty

  // What was searched.
  std::uint32_t visits = 0;       // of the root
  std::uint32_t new_visits = 0;   // of those, made by this search
  std::uint32_t evaluations = 0;  // positions evaluated in this search
  double seconds = 0;             // since start()
  bool out_of_memory = false;     // it ended before its limit: there was no room for its tree
  /// The limits of the strategy that the mover follows forbid every move, and were lifted.
  bool limits_lifted = false;
  /// Positions below the root, evaluated by this search (by alpha-beta: visited, perhaps several
  /// times), where the same happened.
  std::uint32_t lifted_below = 0;
  std::uint64_t nodes = 0;  // positions visited, by searches that count them
  int depth = 0;            // the last complete iteration of an iteratively deepening search
  int selective_depth = 0;  // plies from the root to the deepest position visited
  /// Plies to a proven mate, the mating move included: positive if the side to move at the root
  /// mates, negative if it is mated. Nothing is proven by default.
  std::optional<int> mate_plies = std::nullopt;
};

/// A legal move with probability proportional to the policy target^(1/temperature); the best move
/// at temperature 0, and where it mates.
Move pick_move(const SearchResult& result, float temperature, std::mt19937_64& rng);

/// How far the policy target is from the root's priors (with their noise, if any was added): the
/// Kullback-Leibler divergence in nats, at least 0, and 0 where there are no priors. A prior below
/// a millionth counts as a millionth.
double policy_surprise(const SearchResult& result);

}  // namespace faultline
