// The settings of a gradient step: keys of a configuration's [learner] that a checkpoint stores.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/options.h"

namespace faultline {

enum class OptimizerKind : std::uint8_t { SgdNesterov, AdamW };
/// "sgd", "adamw".
std::string_view name(OptimizerKind kind);

/// Number format of a training step's tower; weights, their updates, norms' statistics and losses
/// are floats in both. Auto is for configurations: a run settles it.
enum class TrainingPrecision : std::uint8_t { Fp32, Bf16, Auto };
/// "fp32", "bf16", "auto".
std::string_view name(TrainingPrecision precision);

/// options() documents each field and its range.
struct TrainParams {
  OptimizerKind optimizer = OptimizerKind::AdamW;
  double learning_rate = 3e-3;
  double weight_decay = 0.03;
  double momentum = 0.9;
  double beta2 = 0.999;
  double gradient_clip = 5.0;
  double policy_weight = 1.0;
  double value_weight = 1.0;
  double moves_left_weight = 0.02;
  int threads = 0;
  TrainingPrecision precision = TrainingPrecision::Auto;
};

/// The keys of [learner] that the trainer itself uses, bound to `params`, which must outlive them.
std::vector<Option> options(TrainParams& params);

/// Throws OptionError, a std::invalid_argument, that names the key as "learner.NAME" and its
/// limits.
void check(const TrainParams& params);

nlohmann::json to_json(const TrainParams& params);
/// Reads the parameters, also from headers of earlier versions. Throws std::runtime_error naming
/// the key that is missing, has the wrong type or is out of range.
TrainParams train_params_from_json(const nlohmann::json& json);

}  // namespace faultline
