// The policy's cross-entropy: on a CPU fused loops with the gradient in closed form, elsewhere
// LibTorch operations.
#pragma once

#include <ATen/ATen.h>

#include "model/training/train_batch.h"

namespace faultline {

class NetworkWeights;
struct MoveIndex;

/// Means over the positions that have a policy target, as scalars on the network's device.
struct PolicyLoss {
  at::Tensor loss;      // cross-entropy in nats, differentiable
  at::Tensor entropy;   // the targets' own
  at::Tensor accuracy;  // share of positions whose likeliest move is the target's
};

/// On a CPU. `vectors`: NetworkOutput::policy_vectors. A position's
/// gradient with respect to its logits is softmax(logits) - targets, so that one pass over the
/// moves gives the losses and another all gradients. LibTorch's scatter-add (the gradient of a
/// gather), which works row by row, would cost more than a small tower.
PolicyLoss policy_loss(const NetworkWeights& weights, const at::Tensor& vectors,
                       const TrainBatch& batch);
/// Computes the loss by gathers and LibTorch's softmax, for any device. `targets`: [moves].
PolicyLoss policy_loss_by_gathers(const NetworkWeights& weights, const at::Tensor& vectors,
                                  const MoveIndex& moves, const at::Tensor& targets);

}  // namespace faultline
