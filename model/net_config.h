// The network's shape: what a config's [net] table sets and a checkpoint remembers.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

/// A residual tower (He et al. 2016) with optional squeeze-and-excitation (Hu et al. 2018), a
/// policy head that scores legal moves by square features, and a win/draw/loss + moves left head.
struct NetConfig {
  int blocks = 6;          // residual blocks, two 3x3 convolutions each
  int channels = 64;       // width of the tower
  int se_ratio = 0;        // squeeze to channels / this; 0: no squeeze-and-excitation
  int policy_dim = 32;     // d: length of a square's query and key vectors
  int value_channels = 8;  // planes that the value head sees
  int value_hidden = 64;   // its hidden layer

  friend bool operator==(const NetConfig&, const NetConfig&) = default;
};

/// "6x64", "10x128 se4": for logs.
std::string describe(const NetConfig& config);
/// Throws std::invalid_argument that names the field and its limits.
void check(const NetConfig& config);

nlohmann::json to_json(const NetConfig& config);
/// Throws std::runtime_error that names the missing or mistyped key.
NetConfig net_config_from_json(const nlohmann::json& json);

}  // namespace faultline
