// PUCT search by several threads on one tree of bounded size.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "search/search.h"
#include "search/search_result.h"
#include "search/tree.h"

namespace faultline {

/// Worker threads that live as long as the object. Each takes the tree's one lock, gathers leaves
/// into a batch of its own (virtual loss sends the others elsewhere), evaluates it without the
/// lock, and takes the lock again to apply it: a descent takes about a microsecond, a network's
/// evaluation ten to a thousand. A worker whose descent ends at a leaf that another one is
/// evaluating waits until something has been applied.
///
/// With one worker and limits other than time the result is deterministic. All functions but the
/// workers' are called by one thread:
///
///     search.start(history, limits);
///     while (!search.wait_until(time)) search.look([](const auto& tree) { … });
template <Position P>
class ParallelSearch {
 public:
  using TreeSearch = Search<P, true>;
  using Clock = std::chrono::steady_clock;

  /// `evaluator` must outlive the object. Throws std::invalid_argument if `memory_bytes` is below
  /// Tree::kLeastBytes.
  ParallelSearch(const SearchParams& params, int threads, std::size_t memory_bytes,
                 Evaluator<P>& evaluator)
      : evaluator_(evaluator),
        virtual_loss_(static_cast<std::size_t>(params.virtual_loss)),
        search_(params, Tree(memory_bytes, Tree::Reserve::AtOnce)) {
    assert(threads >= 1);
    try {
      for (int i = 0; i < threads; ++i)
        threads_.emplace_back([this] { work(); });
    } catch (...) {
      quit();
      throw;
    }
  }
  ParallelSearch(const ParallelSearch&) = delete;
  ParallelSearch& operator=(const ParallelSearch&) = delete;
  ~ParallelSearch() { quit(); }

  /// Starts a search of the last position of `history`, whose game must not be over; none may be
  /// running. The subtree below the moves since the last search is kept. `limits.leaves` are those
  /// of one worker; `limits.nodes` are new visits, `limits.depth` plies of the mean descent. A
  /// search with nothing left to evaluate, because every line ends or memory is full, also ends if
  /// its evaluations or its depth are limited; and every search ends at kMostVisits.
  void start(const PositionHistory<P>& history, const SearchLimits& limits) {
    const auto lock = visit();
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
    waiting_ = 0;
    failure_ = nullptr;
    goal_ = kMostVisits;
    if (limits.visits > 0) goal_ = std::min(goal_, limits.visits);
    for (const std::uint64_t most : {std::uint64_t{limits.new_visits}, limits.nodes})
      if (most > 0)
        goal_ = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(goal_, visits_before_ + std::min<std::uint64_t>(most, goal_)));
    ending_ = false;
    {
      const std::scoped_lock end_lock(end_mutex_);
      running_ = threads_.size();
    }
    ++searches_;
    wake_.notify_all();
  }

  /// Waits until the search has ended or `time` has come; returns whether it has ended. Passes on
  /// what the evaluator threw.
  bool wait_until(Clock::time_point time) {
    {
      std::unique_lock lock(end_mutex_);
      if (!ended_.wait_until(lock, time, [this] { return running_ == 0; })) return false;
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return true;
  }
  /// Ends the search, and waits until it has ended.
  void stop() {
    ending_ = true;
    std::unique_lock lock(end_mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }

  /// Calls `look` with the search while no worker touches it.
  template <class Look>
  decltype(auto) look(Look&& look) {
    const auto lock = visit();
    return look(std::as_const(search_));
  }
  // During look() or after the end of a search:
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

  /// Forgets everything; no search may be running.
  void clear() {
    const auto lock = visit();
    has_position_ = false;
  }

  static constexpr std::uint32_t kMostVisits = (std::uint32_t{1} << 31) - 1;

 private:
  static constexpr std::uint64_t kVisitsPerEvaluation = 64;
  static constexpr std::size_t kMostInFlight = 65535;  // of ParentNode::in_flight
  /// Descents without a leaf to evaluate between two looks at the clock, the stop flag and who
  /// else wants the lock.
  static constexpr int kDescentsAtOnce = 64;

  /// The lock for another thread than a worker. Workers let it go first, which the mutex alone does
  /// not promise.
  std::unique_lock<std::mutex> visit() {
    visitors_.fetch_add(1);
    std::unique_lock lock(mutex_);
    visitors_.fetch_sub(1);
    turn_.notify_all();
    return lock;
  }

  void quit() {
    {
      const auto lock = visit();
      quitting_ = true;
      ending_ = true;
    }
    wake_.notify_all();
    threads_.clear();  // joins
  }

  void work() {
    EvalBatch<P> batch;
    PendingLeaves pending;
    std::unique_lock lock(mutex_);
    for (std::uint64_t searched = 0;;) {
      wake_.wait(lock, [&] { return quitting_ || searches_ != searched; });
      if (quitting_) return;
      searched = searches_;
      try {
        search_until_end(lock, batch, pending);
      } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        if (!failure_) failure_ = std::current_exception();
        ending_ = true;
        waiting_ -= pending.size();
        search_.abandon(pending);
        batch.clear();
        turn_.notify_all();
      }
      const std::scoped_lock end_lock(end_mutex_);
      if (--running_ == 0) ended_.notify_all();
    }
  }
  /// Enters and leaves with the lock and without pending leaves.
  void search_until_end(std::unique_lock<std::mutex>& lock, EvalBatch<P>& batch,
                        PendingLeaves& pending) {
    while (!is_over()) {
      turn_.wait(lock, [this] { return visitors_.load() == 0; });
      const bool blocked = !gather(batch, pending);
      if (batch.empty()) {
        if (blocked && waiting_ > 0)  // leaves of others are in the way, or all that may be made
          turn_.wait(lock);
        else  // the descents needed no evaluation: this worker would keep the lock for ever
          turn_.wait(lock, [this] { return appliers_.load() == 0; });
        continue;
      }
      lock.unlock();
      evaluator_.evaluate(batch);
      appliers_.fetch_add(1);
      lock.lock();
      appliers_.fetch_sub(1);
      waiting_ -= pending.size();
      search_.apply(batch, pending);
      batch.clear();
      turn_.notify_all();
    }
  }
  /// Fills a batch; returns false if the next leaf can only be gathered after others were applied.
  bool gather(EvalBatch<P>& batch, PendingLeaves& pending) {
    for (int descents = 0; batch.size() < limits_.leaves && descents < kDescentsAtOnce;
         ++descents) {
      if (search_.root_visits() + waiting_ >= goal_) return false;
      if (limits_.evaluations > 0 && evaluations_ >= limits_.evaluations) return false;
      if ((waiting_ + 1) * virtual_loss_ > kMostInFlight) return false;
      switch (search_.gather(batch, pending)) {
        case TreeSearch::Gathered::Leaf:
          ++evaluations_;
          ++waiting_;
          break;
        case TreeSearch::Gathered::Nothing:
          return false;
        case TreeSearch::Gathered::Terminal:
          break;
      }
    }
    return true;
  }

  /// Whether this worker has nothing more to do. A root without visits is evaluated in any case:
  /// there must be a result.
  bool is_over() {
    if (ending_) return true;
    if (search_.root_visits() + waiting_ >= goal_) return true;
    if (search_.root_visits() == 0) return false;
    const std::uint64_t visits = new_visits();
    bool over = (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) ||
                (limits_.time && Clock::now() - begin_ >= *limits_.time);
    if (limits_.evaluations > 0)
      over = over || evaluations_ >= limits_.evaluations ||
             visits >= kVisitsPerEvaluation * limits_.evaluations;
    // A tree that hardly grows may never get so deep.
    if (limits_.depth > 0)
      over = over || depth() >= limits_.depth ||
             visits >= kVisitsPerEvaluation * (evaluations_ + kVisitsPerEvaluation);
    if (over) {
      ending_ = true;
      turn_.notify_all();
    }
    return over;
  }

  Evaluator<P>& evaluator_;
  std::size_t virtual_loss_;

  std::mutex mutex_;               // guards the tree and everything down to `failure_`
  std::atomic<int> visitors_ = 0;  // threads other than workers that want the lock
  std::atomic<int> appliers_ = 0;  // workers that want it to apply their leaves
  std::condition_variable wake_;   // a search starts, or the workers quit
  /// Leaves were applied or abandoned, a visitor has the lock, or the search is ending.
  std::condition_variable turn_;
  TreeSearch search_;
  bool has_position_ = false;
  bool root_is_restricted_ = false;
  SearchLimits limits_;
  Clock::time_point begin_;
  std::uint32_t goal_ = 0;  // root visits at which the search ends
  std::uint32_t visits_before_ = 0;
  std::uint32_t evaluations_ = 0;
  std::size_t waiting_ = 0;  // leaves of all workers
  std::uint64_t searches_ = 0;
  std::atomic<bool> ending_ = false;  // also set without the lock
  bool quitting_ = false;
  std::exception_ptr failure_;

  std::mutex end_mutex_;           // taken last; guards running_
  std::condition_variable ended_;  // running_ became 0
  std::size_t running_ = 0;        // workers that have not ended this search

  std::vector<std::jthread> threads_;
};

}  // namespace faultline
