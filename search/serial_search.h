// PUCT search of one tree of bounded size by the calling thread: ParallelSearch where there are no
// threads.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "search/search.h"
#include "search/search_result.h"
#include "search/tree.h"

namespace faultline {

/// The functions are those of ParallelSearch; wait_until() is what searches.
template <Position P>
class SerialSearch {
 public:
  using TreeSearch = Search<P, true>;
  using Clock = std::chrono::steady_clock;

  SerialSearch(const SearchParams& params, [[maybe_unused]] int threads, std::size_t memory_bytes,
               Evaluator<P>& evaluator)
      : evaluator_(evaluator), search_(params, Tree(memory_bytes, Tree::Reserve::AsNeeded)) {
    assert(threads == 1);
  }

  void start(const PositionHistory<P>& history, const SearchLimits& limits) {
    limits_ = limits;
    begin_ = Clock::now();
    const bool keeps = has_position_ && limits.search_moves.empty();
    if (!keeps || !search_.continue_with(history, !root_is_restricted_))
      search_.set_position(history);
    has_position_ = true;
    search_.restrict_root(limits.search_moves);
    root_is_restricted_ = !limits.search_moves.empty();
    search_.reset_descents();
    visits_before_ = search_.root_visits();
    evaluations_ = 0;
    goal_ = kMostVisits;
    if (limits.visits > 0) goal_ = std::min(goal_, limits.visits);
    for (const std::uint64_t most : {std::uint64_t{limits.new_visits}, limits.nodes})
      if (most > 0)
        goal_ = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(goal_, visits_before_ + std::min<std::uint64_t>(most, goal_)));
    ended_ = false;
  }

  /// Searches until the search has ended or `time` has come; returns whether it has ended. Passes
  /// on what the evaluator throws.
  bool wait_until(Clock::time_point time) {
    while (!is_over()) {
      gather();
      if (!batch_.empty()) {
        try {
          evaluator_.evaluate(batch_);
        } catch (...) {
          search_.abandon(pending_);
          batch_.clear();
          throw;
        }
        search_.apply(batch_, pending_);
        batch_.clear();
      }
      if (Clock::now() >= time) return is_over();
    }
    return true;
  }
  void stop() { ended_ = true; }

  template <class Look>
  decltype(auto) look(Look&& look) {
    return look(std::as_const(search_));
  }
  std::uint32_t new_visits() const { return search_.root_visits() - visits_before_; }
  std::uint32_t evaluations() const { return evaluations_; }
  int depth() const {
    const auto& descents = search_.descents();
    if (descents.count == 0) return 0;
    const auto mean =
        static_cast<int>((descents.total_plies + descents.count / 2) / descents.count);
    return std::max(1, mean);
  }
  Clock::duration time() const { return Clock::now() - begin_; }

  void clear() { has_position_ = false; }

 private:
  static constexpr std::uint32_t kMostVisits = (std::uint32_t{1} << 31) - 1;
  static constexpr std::uint64_t kVisitsPerEvaluation = 64;
  static constexpr int kDescentsAtOnce = 64;

  void gather() {
    for (int descents = 0; batch_.size() < limits_.leaves && descents < kDescentsAtOnce;
         ++descents) {
      if (search_.root_visits() + pending_.size() >= goal_) return;
      if (limits_.evaluations > 0 && evaluations_ >= limits_.evaluations) return;
      switch (search_.gather(batch_, pending_)) {
        case TreeSearch::Gathered::Leaf:
          ++evaluations_;
          break;
        case TreeSearch::Gathered::Nothing:
          return;
        case TreeSearch::Gathered::Terminal:
          break;
      }
    }
  }

  bool is_over() const {
    if (ended_ || search_.root_visits() >= goal_) return true;
    if (search_.root_visits() == 0) return false;
    const std::uint64_t visits = new_visits();
    bool over = (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) ||
                (limits_.time && Clock::now() - begin_ >= *limits_.time);
    if (limits_.evaluations > 0)
      over = over || evaluations_ >= limits_.evaluations ||
             visits >= kVisitsPerEvaluation * limits_.evaluations;
    if (limits_.depth > 0)
      over = over || depth() >= limits_.depth ||
             visits >= kVisitsPerEvaluation * (evaluations_ + kVisitsPerEvaluation);
    return over;
  }

  Evaluator<P>& evaluator_;
  TreeSearch search_;
  EvalBatch<P> batch_;
  PendingLeaves pending_;
  bool has_position_ = false;
  bool root_is_restricted_ = false;
  bool ended_ = true;
  SearchLimits limits_;
  Clock::time_point begin_;
  std::uint32_t goal_ = 0;  // root visits at which the search ends
  std::uint32_t visits_before_ = 0;
  std::uint32_t evaluations_ = 0;
};

}  // namespace faultline
