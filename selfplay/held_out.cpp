// Losses on games that the network has not learned from yet.
#include "selfplay/held_out.h"

namespace faultline {

std::optional<HeldOutLosses> HeldOut::add(const GameSamples& game, RunTrainer& trainer) {
  for (std::size_t i = 0; i < game.size(); ++i)
    if (++seen_ % kOneIn == 0) add_sample(game[i], network_, batch_);
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

}  // namespace faultline
