// The seam between games and whatever finds moves: a tree search, the network alone, chance.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
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

/// A legal move with probability proportional to the policy target^(1/temperature); the best move
/// at temperature 0.
Move pick_move(const SearchResult& result, float temperature, std::mt19937_64& rng);

/// Searches one position to its end: plays without many games at a time, and tests. `evaluator` may
/// be null for a searcher that adds no leaves; `batch` must be empty and is left empty.
template <Position P>
SearchResult run_search(Searcher<P>& searcher, Evaluator<P>* evaluator, EvalBatch<P>& batch,
                        const PositionHistory<P>& history, const SearchLimits& limits,
                        std::mt19937_64& rng) {
  searcher.start(history, limits, rng);
  while (!searcher.done()) {
    while (searcher.gather(batch)) {
    }
    if (batch.empty()) continue;
    evaluator->evaluate(batch);
    searcher.apply(batch);
    batch.clear();
  }
  return searcher.decide();
}

}  // namespace faultline
