// Reads how a net is to be searched.
#include "model/net_search.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/toml_node.h"
#include "model/checkpoint.h"
#include "model/checkpoint_folder.h"

namespace faultline {
namespace {

/// [search] of a run's configuration, as far as it is about playing.
TreeSearchSettings run_search(const std::filesystem::path& config) {
  std::ifstream in(config, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  TreeSearchSettings settings;
  float match_policy_temperature = 0;
  std::vector<Option> known = options(settings);
  known.push_back(
      {"match_policy_temperature", &match_policy_temperature, Range{0, 10}, "When it plays."});
  const toml::table root = parse_toml(text, config.string());
  if (const auto* section = root["search"].as_table())
    for (const auto& [key, node] : *section) {
      const std::string name(key.str());
      const auto option =
          std::ranges::find_if(known, [&](const Option& o) { return o.has_name(name); });
      if (option == known.end()) continue;
      const std::optional<OptionValue> value = value_of(node);
      if (!value) refuse_value(*option, "search." + name, shown_node(node));
      assign(*option, "search." + name, *value, shown_node(node));
    }
  if (match_policy_temperature > 0) settings.params.policy_temperature = match_policy_temperature;
  return settings;
}

}  // namespace

NetSearch net_search(const std::filesystem::path& net) {
  if (const auto stored = read_checkpoint_info(net).search)
    return {.settings = *stored, .source = "the net's own settings"};
  const auto run = run_of_net(net);
  if (const auto config = run.value_or("") / "config.toml"; run && std::filesystem::exists(config))
    try {
      return {.settings = run_search(config),
              .source = fmt::format("[search] of {}", config.string())};
    } catch (const std::exception& error) {
      throw CheckpointError(net,
                            fmt::format("its run's config.toml cannot be used: {}", error.what()));
    }
  return {.notice = fmt::format(
              "{} is of an earlier version and does not say how it is to be searched; the default "
              "settings are taken",
              net.string())};
}

}  // namespace faultline
