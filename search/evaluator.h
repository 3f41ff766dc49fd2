// The interface between search and what evaluates positions: a network, or a trivial evaluator.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rules/position.h"
#include "search/evaluation.h"

namespace faultline {

/// What an evaluator keeps with a batch between submit and wait (input buffers, device tensors).
struct BatchWorkspace {
  virtual ~BatchWorkspace() = default;
};

/// Leaves to be evaluated together, and their results. Filled by one thread, handed to
/// Evaluator::submit, read after Evaluator::wait; never accessed by two threads at once. A leaf
/// whose evaluation is already known (from a cache, for example) is kept among the others, and
/// evaluators skip it.
template <Position P>
class EvalBatch {
 public:
  void clear() {
    leaves_.clear();
    moves_.clear();
    unanswered_ = 0;
    unanswered_moves_ = 0;
  }
  /// Adds a position that is not over, with all its legal moves in the order of legal_moves().
  /// `repetitions`: how often it occurred before (0, 1). Returns its index in the batch.
  std::size_t add(const P& position, int repetitions, std::span<const Move> moves) {
    ++unanswered_;
    unanswered_moves_ += moves.size();
    return append(position, repetitions, moves, false);
  }
  /// The same with its evaluation, which can be read immediately. `priors`: one per move.
  std::size_t add_answered(const P& position, int repetitions, std::span<const Move> moves,
                           const Evaluation& evaluation, std::span<const float> priors) {
    assert(priors.size() == moves.size());
    const std::size_t index = append(position, repetitions, moves, true);
    prepare_results();
    evaluations_[index] = evaluation;
    std::ranges::copy(priors, priors_.data() + leaves_[index].first_move);
    return index;
  }

  std::size_t size() const { return leaves_.size(); }
  bool empty() const { return leaves_.empty(); }
  const P& position(std::size_t i) const { return leaves_[i].position; }
  int repetitions(std::size_t i) const { return leaves_[i].repetitions; }
  std::span<const Move> moves(std::size_t i) const {
    return {moves_.data() + first_move(i), leaves_[i].move_count};
  }
  std::size_t total_moves() const { return moves_.size(); }
  /// The index of position i's first move (and prior) among all of the batch's, i = 0 … size().
  std::size_t first_move(std::size_t i) const {
    return i < leaves_.size() ? leaves_[i].first_move : moves_.size();
  }

  /// Whether position i was added with its evaluation: evaluators leave it unchanged.
  bool answered(std::size_t i) const { return leaves_[i].answered; }
  /// The number of positions that still need an evaluation, and of their moves.
  std::size_t unanswered() const { return unanswered_; }
  std::size_t unanswered_moves() const { return unanswered_moves_; }

  /// For the evaluator: allocates the results, keeping those already present.
  void prepare_results() {
    evaluations_.resize(size());
    priors_.resize(moves_.size());
  }
  Evaluation& evaluation(std::size_t i) { return evaluations_[i]; }
  const Evaluation& evaluation(std::size_t i) const { return evaluations_[i]; }
  /// One prior per legal move, in the moves' order; they sum to 1.
  std::span<float> priors(std::size_t i) {
    return {priors_.data() + first_move(i), leaves_[i].move_count};
  }
  std::span<const float> priors(std::size_t i) const {
    return {priors_.data() + first_move(i), leaves_[i].move_count};
  }

  /// Owned by the evaluator that the batch is submitted to; it may keep buffers here from one
  /// submission to the next.
  std::unique_ptr<BatchWorkspace> workspace;

 private:
  std::size_t append(const P& position, int repetitions, std::span<const Move> moves,
                     bool answered) {
    assert(!moves.empty());
    leaves_.push_back({.position = position,
                       .repetitions = repetitions,
                       .first_move = static_cast<std::uint32_t>(moves_.size()),
                       .move_count = static_cast<std::uint32_t>(moves.size()),
                       .answered = answered});
    moves_.insert(moves_.end(), moves.begin(), moves.end());
    return leaves_.size() - 1;
  }

  struct Leaf {
    P position;
    int repetitions;
    std::uint32_t first_move;  // in moves_ and priors_
    std::uint32_t move_count;
    bool answered;
  };
  std::vector<Leaf> leaves_;
  std::vector<Move> moves_;
  std::size_t unanswered_ = 0;
  std::size_t unanswered_moves_ = 0;
  std::vector<Evaluation> evaluations_;
  std::vector<float> priors_;
};

/// Evaluates the positions of a batch that have no evaluation yet. Safe to call from several
/// threads at once, each with its own batches. A thread may submit a second batch before it waits
/// for the first: on a device the two then overlap with the search; on a CPU submit() does the work
/// and wait() returns at once.
template <Position P>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual void submit(EvalBatch<P>& batch) = 0;
  virtual void wait(EvalBatch<P>& batch) = 0;
  void evaluate(EvalBatch<P>& batch) {
    submit(batch);
    wait(batch);
  }
};

/// Uniform priors, every position a draw: costs nothing; for tests, speed limits, and as the
/// opponent "uniform" in matches.
template <Position P>
class UniformEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    batch.prepare_results();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.answered(i)) continue;
      batch.evaluation(i) = Evaluation{};
      const auto priors = batch.priors(i);
      const float share = 1.0F / static_cast<float>(priors.size());
      for (float& prior : priors)
        prior = share;
    }
  }
  void wait(EvalBatch<P>&) override {}
};

}  // namespace faultline
