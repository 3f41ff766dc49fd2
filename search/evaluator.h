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
#include "search/network_identity.h"

namespace faultline {

/// What an evaluator keeps with a batch between submit and wait (input buffers, device tensors).
struct BatchWorkspace {
  virtual ~BatchWorkspace() = default;
  NetworkIdentity network = {};  // after wait: the network that evaluated the batch, if known
};

/// Leaves to be evaluated together, and their results. Filled by one thread, handed to
/// Evaluator::submit, read after Evaluator::wait; never accessed by two threads at once.
template <Position P>
class EvalBatch {
 public:
  void clear() {
    leaves_.clear();
    moves_.clear();
  }
  /// Adds a position that is not over, with all its legal moves in the order of legal_moves().
  /// `repetitions`: how often it occurred before (0, 1). Returns its index in the batch.
  std::size_t add(const P& position, int repetitions, std::span<const Move> moves) {
    assert(!moves.empty());
    leaves_.push_back({.position = position,
                       .repetitions = repetitions,
                       .first_move = static_cast<std::uint32_t>(moves_.size()),
                       .move_count = static_cast<std::uint32_t>(moves.size())});
    moves_.insert(moves_.end(), moves.begin(), moves.end());
    return leaves_.size() - 1;
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

  /// Allocates the results; to be called by the evaluator.
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
  struct Leaf {
    P position;
    int repetitions;
    std::uint32_t first_move;  // in moves_ and priors_
    std::uint32_t move_count;
  };
  std::vector<Leaf> leaves_;
  std::vector<Move> moves_;
  std::vector<Evaluation> evaluations_;
  std::vector<float> priors_;
};

/// Evaluates the positions of a batch. Safe to call from several threads at once, each with its own
/// batches. A thread may submit a second batch before it waits for the first: on a device the two
/// then overlap with the search; on a CPU submit() does the work and wait() returns at once.
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
