// The alpha-beta search as a Searcher: iterative deepening with aspiration windows.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "search/alpha_beta_search.h"
#include "search/searcher.h"

namespace faultline {

/// Searches to its limit in the first gather(); adds no leaves. The limits `nodes`, `depth`,
/// `time`, `stop` and `search_moves` apply; the first iteration is always finished. With `depth` or
/// `nodes` the result depends only on the game and the searches of that game before.
///
/// The policy target is the best move alone. Root moves other than the best have the score that
/// refuted them, an upper bound.
template <Position P>
class AlphaBetaSearcher final : public Searcher<P> {
 public:
  /// `repeats`: searching the same position again continues the game, too, so that iterations can
  /// be run one by one; and the table is allocated now, not when a clock is running.
  explicit AlphaBetaSearcher(const AlphaBetaParams& params, bool repeats = false,
                             std::shared_ptr<const PositionEvaluation<P>> evaluation = nullptr)
      : search_(params, std::move(evaluation)), repeats_(repeats) {
    if (repeats_) search_.allocate_table();
  }

  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64&) override {
    limits_ = limits;
    begin_ = Clock::now();
    legal_.clear();
    typename P::MoveList moves;
    history.position().legal_moves(moves);
    legal_.assign(moves.begin(), moves.end());
    search_.start(history, limits_, limits_.search_moves.empty() ? legal_ : limits_.search_moves,
                  continues_game(history.keys()), begin_);
    game_ = history.keys();
    is_done_ = false;
  }

  bool gather(EvalBatch<P>&) override {
    if (is_done_) return false;
    deepen();
    seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
    is_done_ = true;
    return false;
  }
  void apply(const EvalBatch<P>&) override {}
  bool done() override { return is_done_; }
  std::size_t waiting() const override { return 0; }
  std::size_t memory_bytes() const override { return search_.memory_bytes(); }

  SearchResult decide() const override {
    SearchResult result;
    const int best = search_.best_score();
    result.move = search_.root_moves().front().move;
    result.value = evaluation_of_score(best);
    result.variation = search_.variation();
    for (const Move move : legal_) {
      const auto found = std::ranges::find(search_.root_moves(), move, &RootMoveScore::move);
      const bool searched = found != search_.root_moves().end();
      const bool is_best = move == result.move;
      const Evaluation value = evaluation_of_score(is_best    ? best
                                                   : searched ? std::min(found->score, best)
                                                              : -kMaxScore);
      result.policy.push_back(is_best ? 1 : 0);
      result.root_moves.push_back(
          {.move = move,
           .visits = searched ? narrow(found->nodes) : 0,
           .prior = is_best ? 1.0F : 0.0F,
           .value = value.value(),
           .draw = value.draw,
           .moves_left = value.moves_left,
           .mate_plies = is_best && best >= kMinMate ? mate_plies_of(best) : 0});
    }
    result.evaluations = narrow(search_.evaluations());
    result.seconds = seconds_;
    result.nodes = search_.nodes();
    result.depth = depth_;
    result.selective_depth = search_.selective_depth();
    // Being mated is proven only if every move was searched to the end.
    if (best >= kMinMate)
      result.mate_plies = mate_plies_of(best);
    else if (complete_score_ <= -kMinMate)
      result.mate_plies = mate_plies_of(complete_score_);
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using RootMoveScore = typename AlphaBetaSearch<P>::RootMoveScore;

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

  void deepen() {
    const int last = limits_.depth > 0 ? std::min(limits_.depth, AlphaBetaSearch<P>::kMaxDepth)
                                       : AlphaBetaSearch<P>::kMaxDepth;
    depth_ = complete_score_ = 0;
    for (int depth = 1; depth <= last; ++depth) {
      if (depth > 1 && search_.is_out_of_budget()) return;
      if (!search_with_window(depth)) return;
      depth_ = depth;
      complete_score_ = search_.best_score();
      // Reductions may hide a shorter mate from a search that is just deep enough to hold this one;
      // at twice the depth that is rare, and such a search is small, since no line is followed
      // further than the mate.
      if (is_mate(complete_score_) && 2 * std::abs(mate_plies_of(complete_score_)) <= depth) return;
    }
  }

  /// One iteration, with a window around the last score that is widened until it holds the new one.
  /// False if a limit was reached.
  bool search_with_window(int depth) {
    int alpha = -kInfiniteScore;
    int beta = kInfiniteScore;
    int width = 25;
    if (depth >= 5 && !is_mate(search_.best_score())) {
      alpha = search_.best_score() - width;
      beta = search_.best_score() + width;
    }
    while (true) {
      const auto score = search_.search_root(depth, alpha, beta);
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

  AlphaBetaSearch<P> search_;
  bool repeats_;
  SearchLimits limits_;
  Clock::time_point begin_;
  KeyHistory game_;  // as last searched
  std::vector<Move> legal_;
  bool is_done_ = true;
  int depth_ = 0;           // the last complete iteration,
  int complete_score_ = 0;  // and its score
  double seconds_ = 0;
};

}  // namespace faultline
