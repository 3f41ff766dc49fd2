// The policy's logits and their gradients as plain loops, for training on a CPU, where LibTorch's
// scatter-add (the gradient of a gather) works row by row and costs more than the tower.
#pragma once

#include <ATen/ATen.h>

namespace faultline {

struct MoveIndex;

/// [moves] logits, differentiable in the first four; see policy_logits() in network.h. queries and
/// keys: [rows, d], kind_queries: [kinds, d], kind_biases: [kinds]; floats on the CPU.
at::Tensor policy_dots(const at::Tensor& queries, const at::Tensor& keys,
                       const at::Tensor& kind_queries, const at::Tensor& kind_biases,
                       const MoveIndex& moves);

}  // namespace faultline
