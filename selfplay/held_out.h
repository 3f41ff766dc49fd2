// Losses on games that the network has not learned from yet.
#pragma once

#include <cstddef>
#include <optional>

#include "model/training/train_batch.h"
#include "selfplay/held_out_losses.h"
#include "selfplay/learner.h"
#include "selfplay/run_trainer.h"
#include "selfplay/window.h"

namespace faultline {

/// Samples arriving games. Used by the learner's thread.
template <Position P>
class HeldOut {
 public:
  /// One in so many positions is evaluated: with a replay ratio of 4 a hundredth of the work of
  /// learning from all.
  static constexpr std::size_t kOneIn = 8;

  /// `batch`: positions per evaluation. The encoding must outlive it.
  HeldOut(const EncodingInfo& encoding, std::size_t batch) : encoding_(&encoding), size_(batch) {}

  /// Call before the game is learned from. The losses of a batch when one is full.
  std::optional<HeldOutLosses> add(const GameSamples<P>& game, RunTrainer<P>& trainer) {
    for (std::size_t i = 0; i < game.size(); ++i)
      if (++seen_ % kOneIn == 0) add_sample(game[i], *encoding_, batch_);
    if (batch_.count < size_) return std::nullopt;
    const StepLosses losses = trainer.evaluate(batch_);
    HeldOutLosses result{.positions = static_cast<double>(batch_.count),
                         .policy = losses.policy,
                         .policy_entropy = losses.policy_entropy,
                         .value = losses.value};
    for (std::size_t i = 0; i < batch_.wdl.size(); ++i)
      result.wdl[i % 3] += static_cast<double>(batch_.wdl[i]) / result.positions;
    batch_.clear();
    return result;
  }

 private:
  const EncodingInfo* encoding_;
  std::size_t size_;
  std::size_t seen_ = 0;
  TrainBatch batch_;
};

}  // namespace faultline
