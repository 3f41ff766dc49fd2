// What a player plays in given positions, and how it values them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "base/run_threads.h"
#include "lab/match.h"

namespace faultline {

template <Position P>
struct Question {
  P position;
  std::vector<Move> moves = {};  // the only ones that may be played, all legal; empty: any
};

struct Answer {
  Move move = Move::none();  // none: it was stopped before
  /// By the search, for the side to move; of its allowed moves, if not all are.
  Evaluation value = {};
  double seconds = 0;  // of the search; those that share batches wait for each other

  bool is_there() const { return move != Move::none(); }
  double expected_score() const { return (1 + static_cast<double>(value.value())) / 2; }
};

/// Searchers that are used for one position after another, as each may hold a large table.
template <Position P>
class SearcherStore {
 public:
  explicit SearcherStore(const MatchPlayer<P>& player) : player_(&player) {}
  std::unique_ptr<Searcher<P>> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return player_->make_searcher();
    std::unique_ptr<Searcher<P>> searcher = std::move(idle_.back());
    idle_.pop_back();
    return searcher;
  }
  void leave(std::unique_ptr<Searcher<P>> searcher) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(searcher));
  }

 private:
  const MatchPlayer<P>* player_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Searcher<P>>> idle_;  // guarded by mutex_
};

/// The best move of `player` for each question, of whose position the game's past is not known to
/// it. An answer depends only on the seed and the place of its question, unless the player's limit
/// is a time. `done(n)` is called as n more are ready, from any of the threads.
template <Position P>
std::vector<Answer> answers(const MatchPlayer<P>& player, std::span<const Question<P>> questions,
                            std::uint64_t seed, int threads, const std::atomic<bool>& stop,
                            const std::function<void(int)>& done) {
  // Searches of one network share batches; a clock must not run while others search.
  const std::size_t at_once = player.evaluator && !player.limits.time ? 16 : 1;
  SearcherStore<P> store(player);
  std::vector<Answer> found(questions.size());
  const auto answer = [&](std::size_t group) {
    const std::size_t first = group * at_once;
    const std::size_t count = std::min(at_once, questions.size() - first);
    std::vector<std::unique_ptr<Searcher<P>>> searchers;
    std::vector<std::mt19937_64> generators;
    std::vector<PositionHistory<P>> games;
    for (std::size_t i = first; i < first + count; ++i) {
      generators.emplace_back(game_seed(seed, static_cast<int>(i)));
      games.emplace_back(questions[i].position);
      searchers.push_back(store.take());
    }
    for (std::size_t i = 0; i < count; ++i) {
      SearchLimits limits = player.limits;
      limits.stop = &stop;
      limits.search_moves = questions[first + i].moves;
      searchers[i]->start(games[i], limits, generators[i]);
    }
    EvalBatch<P> batch;
    do {
      if (batch.size() > 0) {
        player.evaluator->evaluate(batch);
        for (const auto& searcher : searchers)
          searcher->apply(batch);
        batch.clear();
      }
      if (stop) return;
      for (const auto& searcher : searchers)
        searcher->gather(batch);
    } while (batch.size() > 0);
    if (stop) return;
    for (std::size_t i = 0; i < count; ++i) {
      const SearchResult result = searchers[i]->decide();
      found[first + i] = {result.move, result.value, result.seconds / static_cast<double>(count)};
      store.leave(std::move(searchers[i]));
    }
    done(static_cast<int>(count));
  };
  for_each_index((questions.size() + at_once - 1) / at_once, threads, [&](std::size_t group) {
    if (!stop) answer(group);
  });
  return found;
}

}  // namespace faultline
