// SGD with Nesterov momentum and AdamW on one flat parameter tensor.
#include "model/training/optimizer.h"

#include <cmath>

#include <c10/core/GradMode.h>

namespace faultline {
namespace {

constexpr double kEpsilon = 1e-8;

/// 1 - beta^step: what the running means lack because they began at zero.
double bias_correction(double beta, std::int64_t step) {
  return 1 - std::pow(beta, static_cast<double>(step));
}

}  // namespace

StepRates step_rates(const TrainParams& params, std::int64_t number) {
  const bool adamw = params.optimizer == OptimizerKind::AdamW;
  return {static_cast<float>(1 - params.learning_rate * params.weight_decay),
          static_cast<float>(params.learning_rate /
                             (adamw ? bias_correction(params.momentum, number) : 1)),
          static_cast<float>(1 / std::sqrt(bias_correction(params.beta2, number)))};
}

Optimizer::Optimizer(OptimizerKind kind, const at::Tensor& parameters) : kind_(kind) {
  state_["momentum"] = at::zeros_like(parameters);
  if (kind == OptimizerKind::AdamW) state_["variance"] = at::zeros_like(parameters);
}

void Optimizer::step(const TrainParams& params, const OptimizerStep& step) {
  if (kind_ == OptimizerKind::AdamW && step.parameters.is_cpu())
    adamw_loop(params, step);
  else
    step_by_operations(params, step);
}

void Optimizer::adamw_loop(const TrainParams& params, const OptimizerStep& step) {
  auto* const p = step.parameters.data_ptr<float>();
  const auto* const g = step.gradient.data_ptr<float>();
  auto* const m = state_.at("momentum").data_ptr<float>();
  auto* const v = state_.at("variance").data_ptr<float>();
  const auto gradient_scale = static_cast<float>(step.gradient_scale);
  const auto beta1 = static_cast<float>(params.momentum), beta2 = static_cast<float>(params.beta2);
  const auto [decay, rate, unbias] = step_rates(params, step.number);
  const auto loop = [&, rate = rate, unbias = unbias](std::int64_t begin, std::int64_t end,
                                                      float keep) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) {
      const float gradient = g[i] * gradient_scale;
      m[i] += (gradient - m[i]) * (1 - beta1);
      v[i] = v[i] * beta2 + gradient * gradient * (1 - beta2);
      const float deviation = std::sqrt(v[i]) * unbias + static_cast<float>(kEpsilon);
      p[i] = p[i] * keep - rate * m[i] / deviation;
    }
  };
  loop(0, step.decaying, decay);
  loop(step.decaying, step.parameters.numel(), 1.0F);
}

void Optimizer::step_by_operations(const TrainParams& params, const OptimizerStep& step) {
  const c10::NoGradGuard no_grad;
  const auto decayed = step.parameters.narrow(0, 0, step.decaying);
  const StepRates own = step_rates(params, step.number);
  const auto rates = step.rates.defined()
                         ? step.rates
                         : at::tensor(at::ArrayRef<float>(own)).to(step.parameters.device());
  at::Tensor& momentum = state_.at("momentum");
  if (step.gradient_scale != 1) step.gradient.mul_(step.gradient_scale);
  if (kind_ == OptimizerKind::SgdNesterov) {
    step.gradient.narrow(0, 0, step.decaying).add_(decayed, params.weight_decay);
    momentum.mul_(params.momentum).add_(step.gradient);
    step.parameters.sub_(step.gradient.add_(momentum, params.momentum).mul_(rates[1]));
    return;
  }
  at::Tensor& variance = state_.at("variance");
  decayed.mul_(rates[0]);
  momentum.lerp_(step.gradient, 1 - params.momentum);
  variance.mul_(params.beta2).addcmul_(step.gradient, step.gradient, 1 - params.beta2);
  const auto deviation = variance.sqrt().mul_(rates[2]).add_(kEpsilon);
  step.parameters.sub_(momentum.div(deviation).mul_(rates[1]));
}

}  // namespace faultline
