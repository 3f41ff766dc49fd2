// The seam between games and whatever finds moves: a tree search, the network alone, chance.
#pragma once

#include <cstddef>
#include <memory>
#include <random>

#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/search_result.h"

namespace faultline {

/// Finds moves in one game, one position after the other. Used by one thread at a time:
///
///     searcher.start(history, limits, rng);
///     while (!searcher.done()) {
///       while (searcher.gather(batch)) {}   // a batch may hold the leaves of many searchers
///       if (!batch.empty()) { evaluator.evaluate(batch); searcher.apply(batch); batch.clear(); }
///     }
///     searcher.decide();
///
/// A searcher that evaluates positions by itself, as an alpha-beta search does, searches to its
/// limit in the first gather(), adds no leaf, and is done.
template <Position P>
class Searcher {
 public:
  virtual ~Searcher() = default;
  /// Begins a search of the last position of `history`, whose game must not be over. What an
  /// earlier search found is kept where `history` continues that search's game and the searcher can
  /// use it. No leaf may be waiting. `rng` is the game's, for what is random in the search; it must
  /// live until decide(). `limits.stop` must, too.
  virtual void start(const PositionHistory<P>& history, const SearchLimits& limits,
                     std::mt19937_64& rng) = 0;
  /// Searches on until one leaf is added to `batch`; false without one: the search has reached its
  /// limit, or goes on only after its waiting leaves are evaluated.
  virtual bool gather(EvalBatch<P>& batch) = 0;
  /// Takes the answers to all leaves that this searcher has added to `batch` since the last
  /// apply(); `batch` must have been evaluated.
  virtual void apply(const EvalBatch<P>& batch) = 0;
  /// A limit is reached and no leaf is waiting.
  virtual bool done() = 0;
  /// What the search found; call when done().
  virtual SearchResult decide() const = 0;
  /// Leaves that wait for their evaluation.
  virtual std::size_t waiting() const = 0;
  /// Bytes that the search holds at present; 0 where nothing grows.
  virtual std::size_t memory_bytes() const { return 0; }
};

/// PUCT tree search (search/search.h). `keep_subtree`: searches begin with what the last one found
/// below the moves that were played since.
template <Position P>
std::unique_ptr<Searcher<P>> make_puct_searcher(const SearchParams& params,
                                                bool keep_subtree = true);
/// The network's likeliest move after one evaluation, without search; the policy target is the
/// network's own policy.
template <Position P>
std::unique_ptr<Searcher<P>> make_policy_searcher();
/// A uniformly random legal move; evaluates nothing.
template <Position P>
std::unique_ptr<Searcher<P>> make_random_searcher();

/// Searches one position to its end: plays without many games at a time, and tests. `evaluator` may
/// be null for a searcher that adds no leaves; `batch` must be empty and is left empty.
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
