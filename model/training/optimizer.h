// SGD with Nesterov momentum and AdamW on one flat parameter tensor.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <ATen/ATen.h>

#include "model/training/train_params.h"

namespace faultline {

/// Used instead of LibTorch's optimizers: on flat tensors a step is a handful of operations
/// whatever the network's depth, and the state is plain arrays that a checkpoint can store.
class Optimizer {
 public:
  /// State for `parameters` ([n], on their device): zeroes.
  Optimizer(OptimizerKind kind, const at::Tensor& parameters);

  /// One step. Weight decay applies to the first `decaying` parameters. `gradient` is overwritten.
  /// `step`: 1 for the first. SGD: Sutskever et al. 2013 as LibTorch has it; AdamW: Loshchilov and
  /// Hutter 2019.
  void step(const TrainParams& params, at::Tensor parameters, at::Tensor gradient,
            std::int64_t decaying, std::int64_t step);

  /// By name, for checkpoints: "momentum", and for AdamW "variance".
  std::map<std::string, at::Tensor>& state() { return state_; }
  const std::map<std::string, at::Tensor>& state() const { return state_; }

 private:
  OptimizerKind kind_;
  std::map<std::string, at::Tensor> state_;
};

}  // namespace faultline
