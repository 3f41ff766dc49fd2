// The learner: a window of positions, a trainer, and how many steps are due.
#pragma once

#include <cstdint>

#include "base/background_task.h"
#include "model/training/train_batch.h"
#include "record/config.h"
#include "selfplay/game_samples.h"
#include "selfplay/run_trainer.h"
#include "selfplay/schedule.h"
#include "selfplay/window.h"

namespace faultline {

/// Used by one thread at a time. While the trainer makes a step, a thread of the learner's builds
/// the next batch, if another step is due: the batch of step n depends only on the seed, n, and the
/// window at the beginning of step n - 1. In a deterministic run it is the window of step n: a
/// batch is built again if games have arrived since.
class Learner {
 public:
  /// Both must outlive the learner.
  Learner(const Config& config, RunTrainer& trainer, const StepCount& count = {})
      : config_(&config), trainer_(&trainer), network_(trainer.planes()), count_(count) {}
  ~Learner() = default;
  Learner(const Learner&) = delete;  // the builder's thread refers to it
  Learner& operator=(const Learner&) = delete;

  /// Adds a finished game's positions to the window; `counted` of them are new to the run (0 when
  /// the window is refilled after a restart, as they have been counted).
  void add(GameSamples samples, std::uint64_t counted);
  /// Counts the positions of the run's earlier sessions.
  void count_positions(std::uint64_t positions);

  std::uint64_t window_capacity() const;
  /// Steps that are due but not done.
  std::int64_t lag() const;
  /// Steps that are due once the run has so many positions.
  std::int64_t steps_due(std::uint64_t positions) const {
    return faultline::steps_due(config_->learner, positions, count_);
  }
  bool may_step() const { return lag() > 0 && window_.size() > 0; }

  /// One step on a new batch. `done`: the fraction of the run that is done, for the learning rate.
  StepLosses step(double done);

  const Window& window() const { return window_; }
  std::uint64_t positions() const { return positions_; }

 private:
  static constexpr std::int64_t kNone = -1;

  void build(std::int64_t number, TrainBatch& batch) const;

  const Config* config_;
  RunTrainer* trainer_;
  const EncodingInfo* network_;
  StepCount count_;
  Window window_;                // the builder reads it: changed only while that is idle
  std::uint64_t positions_ = 0;  // training positions of all the run's games
  TrainBatch batch_;             // of the step that is being made
  TrainBatch next_;              // of step next_number_; the builder's while it works
  std::int64_t next_number_ = kNone;
  bool window_is_new_ = false;  // since the last step began
  BackgroundTask builder_;      // last: its thread ends before what it reads
};

}  // namespace faultline
