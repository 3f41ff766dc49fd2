// Checks that hold between configuration keys.
#include <fmt/format.h>

#include "rules/families.h"
#include "selfplay/config.h"

namespace faultline {

void check_config(const Config& config) {
  const auto refuse = [](const std::string& message) { throw ConfigError("config: " + message); };
  try {
    with_family(parse_variant_name(config.run.variant), [](auto, const auto&) {});
  } catch (const VariantError& error) {
    refuse(fmt::format("'run.variant' is '{}': {}", config.run.variant, error.what()));
  }
  if (config.run.name.find_first_of("/\\") != std::string::npos || config.run.name == "..")
    refuse(fmt::format("'run.name' is '{}', but must be a plain name; `--run` takes a path",
                       config.run.name));
  if (config.search.fast_visits > config.search.visits && config.search.full_search_probability < 1)
    refuse(fmt::format("'search.fast_visits' is {}, but must not exceed 'search.visits', {}",
                       config.search.fast_visits, config.search.visits));
  if (config.replay.min_window > config.replay.window)
    refuse(fmt::format("'replay.min_window' is {}, but must not exceed 'replay.window', {}",
                       config.replay.min_window, config.replay.window));
  if (config.learner.min_positions > config.replay.window)
    refuse(fmt::format("'learner.min_positions' is {}, but must not exceed 'replay.window', {}",
                       config.learner.min_positions, config.replay.window));
  if (config.selfplay.random_plies >= config.selfplay.max_plies)
    refuse(fmt::format("'selfplay.random_plies' is {}, but must be below 'selfplay.max_plies', {}",
                       config.selfplay.random_plies, config.selfplay.max_plies));
  if (config.run.deterministic && config.search.leaves_per_tree > 1)
    refuse("'run.deterministic' needs 'search.leaves_per_tree' to be 1");
  if (config.run.deterministic && config.selfplay.threads > 1)
    refuse("'run.deterministic' needs 'selfplay.threads' to be 1 or 0");
}

}  // namespace faultline
