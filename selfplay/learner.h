// The learner: a window of positions, a trainer, and how many steps are due.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/background_task.h"
#include "base/seeds.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/training/train_batch.h"
#include "record/config.h"
#include "selfplay/run_trainer.h"
#include "selfplay/schedule.h"
#include "selfplay/window.h"

namespace faultline {

/// Appends a position with its targets to a batch; `mirrored`: left and right exchanged, if the
/// game is the same then.
template <Position P>
void add_sample(const Sample<P>& sample, const EncodingInfo& encoding, TrainBatch& batch,
                bool mirrored = false) {
  std::vector<float> planes(encoding.floats());
  PositionEncoder<P>(encoding).encode(sample.position, sample.repetitions, planes);
  typename P::MoveList legal;
  sample.position.legal_moves(legal);
  std::vector<PolicyIndex> moves;
  moves.reserve(legal.size());
  for (const Move move : legal)
    moves.push_back(Encoder<P>::policy_index(sample.position, move));
  float sum = 0;
  for (const PolicyWeight& entry : sample.policy)
    sum += static_cast<float>(entry.weight);
  std::vector<float> policy(legal.size(), 0.0F);
  for (const PolicyWeight& entry : sample.policy)
    policy[entry.move] = static_cast<float>(entry.weight) / sum;
  if (mirrored) Encoder<P>::mirror(sample.position, planes, moves);
  batch.add(planes, moves, policy, sample.wdl, sample.moves_left);
}

/// Used by one thread at a time. While the trainer makes a step, a thread of the learner's builds
/// the next batch, if another step is due: the batch of step n depends only on the seed, n, and the
/// window at the beginning of step n - 1. In a deterministic run it is the window of step n: a
/// batch is built again if games have arrived since.
template <Position P>
class Learner {
 public:
  /// Both must outlive the learner.
  Learner(const Config& config, RunTrainer<P>& trainer, const StepCount& count = {})
      : config_(&config), trainer_(&trainer), encoding_(&trainer.encoding()), count_(count) {}
  ~Learner() = default;
  Learner(const Learner&) = delete;  // the builder's thread refers to it
  Learner& operator=(const Learner&) = delete;

  /// Adds a finished game's positions to the window; `counted` of them are new to the run (0 when
  /// the window is refilled after a restart, as they have been counted).
  void add(GameSamples<P> samples, std::uint64_t counted) {
    builder_.wait();
    positions_ += counted;
    window_.set_capacity(window_capacity());  // first: what it has room for must not leave
    window_.add(std::move(samples));
    window_is_new_ = true;
  }
  /// Counts the positions of the run's earlier sessions.
  void count_positions(std::uint64_t positions) {
    builder_.wait();
    positions_ += positions;
    window_.set_capacity(window_capacity());
    window_is_new_ = true;
  }

  std::uint64_t window_capacity() const {
    const ReplayConfig& replay = config_->replay;
    return window_size(positions_, static_cast<std::uint64_t>(replay.min_window),
                       static_cast<std::uint64_t>(replay.window), replay.window_share);
  }
  /// Steps that are due but not done.
  std::int64_t lag() const {
    const std::int64_t due = steps_due(positions_);
    return (config_->run.steps > 0 ? std::min(due, config_->run.steps) : due) - trainer_->steps();
  }
  /// Steps that are due once the run has so many positions.
  std::int64_t steps_due(std::uint64_t positions) const {
    return faultline::steps_due(config_->learner, positions, count_);
  }
  bool may_step() const { return lag() > 0 && window_.size() > 0; }

  /// One step on a new batch. `done`: the fraction of the run that is done, for the learning rate.
  StepLosses step(double done) {
    builder_.wait();
    const std::int64_t number = trainer_->steps();
    const bool stale = config_->run.deterministic && window_is_new_;
    if (next_number_ != number || stale) build(number, next_);
    std::swap(batch_, next_);
    next_number_ = kNone;
    window_is_new_ = false;
    if (lag() > 1) {
      next_number_ = number + 1;
      builder_.start([this] { build(next_number_, next_); });
    }
    trainer_->set_learning_rate(learning_rate(config_->learner, number, done));
    return trainer_->step(batch_);
  }

  const Window<P>& window() const { return window_; }
  std::uint64_t positions() const { return positions_; }

 private:
  static constexpr std::uint64_t kLearnerStream = 0x6c6561726e657221U;
  static constexpr std::int64_t kNone = -1;

  void build(std::int64_t number, TrainBatch& batch) const {
    std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config_->run.seed) ^ kLearnerStream,
                                 static_cast<std::uint64_t>(number)));
    batch.clear();
    for (int i = 0; i < config_->learner.batch; ++i) {
      const Sample<P> sample = window_.draw(rng);
      const bool mirrored = config_->learner.mirror && rng() % 2 == 0;
      add_sample(sample, *encoding_, batch, mirrored);
    }
  }

  const Config* config_;
  RunTrainer<P>* trainer_;
  const EncodingInfo* encoding_;
  StepCount count_;
  Window<P> window_;             // the builder reads it: changed only while that is idle
  std::uint64_t positions_ = 0;  // training positions of all the run's games
  TrainBatch batch_;             // of the step that is being made
  TrainBatch next_;              // of step next_number_; the builder's while it works
  std::int64_t next_number_ = kNone;
  bool window_is_new_ = false;  // since the last step began
  BackgroundTask builder_;      // last: its thread ends before what it reads
};

}  // namespace faultline
