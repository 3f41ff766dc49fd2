// SGD with Nesterov momentum and AdamW on one flat parameter tensor.
#include "model/training/optimizer.h"

#include <cmath>

#include <c10/core/GradMode.h>

namespace faultline {

Optimizer::Optimizer(OptimizerKind kind, const at::Tensor& parameters) : kind_(kind) {
  state_["momentum"] = at::zeros_like(parameters);
  if (kind == OptimizerKind::AdamW) state_["variance"] = at::zeros_like(parameters);
}

void Optimizer::step(const TrainParams& params, at::Tensor parameters, at::Tensor gradient,
                     std::int64_t decaying, std::int64_t step) {
  const c10::NoGradGuard no_grad;
  const auto decayed = parameters.narrow(0, 0, decaying);
  at::Tensor& momentum = state_.at("momentum");
  if (kind_ == OptimizerKind::SgdNesterov) {
    gradient.narrow(0, 0, decaying).add_(decayed, params.weight_decay);
    momentum.mul_(params.momentum).add_(gradient);
    parameters.add_(gradient.add_(momentum, params.momentum), -params.learning_rate);
    return;
  }
  at::Tensor& variance = state_.at("variance");
  const auto t = static_cast<double>(step);
  const double bias1 = 1 - std::pow(params.momentum, t), bias2 = 1 - std::pow(params.beta2, t);
  constexpr double kEpsilon = 1e-8;
  decayed.mul_(1 - params.learning_rate * params.weight_decay);
  momentum.lerp_(gradient, 1 - params.momentum);
  variance.mul_(params.beta2).addcmul_(gradient, gradient, 1 - params.beta2);
  const auto deviation = variance.sqrt().div_(std::sqrt(bias2)).add_(kEpsilon);
  parameters.addcdiv_(momentum, deviation, -params.learning_rate / bias1);
}

}  // namespace faultline
