// Batch norm, residual and ReLU in one operation, for training on a CPU.
#pragma once

#include <ATen/ATen.h>

namespace faultline {

/// The tensors of a batch norm, each [channels] floats; the running statistics are updated.
struct BatchNormTensors {
  at::Tensor gain, bias;
  at::Tensor mean, variance;
};

/// relu(norm(x) + residual) with the batch's statistics (Ioffe and Szegedy 2015), differentiable in
/// x, gain, bias and residual. x: [batch, channels, height, width], channels last, float or bf16;
/// so is `residual`, which may be undefined. On a CPU it passes over the board's values twice
/// forward and twice backward, where separate operations take more than twice as many passes; so it
/// does on a GPU where norm_kernels.h has kernels for it, and elsewhere it is those operations.
at::Tensor norm_relu(const at::Tensor& x, const BatchNormTensors& norm, const at::Tensor& residual);
/// Computes norm_relu() by LibTorch operations, for any device.
at::Tensor norm_relu_by_operations(const at::Tensor& x, const BatchNormTensors& norm,
                                   const at::Tensor& residual);

/// Share of the batch's statistics in the running ones.
inline constexpr double kBatchNormMomentum = 0.1;

}  // namespace faultline
