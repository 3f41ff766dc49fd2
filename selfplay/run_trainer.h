// What a run needs of a trainer: the only interface between the training loop and LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/training/train_batch.h"
#include "search/tree_search_settings.h"
#include "selfplay/actor_links.h"
#include "selfplay/game_samples.h"

namespace faultline {

/// A network in training. Used only by the learner's thread. NetworkTrainer is the production
/// implementation; tests use others, so that the loop runs without LibTorch.
class RunTrainer {
 public:
  virtual ~RunTrainer() = default;

  /// "net 6x64 (123456 parameters), libtorch cpu fp32": for the run's first line. Call publish()
  /// first.
  virtual std::string describe() const = 0;
  /// The planes that batches for step() must hold, with policies; null: inputs of fast networks.
  virtual const EncodingInfo* planes() const = 0;
  /// Optimiser steps so far, over all sessions.
  virtual std::int64_t steps() const = 0;
  virtual double learning_rate() const = 0;
  virtual void set_learning_rate(double rate) = 0;
  /// One optimiser step.
  virtual StepLosses step(const TrainBatch& batch) = 0;
  /// The losses on a batch, without learning from it.
  virtual StepLosses evaluate(const TrainBatch& batch) = 0;
  /// Writes a checkpoint: `file` is complete or untouched. `search`: how the network is to be
  /// searched when it plays.
  virtual void save(const std::filesystem::path& file, const TreeSearchSettings& search) const = 0;
  /// The bytes of a file of the networks that publish() gives: a checkpoint without the state of
  /// its training.
  virtual std::string playing_file(const TreeSearchSettings& search) const = 0;
  /// The current weights for actors. What it returns does not change with the next steps.
  virtual PlayingNet publish() = 0;
};

}  // namespace faultline
