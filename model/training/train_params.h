// What can be set about gradient steps. Config keys of the same names.
#pragma once

#include <cstdint>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

enum class OptimizerKind : std::uint8_t { SgdNesterov, AdamW };
/// "sgd", "adamw".
std::string_view name(OptimizerKind kind);
/// Throws std::invalid_argument that names what is allowed.
OptimizerKind parse_optimizer(std::string_view text);

struct TrainParams {
  OptimizerKind optimizer = OptimizerKind::AdamW;
  double learning_rate = 1e-3;
  double weight_decay = 1e-4;  // decoupled for adamw; biases and batch norms have none
  double momentum = 0.9;       // sgd; adamw's beta1
  double beta2 = 0.999;        // adamw
  double grad_clip = 5.0;      // largest norm of the whole gradient; 0: no limit
  double policy_weight = 1.0;
  double value_weight = 1.0;
  double moves_left_weight = 0.1;
  double ema_decay = 0.0;  // running mean of the weights, used for inference; 0: none
  int threads = 1;         // of a step on the CPU
};

/// Throws std::invalid_argument that names the field and its limits.
void check(const TrainParams& params);

nlohmann::json to_json(const TrainParams& params);
/// Throws std::runtime_error that names the missing or mistyped key.
TrainParams train_params_from_json(const nlohmann::json& json);

}  // namespace faultline
