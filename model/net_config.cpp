// Checks and text forms of a network's shape.
#include "model/net_config.h"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"

namespace faultline {
namespace {

void check_range(const char* field, int value, int low, int high) {
  if (value < low || value > high)
    throw std::invalid_argument("net." + std::string(field) + " is " + std::to_string(value) +
                                "; it must lie between " + std::to_string(low) + " and " +
                                std::to_string(high));
}

}  // namespace

std::string describe(const NetConfig& config) {
  std::string text = std::to_string(config.blocks) + "x" + std::to_string(config.channels);
  if (config.se_ratio > 0) text += " se" + std::to_string(config.se_ratio);
  return text;
}

void check(const NetConfig& config) {
  check_range("blocks", config.blocks, 1, 100);
  check_range("channels", config.channels, 4, 2048);
  check_range("se_ratio", config.se_ratio, 0, config.channels);
  check_range("policy_dim", config.policy_dim, 1, 1024);
  check_range("value_channels", config.value_channels, 1, 1024);
  check_range("value_hidden", config.value_hidden, 1, 4096);
}

nlohmann::json to_json(const NetConfig& config) {
  return {{"blocks", config.blocks},
          {"channels", config.channels},
          {"se_ratio", config.se_ratio},
          {"policy_dim", config.policy_dim},
          {"value_channels", config.value_channels},
          {"value_hidden", config.value_hidden}};
}

NetConfig net_config_from_json(const nlohmann::json& json) {
  const std::string what = "net";
  NetConfig config;
  config.blocks = json_field<int>(json, "blocks", what);
  config.channels = json_field<int>(json, "channels", what);
  config.se_ratio = json_field<int>(json, "se_ratio", what);
  config.policy_dim = json_field<int>(json, "policy_dim", what);
  config.value_channels = json_field<int>(json, "value_channels", what);
  config.value_hidden = json_field<int>(json, "value_hidden", what);
  return config;
}

}  // namespace faultline
