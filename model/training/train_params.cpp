// Checks and text forms of the training parameters.
#include "model/training/train_params.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"

namespace faultline {
namespace {

void require(bool good, const char* field, double value, const char* wanted) {
  if (!good)
    throw std::invalid_argument("train." + std::string(field) + " is " + std::to_string(value) +
                                "; it must be " + wanted);
}

}  // namespace

std::string_view name(OptimizerKind kind) {
  return kind == OptimizerKind::SgdNesterov ? "sgd" : "adamw";
}

OptimizerKind parse_optimizer(std::string_view text) {
  if (text == "sgd") return OptimizerKind::SgdNesterov;
  if (text == "adamw") return OptimizerKind::AdamW;
  throw std::invalid_argument("unknown optimizer '" + std::string(text) +
                              "'; allowed are sgd, adamw");
}

void check(const TrainParams& p) {
  require(p.learning_rate > 0 && std::isfinite(p.learning_rate), "learning_rate", p.learning_rate,
          "positive");
  require(p.weight_decay >= 0 && p.weight_decay < 1, "weight_decay", p.weight_decay,
          "at least 0 and less than 1");
  require(p.momentum >= 0 && p.momentum < 1, "momentum", p.momentum, "at least 0 and less than 1");
  require(p.beta2 >= 0 && p.beta2 < 1, "beta2", p.beta2, "at least 0 and less than 1");
  require(p.grad_clip >= 0, "grad_clip", p.grad_clip, "at least 0 (0: no limit)");
  require(p.policy_weight >= 0, "policy_weight", p.policy_weight, "at least 0");
  require(p.value_weight >= 0, "value_weight", p.value_weight, "at least 0");
  require(p.moves_left_weight >= 0, "moves_left_weight", p.moves_left_weight, "at least 0");
  require(p.ema_decay >= 0 && p.ema_decay < 1, "ema_decay", p.ema_decay,
          "at least 0 and less than 1 (0: none)");
  require(p.threads >= 1, "threads", p.threads, "at least 1");
}

nlohmann::json to_json(const TrainParams& p) {
  return {{"optimizer", name(p.optimizer)},
          {"learning_rate", p.learning_rate},
          {"weight_decay", p.weight_decay},
          {"momentum", p.momentum},
          {"beta2", p.beta2},
          {"grad_clip", p.grad_clip},
          {"policy_weight", p.policy_weight},
          {"value_weight", p.value_weight},
          {"moves_left_weight", p.moves_left_weight},
          {"ema_decay", p.ema_decay},
          {"threads", p.threads}};
}

TrainParams train_params_from_json(const nlohmann::json& json) {
  const std::string what = "train";
  TrainParams p;
  try {
    p.optimizer = parse_optimizer(json_field<std::string>(json, "optimizer", what));
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(what + ": " + error.what());
  }
  p.learning_rate = json_field<double>(json, "learning_rate", what);
  p.weight_decay = json_field<double>(json, "weight_decay", what);
  p.momentum = json_field<double>(json, "momentum", what);
  p.beta2 = json_field<double>(json, "beta2", what);
  p.grad_clip = json_field<double>(json, "grad_clip", what);
  p.policy_weight = json_field<double>(json, "policy_weight", what);
  p.value_weight = json_field<double>(json, "value_weight", what);
  p.moves_left_weight = json_field<double>(json, "moves_left_weight", what);
  p.ema_decay = json_field<double>(json, "ema_decay", what);
  p.threads = json_field<int>(json, "threads", what);
  return p;
}

}  // namespace faultline
