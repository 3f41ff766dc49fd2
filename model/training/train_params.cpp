// Declaration, checks and JSON form of the settings of a gradient step.
#include "model/training/train_params.h"

#include <cstddef>
#include <iterator>
#include <string>

#include <nlohmann/json.hpp>

namespace faultline {
namespace {

/// The optimisers' names by the enumerators' numbers.
constexpr std::string_view kOptimizers[] = {"sgd", "adamw"};
constexpr std::string_view kPrecisions[] = {"fp32", "bf16", "auto"};

}  // namespace

std::string_view name(OptimizerKind kind) {
  return kOptimizers[static_cast<std::size_t>(kind)];
}

std::string_view name(TrainingPrecision precision) {
  return kPrecisions[static_cast<std::size_t>(precision)];
}

std::vector<Option> options(TrainParams& p) {
  return {
      {"optimizer", EnumField(&p.optimizer),
       Choices{{std::begin(kOptimizers), std::end(kOptimizers)}},
       "`sgd` (with Nesterov momentum) or `adamw` (Loshchilov and Hutter 2019)."},
      {"learning_rate", &p.learning_rate, Range{0, 10}, "Learning rate after the warm-up."},
      {"weight_decay", &p.weight_decay, Range{0, 1},
       "Weight decay, decoupled for `adamw`. Biases and batch norms have none."},
      {"momentum", &p.momentum, Range{0, 0.9999}, "Momentum of `sgd`, beta1 of `adamw`."},
      {"beta2", &p.beta2, Range{0, 0.99999}, "beta2 of `adamw`; `sgd` has none."},
      {"gradient_clip",
       &p.gradient_clip,
       Range{0, 1e9},
       "Gradients with a larger norm are scaled down to this norm. 0: no limit.",
       {"grad_clip"}},
      {"policy_weight", &p.policy_weight, Range{0, 100}, "Weight of the policy loss."},
      {"value_weight", &p.value_weight, Range{0, 100}, "Weight of the win/draw/loss loss."},
      {"moves_left_weight", &p.moves_left_weight, Range{0, 100}, "Weight of the moves-left loss."},
      {"threads", &p.threads, Range{0, 1024},
       "CPU threads of a training step. 0: 1, which leaves the other cores to the actors."},
      {"precision", EnumField(&p.precision),
       Choices{{std::begin(kPrecisions), std::end(kPrecisions)}},
       "Number format of the tower in a training step: `fp32`, `bf16` (weights, their updates, "
       "norms' statistics and losses stay in fp32), or `auto`: bf16 on a CPU with instructions for "
       "it unless the run is deterministic, otherwise fp32 (docs/training.md)."},
  };
}

void check(const TrainParams& params) {
  TrainParams copy = params;
  check_options(options(copy), "learner");
}

nlohmann::json to_json(const TrainParams& params) {
  TrainParams copy = params;
  return options_to_json(options(copy));
}

TrainParams train_params_from_json(const nlohmann::json& json) {
  TrainParams params;
  nlohmann::json complete = json;
  // Earlier versions had no such key.
  if (complete.is_object()) complete.emplace("precision", name(TrainingPrecision::Fp32));
  options_from_json(options(params), complete, "train");
  return params;
}

}  // namespace faultline
