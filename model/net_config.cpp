// Declaration, checks and text forms of a network's shape.
#include "model/net_config.h"

#include <nlohmann/json.hpp>

namespace faultline {

std::vector<Option> options(NetConfig& c) {
  return {
      {"blocks", &c.blocks, Range{1, 80}, "Residual blocks of two 3x3 convolutions each."},
      {"channels", &c.channels, Range{4, 1024}, "Channels of the residual tower."},
      {"se_ratio", &c.se_ratio, Range{0, 64},
       "Squeeze-and-excitation in every block, squeezing to `channels / se_ratio` values (Hu et "
       "al. 2018). 0: none."},
      {"policy_dim", &c.policy_dim, Range{4, 512},
       "Length of each square's query and key vectors in the policy head."},
      {"value_channels", &c.value_channels, Range{1, 256}, "Input planes of the value head."},
      {"value_hidden", &c.value_hidden, Range{4, 1024}, "Width of the value head's hidden layer."},
      {"attack_planes", &c.attack_planes, Anything{},
       "The network also sees which squares each side attacks, with one piece and with several, "
       "which a small tower cannot find out by itself. Runs that earlier versions began have "
       "none."},
      {"share_levels", &c.share_levels, Anything{},
       "Inferno: each level is a board of its own for one tower, which exchanges averages between "
       "them, instead of planes of one board. Such a network fits any number of levels."},
  };
}

std::optional<Conflict> conflict(const NetConfig& config) {
  if (config.se_ratio > config.channels) return Conflict{"se_ratio", "must not exceed", "channels"};
  return std::nullopt;
}

std::string describe(const NetConfig& config) {
  std::string text = std::to_string(config.blocks) + "x" + std::to_string(config.channels);
  if (config.se_ratio > 0) text += " se" + std::to_string(config.se_ratio);
  if (config.share_levels) text += " per level";
  return text;
}

void check(const NetConfig& config) {
  NetConfig copy = config;
  check_options(options(copy), "net");
  if (const auto found = conflict(config)) refuse_conflict(options(copy), "net", *found);
}

nlohmann::json to_json(const NetConfig& config) {
  NetConfig copy = config;
  return options_to_json(options(copy));
}

NetConfig net_config_from_json(const nlohmann::json& json) {
  NetConfig config;
  nlohmann::json complete = json;
  // Earlier versions had no such keys.
  if (complete.is_object())
    for (const char* key : {"attack_planes", "share_levels"})
      complete.emplace(key, false);
  options_from_json(options(config), complete, "net");
  return config;
}

}  // namespace faultline
