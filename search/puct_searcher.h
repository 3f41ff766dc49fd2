// A PUCT tree search as a searcher: its limits, how it explores the root, and what it keeps between
// moves.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "search/gumbel_root.h"
#include "search/search.h"
#include "search/searcher.h"

namespace faultline {

/// `biased`: the side to move at the root of a search follows a strategy, in the whole tree.
template <Position P, bool biased = false>
class PuctSearcher final : public Searcher<P> {
 public:
  PuctSearcher(const SearchParams& params, bool keep_subtree, std::size_t tree_bytes)
      : search_(params, Tree(tree_bytes)), keep_subtree_(keep_subtree) {}
  PuctSearcher(const SearchParams& params, bool keep_subtree, std::size_t tree_bytes,
               std::shared_ptr<const MoveBias<P>> bias) requires(biased)
      : PuctSearcher(params, keep_subtree, tree_bytes) {
    bias_ = std::move(bias);
  }

  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64& rng) override {
    assert(limits.leaves >= 1);
    limits_ = limits;
    rng_ = &rng;
    noise_due_ = limits.root_noise && search_.params().has_root_noise();
    gumbel_.reset();
    // Visits that are not known beforehand cannot be divided.
    gumbel_due_ = limits.root_noise && limits.visits > 0 && search_.params().gumbel.enabled;
    evaluations_ = 0;
    stopped_ = false;
    begin_ = Clock::now();
    // A root with restricted moves or noise cannot be reused; the subtrees below it can.
    bool keeps = keep_subtree_ && limits.search_moves.empty();
    if constexpr (biased) {
      const Colour mover = history.position().side_to_move();
      keeps = keeps && search_.follower() == mover;  // its nodes are those that the strategy shaped
      search_.set_bias(bias_, mover);
    }
    if (!keeps || !search_.continue_with(history, !root_is_special_)) search_.set_position(history);
    search_.restrict_root(limits.search_moves);
    search_.explore_root(limits.root_noise);
    root_is_special_ = noise_due_ || gumbel_due_ || !limits.search_moves.empty();
    visits_before_ = search_.root_visits();
    goal_ = kNoGoal;
    if (limits.visits > 0)
      goal_ = std::max(limits.visits, visits_before_ + limits.least_new_visits);
    if (limits.new_visits > 0) limit_new_visits(limits.new_visits);
    // Where every descent ends at the end of the game, nothing is left to evaluate.
    if (limits.evaluations > 0) limit_new_visits(kVisitsPerEvaluation * limits.evaluations);
    only_visits_ = limits.evaluations == 0 && limits.stop == nullptr && !limits.time;
    if constexpr (biased) {
      limits_lifted_ = search_.lifts_limits_at_root();
      lifted_before_ = search_.lifted_nodes();
    }
  }

  bool gather(EvalBatch<P>& batch) override {
    while (true) {
      if (search_.is_solved()) return false;
      const std::size_t waiting = search_.pending();
      if (waiting >= limits_.leaves || search_.root_visits() + waiting >= goal_) return false;
      if (search_.is_full()) return false;
      if (!only_visits_ && may_not_go_on()) return false;
      if (noise_due_ && search_.root_visits() > 0) {
        search_.add_root_noise(*rng_);
        noise_due_ = false;
      }
      if (gumbel_due_ && search_.root_visits() > 0) begin_gumbel();
      if (gumbel_ && !aim()) return false;
      switch (search_.gather(batch)) {
        case TreeSearch::Gathered::Leaf:
          ++evaluations_;
          if (gumbel_) gumbel_->count_visit();
          return true;
        case TreeSearch::Gathered::Nothing:
          return false;
        case TreeSearch::Gathered::Terminal:
          if (gumbel_) gumbel_->count_visit();
          break;
      }
    }
  }
  void apply(const EvalBatch<P>& batch) override { search_.apply(batch); }
  bool done() override {
    if (search_.has_pending()) return false;
    return search_.root_visits() >= goal_ || search_.is_full() || search_.is_solved() ||
           (!only_visits_ && may_not_go_on());
  }
  std::size_t waiting() const override { return search_.pending(); }
  std::size_t memory_bytes() const override { return search_.memory_bytes(); }

  SearchResult decide() const override {
    SearchResult result;
    result.root_moves = search_.root_moves();
    std::uint64_t total = 0;
    for (const RootMove& move : result.root_moves)
      total += move.visits;
    result.policy.reserve(result.root_moves.size());
    for (const RootMove& move : result.root_moves) {
      // If only the root was evaluated, its priors are the policy.
      const std::uint32_t weight =
          total > 0 ? move.visits : 1 + static_cast<std::uint32_t>(65535.0F * move.prior);
      result.policy.push_back(is_allowed(move) ? weight : 0);
    }
    result.move = best_allowed(result.root_moves);
    result.value = search_.root_evaluation();
    if (gumbel_) decide_by_gumbel(result);
    // The root's own evaluation is of all its moves.
    if (!limits_.search_moves.empty())
      result.value = mean_of_visits(result.root_moves).value_or(result.value);
    if (search_.params().solver) decide_by_proofs(result);
    result.variation = search_.principal_variation(result.move);
    result.visits = search_.root_visits();
    result.new_visits = result.visits - std::min(result.visits, visits_before_);
    result.evaluations = evaluations_;
    result.out_of_memory = search_.is_full() && result.visits < goal_;
    if constexpr (biased) {
      result.limits_lifted = limits_lifted_;
      result.lifted_below = search_.lifted_nodes() - lifted_before_;
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return result;
  }

 private:
  using TreeSearch = Search<P, false, biased>;
  using Clock = std::chrono::steady_clock;

  static constexpr std::uint32_t kNoGoal = 0xffffffff;

  /// A search with a limit of evaluations makes at most so many visits for each.
  static constexpr std::uint64_t kVisitsPerEvaluation = 64;

  void limit_new_visits(std::uint64_t visits) {
    goal_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(goal_, visits_before_ + visits));
  }
  bool is_allowed(const RootMove& move) const {
    return !move.excluded &&
           (limits_.search_moves.empty() ||
            std::ranges::find(limits_.search_moves, move.move) != limits_.search_moves.end());
  }
  Move best_allowed(std::vector<RootMove> moves) const {
    std::erase_if(moves, [this](const RootMove& move) { return !is_allowed(move); });
    return best_move(moves);
  }

  void begin_gumbel() {
    gumbel_due_ = false;
    const std::uint32_t visits = goal_ - search_.root_visits();
    gumbel_.emplace(search_.params().gumbel, search_.params().root_policy_temperature);
    gumbel_->begin(search_.root_moves(), visits, *rng_);
  }
  /// Chooses the root's move of the next descent; false if results must arrive first.
  bool aim() {
    if (gumbel_->phase_is_over()) {
      if (search_.has_pending()) return false;
      gumbel_->next_phase(search_.root_moves());
    }
    search_.aim(gumbel_->aim());
    return true;
  }
  void decide_by_gumbel(SearchResult& result) const {
    GumbelRoot::Decision decision =
        gumbel_->decide(result.root_moves, search_.own_root_evaluation());
    if (std::ranges::none_of(result.root_moves, &RootMove::wins) &&
        !result.root_moves[decision.move].loses())
      result.move = result.root_moves[decision.move].move;
    result.policy = std::move(decision.policy);
    result.value = decision.value;
  }

  /// What is proven replaces what was found: a policy has no weight on moves that throw the result
  /// away.
  void decide_by_proofs(SearchResult& result) const {
    const auto chosen = std::ranges::find(result.root_moves, result.move, &RootMove::move);
    if (chosen->mate_plies != 0) {
      result.mate_plies = chosen->mate_plies;
      result.value = mean_evaluation(chosen->value, 0, chosen->moves_left);
    }
    if (chosen->loses()) return;  // all moves do
    for (std::size_t i = 0; i < result.policy.size(); ++i) {
      const RootMove& move = result.root_moves[i];
      if (chosen->wins() ? !move.wins() : move.loses()) result.policy[i] = 0;
    }
    if (std::ranges::count(result.policy, 0U) == std::ssize(result.policy))
      result.policy[static_cast<std::size_t>(chosen - result.root_moves.begin())] = 1;
  }

  /// Whether a limit other than visits ends the search. A root without visits is evaluated in any
  /// case: there must be a result.
  bool may_not_go_on() {
    if (limits_.evaluations > 0 && evaluations_ >= limits_.evaluations) return true;
    if (search_.root_visits() == 0 && !search_.has_pending()) return false;
    if (stopped_) return true;
    stopped_ = (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) ||
               (limits_.time && Clock::now() - begin_ >= *limits_.time);
    return stopped_;
  }

  TreeSearch search_;
  std::shared_ptr<const MoveBias<P>> bias_;
  bool keep_subtree_;
  SearchLimits limits_;
  std::mt19937_64* rng_ = nullptr;
  bool noise_due_ = false;
  bool gumbel_due_ = false;
  std::optional<GumbelRoot> gumbel_;  // of this search, once its root is expanded
  bool root_is_special_ = false;      // it has restricted moves or noise
  bool stopped_ = false;              // by the clock or by limits_.stop
  std::uint32_t visits_before_ = 0;
  std::uint32_t goal_ = 0;      // root visits at which the search ends
  bool only_visits_ = true;     // no limit but visits is set
  bool limits_lifted_ = false;  // the strategy's, at the root
  std::uint32_t lifted_before_ = 0;
  std::uint32_t evaluations_ = 0;
  Clock::time_point begin_;
};

}  // namespace faultline
