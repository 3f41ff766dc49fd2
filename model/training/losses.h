// The losses of a batch.
#pragma once

#include <ATen/ATen.h>

#include "model/training/network.h"
#include "model/training/staged_batch.h"
#include "model/training/train_batch.h"
#include "model/training/train_params.h"

namespace faultline {

/// The differentiable total, and the values of StepLosses as one tensor, so that the device is
/// synchronised once.
struct Losses {
  at::Tensor total;
  at::Tensor numbers;  // [7]: policy, entropy, value, moves left, policy and value accuracy, total
};

/// On a CPU; `batch` must live until the backward pass.
Losses compute_losses(const NetworkWeights& weights, const TrainParams& params,
                      const NetworkOutput& out, const TrainBatch& batch);
/// On the device of the network and the batch.
Losses compute_losses(const NetworkWeights& weights, const TrainParams& params,
                      const NetworkOutput& out, const StagedBatch& batch);

/// `numbers`: Losses::numbers, and optionally the gradient's norm.
StepLosses to_step_losses(const at::Tensor& numbers);

/// The batch's planes as a tensor of its own, channels last, of type `type`.
at::Tensor planes_of(const TrainBatch& batch, const EncodingInfo& encoding, at::ScalarType type);
at::Tensor planes_of(const at::Tensor& planes, at::ScalarType type);

}  // namespace faultline
