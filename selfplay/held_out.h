// Losses on games that the network has not learned from yet.
#pragma once

#include <cstddef>
#include <optional>

#include "model/training/train_batch.h"
#include "selfplay/game_samples.h"
#include "selfplay/held_out_losses.h"
#include "selfplay/run_trainer.h"

namespace faultline {

/// Samples arriving games. Used by the learner's thread.
class HeldOut {
 public:
  /// One in so many positions is evaluated: with a replay ratio of 4 a hundredth of the work of
  /// learning from all.
  static constexpr std::size_t kOneIn = 8;

  /// `network`: as RunTrainer::planes(); `batch`: positions per evaluation.
  HeldOut(const EncodingInfo* network, std::size_t batch) : network_(network), size_(batch) {}

  /// Call before the game is learned from. The losses of a batch when one is full.
  std::optional<HeldOutLosses> add(const GameSamples& game, RunTrainer& trainer);

 private:
  const EncodingInfo* network_;
  std::size_t size_;
  std::size_t seen_ = 0;
  TrainBatch batch_;
};

}  // namespace faultline
