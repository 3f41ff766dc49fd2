// The alpha-beta search as a Searcher: iterative deepening with aspiration windows, by one thread
// or several.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "search/alpha_beta_search.h"
#include "search/searcher.h"

namespace faultline {

/// Searches to its limit in the first gather(); adds no leaves. The limits `nodes`, `depth`,
/// `time`, `stop` and `search_moves` apply; the first iteration is always finished. With `depth` or
/// `nodes` the result of one thread depends only on the game and the searches of that game before.
///
/// With several threads (Lazy SMP), helpers search the same root from the second iteration on, each
/// by itself, and share nothing but the table and the limit of nodes. What they find reaches the
/// result through the table alone: it is that of the thread which calls gather(). They end with
/// gather(), which passes on what they throw, and std::system_error where the system starts none.
///
/// The policy target is the best move alone. Root moves other than the best have the score that
/// refuted them, an upper bound.
template <Position P>
class AlphaBetaSearcher final : public Searcher<P> {
 public:
  /// `repeats`: searching the same position again continues the game, too, so that iterations can
  /// be run one by one; and the table is allocated now, not when a clock is running.
  explicit AlphaBetaSearcher(const AlphaBetaParams& params, bool repeats = false,
                             std::shared_ptr<const PositionEvaluation<P>> evaluation = nullptr,
                             std::shared_ptr<const MoveBias<P>> bias = nullptr)
      : megabytes_(static_cast<std::size_t>(params.table_mb)), repeats_(repeats) {
    if (repeats_) table_.allocate(megabytes_);
    for (int i = 0; i < params.threads; ++i)
      searches_.push_back(std::make_unique<Search>(params, evaluation, bias, table_, budget_));
  }

  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64&) override {
    limits_ = limits;
    begin_ = Clock::now();
    legal_.clear();
    typename P::MoveList moves;
    history.position().legal_moves(moves);
    legal_.assign(moves.begin(), moves.end());
    same_game_ = continues_game(history.keys());
    // What was found for one side's strategy is wrong where the other follows it.
    if (searches_.front()->follows_strategy() &&
        root_.side_to_move() != history.position().side_to_move())
      same_game_ = false;
    root_ = history.position();
    game_ = history.keys();
    if (!table_.is_allocated()) table_.allocate(megabytes_);  // which takes 0.4 s per GiB
    table_.begin_search(same_game_);
    budget_.start(limits_.nodes, searches_.size());
    begin_search(*searches_.front(), limits_);
    searching_ = 1;
    is_done_ = false;
  }

  bool gather(EvalBatch<P>&) override {
    if (is_done_) return false;
    search_by_all();
    seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
    is_done_ = true;
    return false;
  }
  void apply(const EvalBatch<P>&) override {}
  bool done() override { return is_done_; }
  std::size_t waiting() const override { return 0; }
  std::size_t memory_bytes() const override { return table_.bytes(); }

  SearchResult decide() const override {
    SearchResult result;
    const Search& search = *searches_.front();
    const int best = search.best_score(), most = search.best_judged();
    result.move = search.root_moves().front().move;
    result.value = evaluation_of_score(best);
    result.variation = search.variation();
    for (const Move move : legal_) {
      const auto found = std::ranges::find(search.root_moves(), move, &RootMoveScore::move);
      const bool searched = found != search.root_moves().end();
      const bool is_best = move == result.move;
      const Evaluation value =
          evaluation_of_score(is_best    ? best
                              : searched ? std::min(found->score, most - found->centipawns)
                                         : -kMaxScore);
      result.policy.push_back(is_best ? 1 : 0);
      result.root_moves.push_back(
          {.move = move,
           .visits = searched ? narrow(found->nodes) : 0,
           .prior = is_best ? 1.0F : 0.0F,
           .value = value.value(),
           .draw = value.draw,
           .moves_left = value.moves_left,
           .mate_plies = is_best && best >= kMinMate ? mate_plies_of(best) : 0,
           .bonus = searched ? found->bonus : 0,
           .excluded = !searched});
    }
    result.seconds = seconds_;
    result.depth = depth_;
    std::uint64_t evaluations = 0;
    for (std::size_t i = 0; i < searching_; ++i) {
      evaluations += searches_[i]->evaluations();
      result.lifted_below += searches_[i]->lifted_below();
      result.nodes += searches_[i]->nodes();
      result.selective_depth = std::max(result.selective_depth, searches_[i]->selective_depth());
    }
    result.evaluations = narrow(evaluations);
    result.limits_lifted = search.limits_lifted();
    // Being mated is proven only if every move was searched to the end.
    if (best >= kMinMate)
      result.mate_plies = mate_plies_of(best);
    else if (complete_score_ <= -kMinMate && !search.follows_strategy())
      result.mate_plies = mate_plies_of(complete_score_);
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Search = AlphaBetaSearch<P>;
  using RootMoveScore = typename Search::RootMoveScore;

  static std::uint32_t narrow(std::uint64_t count) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
  }

  /// Whether the game has gone on since the last search.
  bool continues_game(const KeyHistory& keys) const {
    if (game_.size() == 0 || keys.size() < game_.size()) return false;
    if (keys.size() == game_.size() && !repeats_) return false;
    for (std::size_t i = 0; i < game_.size(); ++i)
      if (keys[i] != game_[i]) return false;
    return true;
  }

  void begin_search(Search& search, const SearchLimits& limits) const {
    search.start(root_, game_, limits, limits_.search_moves.empty() ? legal_ : limits_.search_moves,
                 same_game_, begin_);
  }

  void search_by_all() {
    const int last =
        limits_.depth > 0 ? std::min(limits_.depth, Search::kMaxDepth) : Search::kMaxDepth;
    depth_ = complete_score_ = 0;
    if (!deepen(1, 1) || last == 1) return;
    std::vector<std::exception_ptr> failures(searches_.size());
    {
      std::vector<std::jthread> helpers;  // joined last
      ended_ = false;
      const struct SetAtEnd {
        std::atomic<bool>& flag;
        ~SetAtEnd() { flag = true; }
      } set_at_end{ended_};
      for (; searching_ < searches_.size(); ++searching_)
        helpers.emplace_back([this, i = searching_, &failure = failures[searching_]] {
          try {
            help(*searches_[i], i);
          } catch (...) {
            failure = std::current_exception();
          }
        });
      deepen(2, last);
    }
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
  }
  /// The iterations of helper `i`: every other one is a ply ahead of the rest.
  void help(Search& search, std::size_t i) const {
    begin_search(search, helper_limits_);
    for (int depth = 2 + static_cast<int>(i % 2); depth <= Search::kMaxDepth; ++depth)
      if (!search_with_window(search, depth)) return;
  }

  /// False if there is nothing to be gained by more iterations, or a limit is reached.
  bool deepen(int first, int last) {
    Search& search = *searches_.front();
    for (int depth = first; depth <= last; ++depth) {
      if (!search_with_window(search, depth)) return false;
      depth_ = depth;
      complete_score_ = search.best_score();
      // Reductions may hide a shorter mate from a search that is just deep enough to hold this one;
      // at twice the depth that is rare, and such a search is small, since no line is followed
      // further than the mate.
      if (is_mate(complete_score_) && 2 * std::abs(mate_plies_of(complete_score_)) <= depth)
        return false;
      if (search.is_out_of_budget()) return false;
    }
    return true;
  }

  /// One iteration, with a window around the last score that is widened until it holds the new one.
  /// False if a limit was reached.
  static bool search_with_window(Search& search, int depth) {
    int alpha = -kInfiniteScore;
    int beta = kInfiniteScore;
    int width = 25;
    if (depth >= 5 && !is_mate(search.best_judged())) {
      alpha = search.best_judged() - width;
      beta = search.best_judged() + width;
    }
    while (true) {
      const auto score = search.search_root(depth, alpha, beta);
      if (!score) return false;
      if (*score > alpha && *score < beta) return true;
      width *= 4;
      const bool is_wide = width > 1000 || is_mate(*score);
      if (*score <= alpha)
        alpha = is_wide ? -kInfiniteScore : *score - width;
      else
        beta = is_wide ? kInfiniteScore : *score + width;
    }
  }

  std::size_t megabytes_;  // of the table
  TranspositionTable table_;
  NodeBudget budget_;
  std::vector<std::unique_ptr<Search>> searches_;  // one per thread, the caller's first
  std::size_t searching_ = 0;                      // of those, in this search
  std::atomic<bool> ended_ = false;                // helpers are to end
  const SearchLimits helper_limits_{.stop = &ended_};
  bool repeats_;
  SearchLimits limits_;
  Clock::time_point begin_;
  P root_{};
  KeyHistory game_;  // as last searched
  bool same_game_ = false;
  std::vector<Move> legal_;
  bool is_done_ = true;
  int depth_ = 0;           // the last complete iteration,
  int complete_score_ = 0;  // and its score
  double seconds_ = 0;
};

template <Position P>
std::unique_ptr<Searcher<P>> make_alpha_beta_searcher(
    const AlphaBetaParams& params, bool repeats,
    std::shared_ptr<const PositionEvaluation<P>> evaluation,
    std::shared_ptr<const MoveBias<P>> bias) {
  return std::make_unique<AlphaBetaSearcher<P>>(params, repeats, std::move(evaluation),
                                                std::move(bias));
}

}  // namespace faultline
