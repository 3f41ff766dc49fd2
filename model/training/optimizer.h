// SGD with Nesterov momentum and AdamW on one flat parameter tensor.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <ATen/ATen.h>

#include "model/training/train_params.h"

namespace faultline {

/// One update of [n] parameters.
struct OptimizerStep {
  at::Tensor parameters;
  at::Tensor gradient;        // overwritten
  double gradient_scale = 1;  // for clipping: the gradient counts as multiplied by this
  std::int64_t decaying = 0;  // weight decay applies to this many leading parameters
  std::int64_t number = 1;    // of the step, 1 for the first
  at::Tensor rates = {};      // on the parameters' device; undefined: step_rates()
};

/// What changes from step to step: what remains of decaying parameters, the learning rate and, of
/// AdamW, both with the running means' bias correction: the rate, and the deviations' factor.
using StepRates = std::array<float, 3>;
StepRates step_rates(const TrainParams& params, std::int64_t number);

/// Used instead of LibTorch's optimizers: on flat tensors a step is one pass over the parameters
/// whatever the network's depth, and the state is plain arrays that a checkpoint can store.
class Optimizer {
 public:
  /// State for `parameters` ([n], on their device): zeroes.
  Optimizer(OptimizerKind kind, const at::Tensor& parameters);

  /// SGD: Sutskever et al. 2013 as LibTorch has it; AdamW: Loshchilov and Hutter 2019. On a CPU
  /// AdamW is one loop.
  void step(const TrainParams& params, const OptimizerStep& step);
  /// Makes the step by LibTorch operations, for any device. With `rates` given nothing that they
  /// hold is read on the host, so that the operations can be recorded.
  void step_by_operations(const TrainParams& params, const OptimizerStep& step);

  /// The optimiser's state by name, for checkpoints: "momentum", and for AdamW "variance".
  std::map<std::string, at::Tensor>& state() { return state_; }
  const std::map<std::string, at::Tensor>& state() const { return state_; }

 private:
  void adamw_loop(const TrainParams& params, const OptimizerStep& step);

  OptimizerKind kind_;
  std::map<std::string, at::Tensor> state_;
};

}  // namespace faultline
