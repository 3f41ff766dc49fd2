// Batch norm and what follows it by this program's kernels for GPUs, for training in bf16.
#pragma once

#include <ATen/ATen.h>

#include "model/training/norm_relu.h"

namespace faultline {

/// The two layers of a squeeze-and-excitation (Hu et al. 2018), float.
struct SqueezeExciteTensors {
  at::Tensor squeeze, squeeze_bias;  // [squeezed, channels], [squeezed]
  at::Tensor excite, excite_bias;  // [2 * channels, squeezed], [2 * channels]: gates, then offsets
};

/// Whether the functions below compute for such an x: bf16 on a GPU with a number of channels that
/// the kernels take, if they compute on that GPU what they compute on the CPU (tried at the first
/// time).
bool norm_kernels_fit(const at::Tensor& x);

/// norm_relu() in two passes over x forward and two backward. On a CPU the kernels run as loops.
at::Tensor norm_relu_by_kernels(const at::Tensor& x, const BatchNormTensors& norm,
                                const at::Tensor& residual);

/// relu(norm(x) * gates + offsets + residual) in as many passes, where sigmoid(gates) and offsets
/// are the excitation of norm(x)'s means over each board.
at::Tensor norm_squeeze_excite_by_kernels(const at::Tensor& x, const BatchNormTensors& norm,
                                          const at::Tensor& residual,
                                          const SqueezeExciteTensors& layers);

}  // namespace faultline
