// What a run needs of a trainer: the only interface between the training loop and LibTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "model/encoding/encoding.h"
#include "model/training/train_batch.h"
#include "record/game_record.h"
#include "rules/position.h"
#include "search/evaluator.h"
#include "search/tree_search_settings.h"

namespace faultline {

/// A network in training, and the evaluator through which the actors use it. Used only by the
/// learner's thread, except for what evaluator() returns. NetworkTrainer is the production
/// implementation; tests use others, so that the loop runs without LibTorch.
template <Position P>
class RunTrainer {
 public:
  virtual ~RunTrainer() = default;

  /// "net 6x64 (123456 parameters), libtorch cpu fp32": for the run's first line.
  virtual std::string describe() const = 0;
  /// The encoding of the batches that step() takes.
  virtual const EncodingInfo& encoding() const = 0;
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

  /// The actors' evaluator; lives as long as this object. Call publish() first.
  virtual Evaluator<P>& evaluator() = 0;
  /// Makes evaluator() use the current weights from now on; returns their identity.
  virtual NetworkIdentity publish() = 0;
  /// The number of positions that the evaluator's batches should have.
  virtual std::size_t batch() const = 0;
  /// Whether evaluation continues while an actor searches (on a device), so that actors keep two
  /// batches in flight. Call publish() first.
  virtual bool is_asynchronous() const = 0;
};

}  // namespace faultline
