// The interface between games and what finds moves: a tree search, the network alone, or chance.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>

#include "rules/history.h"
#include "search/alpha_beta_params.h"
#include "search/evaluator.h"
#include "search/move_bias.h"
#include "search/node_memory.h"
#include "search/params.h"
#include "search/position_evaluation.h"
#include "search/search_result.h"

namespace faultline {

/// A searcher cannot find a move: an external engine crashed, is silent, or answered with an
/// illegal move. Thrown by any function of a Searcher; its side loses the game
/// (play/game_driver.h).
class SearcherFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Finds moves in one game, one position after another. Used by one thread at a time:
///
///     searcher.start(history, limits, rng);
///     while (!searcher.done()) {
///       while (searcher.gather(batch)) {}   // a batch may hold the leaves of many searchers
///       if (!batch.empty()) { evaluator.evaluate(batch); searcher.apply(batch); batch.clear(); }
///     }
///     searcher.decide();
///
/// A searcher that evaluates positions itself, as an alpha-beta search does, searches to its limit
/// in the first gather(), adds no leaf, and is done.
template <Position P>
class Searcher {
 public:
  virtual ~Searcher() = default;
  /// Starts a search of the last position of `history`, whose game must not be over. Results of an
  /// earlier search are reused if `history` continues that search's game and the searcher supports
  /// it. No leaf may be waiting. `rng` is the game's random generator; it and `limits.stop` must
  /// live until decide().
  virtual void start(const PositionHistory<P>& history, const SearchLimits& limits,
                     std::mt19937_64& rng) = 0;
  /// Searches until one leaf is added to `batch`; returns false if none was: the search has reached
  /// its limit, or can continue only after its waiting leaves are evaluated.
  virtual bool gather(EvalBatch<P>& batch) = 0;
  /// Applies the results of all leaves that this searcher has added to `batch` since the last
  /// apply(); `batch` must have been evaluated.
  virtual void apply(const EvalBatch<P>& batch) = 0;
  /// Whether a limit is reached and no leaf is waiting.
  virtual bool done() = 0;
  /// The result; call when done().
  virtual SearchResult decide() const = 0;
  /// Leaves that are waiting for their evaluation.
  virtual std::size_t waiting() const = 0;
  /// Bytes currently used by the search; 0 if it holds no growing data.
  virtual std::size_t memory_bytes() const { return 0; }
};

/// PUCT tree search (search/search.h). `keep_subtree`: tree reuse, a search starts from the subtree
/// below the moves played since the last one. `tree_bytes`: what the tree may have, at least
/// Tree::kLeastBytes (and for a moment twice of that, while it moves to a new root); where that
/// does not suffice, or the system has no more, the search ends with what it has found.
template <Position P>
std::unique_ptr<Searcher<P>> make_puct_searcher(const SearchParams& params,
                                                bool keep_subtree = true,
                                                std::size_t tree_bytes = NodeMemory::kMostBytes);
/// Makes a searcher for a player with a strategy: the side to move at the root of a search follows
/// `bias` in the whole tree, the other side does not. A tree is reused only by searches of the same
/// side.
template <Position P>
std::unique_ptr<Searcher<P>> make_biased_puct_searcher(
    const SearchParams& params, std::shared_ptr<const MoveBias<P>> bias, bool keep_subtree = true,
    std::size_t tree_bytes = NodeMemory::kMostBytes);
/// The move with the highest prior after one evaluation, without search; the policy target is the
/// network's own policy.
template <Position P>
std::unique_ptr<Searcher<P>> make_policy_searcher();
/// A uniformly random legal move; no evaluations.
template <Position P>
std::unique_ptr<Searcher<P>> make_random_searcher();
/// Alpha-beta search (search/alpha_beta_searcher.h); adds no leaves. `repeats`: what was found is
/// also kept when the same position is searched again. `evaluation`: null: by material and
/// placement. `bias`: the strategy that the side to move at the root follows; null: none.
template <Position P>
std::unique_ptr<Searcher<P>> make_alpha_beta_searcher(
    const AlphaBetaParams& params = {}, bool repeats = false,
    std::shared_ptr<const PositionEvaluation<P>> evaluation = nullptr,
    std::shared_ptr<const MoveBias<P>> bias = nullptr);

/// Runs the search of one position to its end, for single games and tests. `evaluator` may be null
/// for a searcher that adds no leaves; `batch` must be empty and is left empty.
template <Position P>
SearchResult run_search(Searcher<P>& searcher, Evaluator<P>* evaluator, EvalBatch<P>& batch,
                        const PositionHistory<P>& history, const SearchLimits& limits,
                        std::mt19937_64& rng) {
  searcher.start(history, limits, rng);
  for (;;) {
    while (batch.size() < limits.leaves && searcher.gather(batch)) {
    }
    if (batch.empty()) break;
    evaluator->evaluate(batch);
    searcher.apply(batch);
    batch.clear();
  }
  return searcher.decide();
}

}  // namespace faultline
