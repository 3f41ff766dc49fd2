// What a run needs of whatever it trains: the one seam between the run's loop and LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/encoding/encoding.h"
#include "model/training/train_batch.h"
#include "rules/position.h"
#include "search/evaluator.h"
#include "selfplay/game_record.h"

namespace faultline {

/// A network that learns, and the evaluator by which the actors play with it. Used by the learner's
/// thread alone, but for what evaluator() returns. NetworkTrainer is the real one; tests bring
/// others, so that the loop runs where LibTorch is not.
template <Position P>
class RunTrainer {
 public:
  virtual ~RunTrainer() = default;

  /// "net 6x64 (123456 parameters), libtorch cpu fp32": for the run's first line.
  virtual std::string describe() const = 0;
  /// Of the batches that step() takes.
  virtual const EncodingInfo& encoding() const = 0;
  /// Optimiser steps so far, over all sessions.
  virtual std::int64_t steps() const = 0;
  virtual double learning_rate() const = 0;
  virtual void set_learning_rate(double rate) = 0;
  /// One optimiser step.
  virtual StepLosses step(const TrainBatch& batch) = 0;
  /// Writes a checkpoint: `file` is whole or untouched.
  virtual void save(const std::filesystem::path& file) const = 0;

  /// What the actors ask; lives as long as this object. Needs a publish() first.
  virtual Evaluator<P>& evaluator() = 0;
  /// From now on evaluator() answers with the present weights; says which they are.
  virtual NetworkIdentity publish() = 0;
  /// Whether evaluation goes on while an actor searches (on a device), so that actors keep two
  /// batches in flight.
  virtual bool is_asynchronous() const = 0;
};

}  // namespace faultline
