// The network's shape: what a configuration's [net] sets and a checkpoint stores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/options.h"

namespace faultline {

/// A residual tower (He et al. 2016) with optional squeeze-and-excitation (Hu et al. 2018), a
/// policy head that scores legal moves by square features, and a win/draw/loss + moves left head.
/// options() documents each field and its range.
struct NetConfig {
  int blocks = 1;
  int channels = 32;
  int se_ratio = 0;
  int policy_dim = 32;
  int value_channels = 8;
  int value_hidden = 64;
  bool attack_planes = true;
  bool share_levels = false;

  friend bool operator==(const NetConfig&, const NetConfig&) = default;
};

/// The keys of [net], bound to `config`, which must outlive them.
std::vector<Option> options(NetConfig& config);
/// Contradicting keys, if any.
std::optional<Conflict> conflict(const NetConfig& config);

/// "6x64", "10x128 se4": for logs.
std::string describe(const NetConfig& config);
/// Throws OptionError, a std::invalid_argument, that names the key and its limits.
void check(const NetConfig& config);

nlohmann::json to_json(const NetConfig& config);
/// Throws std::runtime_error naming the key that is missing, has the wrong type or is out of range.
NetConfig net_config_from_json(const nlohmann::json& json);

}  // namespace faultline
