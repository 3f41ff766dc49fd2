// Checks across configuration keys, and of texts whose format the declarations cannot express.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "record/config.h"
#include "record/levels.h"
#include "record/tree_memory.h"
#include "rules/families.h"
#include "search/tree.h"

namespace faultline {
namespace {

/// Refuses values by their keys, and reports where the first key that was given was set, as that is
/// the one that the user can look at.
class Refusal {
 public:
  explicit Refusal(const Config& config) : config_(config) {}

  /// "x.toml:3: 'run.name' is '../x', but must be a plain name".
  [[noreturn]] void text(std::string_view key, std::string_view value,
                         std::string_view right) const {
    throw ConfigError(
        fmt::format("{}: '{}' is {}, but {}", place({key}), key, quote(value), right));
  }
  /// "x.toml:3: 'run.variant': unknown family 'ches'; …".
  [[noreturn]] void error(std::string_view key, std::string_view what) const {
    throw ConfigError(fmt::format("{}: '{}': {}", place({key}), key, what));
  }

  /// "x.toml:5: 'search.reduced_visits' is 200, but must not exceed 'search.visits', which is 160
  /// by default", or "..., which is 160 (x.toml:4)".
  [[noreturn]] void pair(std::string_view key, std::string_view relation,
                         std::string_view other) const {
    const std::string where = config_.source(other);
    throw ConfigError(
        fmt::format("{}: '{}' is {}{}, but {} '{}', which is {}{}", place({key, other}), key,
                    value(key), config_.source(key).empty() ? " by default" : "", relation, other,
                    value(other), where.empty() ? " by default" : fmt::format(" ({})", where)));
  }

 private:
  std::string place(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys)
      if (std::string where = config_.source(key); !where.empty()) return where;
    return "config";
  }

  std::string value(std::string_view key) const {
    Config copy = config_;
    const std::string_view section = key.substr(0, key.find('.'));
    for (const OptionSection& s : options(copy))
      if (s.name == section) return value_text(s.options, key.substr(section.size() + 1));
    return {};
  }

  const Config& config_;
};

/// Whether the game is Inferno, with any number of levels.
bool has_levels(const Config& config) {
  return with_family(parse_variant_name(config.run.variant),
                     []<class P>(std::type_identity<P>, const auto&) { return kHasLevels<P>; });
}

/// 1 for variants without levels.
int levels_of(const Config& config) {
  return with_family(
      parse_variant_name(config.run.variant),
      []<class P>(std::type_identity<P>, const auto& variant) { return all_levels<P>(variant); });
}

/// What needs several levels.
void check_levels(const Config& config, const Refusal& refuse) {
  struct LevelOption {
    const char* key;
    double value;
    int least_levels;
    const char* why;
  };
  const SelfPlayConfig& selfplay = config.selfplay;
  const LevelOption options[] = {
      {"selfplay.one_level_games", static_cast<double>(selfplay.one_level_games), 2,
       "only games of Inferno with two levels or more can start with one"},
      {"selfplay.rising_level_games", static_cast<double>(selfplay.rising_level_games), 3,
       "only games of Inferno with three levels or more have numbers of levels between one and "
       "all"}};
  const int levels = levels_of(config);
  for (const LevelOption& option : options)
    if (option.value > 0 && levels < option.least_levels)
      refuse.error(option.key, fmt::format("{} must be 0 for {}: {}", option.value,
                                           config.run.variant, option.why));
}

}  // namespace

std::string Config::source(std::string_view key) const {
  const auto found = sources.find(key);
  return found == sources.end() ? "" : found->second;
}

void check_config(const Config& config) {
  const Refusal refuse(config);
  try {
    with_family(parse_variant_name(config.run.variant), [](auto, const auto&) {});
  } catch (const VariantError& error) {
    refuse.error("run.variant", error.what());
  }
  const std::string& name = config.run.name;
  if (name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
    refuse.text("run.name", name, "must be a plain name; `--run` takes a path");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
    refuse.text("run.name", name, "must not have control characters");
  if (!is_device_list(config.device.device))
    refuse.text("device.device", config.device.device,
                std::string("must be one of: ") + kDeviceNames + ", or several cuda:N");

  if (const auto found = conflict(config.net))
    refuse.pair("net." + found->name, found->relation, "net." + found->other);
  if (config.search.reduced_visits > config.search.visits &&
      config.search.full_search_probability < 1)
    refuse.pair("search.reduced_visits", "must not exceed", "search.visits");
  if (2 * config.learner.ranks > config.learner.batch)
    refuse.pair("learner.ranks", "must not exceed half of", "learner.batch");
  if (config.replay.min_window > config.replay.window)
    refuse.pair("replay.min_window", "must not exceed", "replay.window");
  if (config.learner.min_positions > config.replay.window)
    refuse.pair("learner.min_positions", "must not exceed", "replay.window");
  const VariantName variant = parse_variant_name(config.run.variant);
  const FamilyInfo& family = family_info(variant.family);
  if (const int most = most_plies(config.selfplay, family); config.selfplay.random_plies >= most) {
    if (config.selfplay.max_plies > 0)
      refuse.pair("selfplay.random_plies", "must be below", "selfplay.max_plies");
    refuse.error("selfplay.random_plies",
                 fmt::format("{} must be below {}, the plies after which games of {} are cut",
                             config.selfplay.random_plies, most, family.name));
  }
  if (config.net.share_levels && !has_levels(config))
    refuse.error(
        "net.share_levels",
        fmt::format("true must be false for {}: only Inferno has levels", config.run.variant));
  check_levels(config, refuse);
  if (config.fast.network == FastRun::Alone) {
    if (!config.selfplay.strategy.empty())
      refuse.error("selfplay.strategy",
                   "must be empty with fast.network = \"alone\": strategies are followed by tree "
                   "searches");
  }
  if (config.fast.network != FastRun::Alone && !config.fast.teacher.empty())
    refuse.error(
        "fast.teacher",
        "must be empty without fast.network = \"alone\": only the values of a fast network's own "
        "games are learned from a teacher");
  if (config.run.deterministic && is_trained_after(config.fast.network))
    refuse.error("run.deterministic",
                 "needs fast.network = \"no\" or \"alone\": what is trained after a run is limited "
                 "by time");
  if (config.selfplay.tree_memory > 0) {
    const std::size_t trees = tree_memory(config).trees;
    if (static_cast<std::size_t>(config.selfplay.tree_memory) << 20 < trees * Tree::kLeastBytes)
      refuse.error("selfplay.tree_memory",
                   fmt::format("{} MiB are too few for {} search trees, which need 1 MiB each: one "
                               "for each of {} of {}, and one for each thread; 0 chooses",
                               config.selfplay.tree_memory, trees,
                               counted(config.selfplay.games_per_thread, "game"),
                               counted(actor_threads(config), "actor thread")));
  }
  if (config.run.deterministic && config.search.leaves_per_tree > 1)
    refuse.pair("run.deterministic", "needs 1 for", "search.leaves_per_tree");
  if (config.run.deterministic && config.selfplay.threads > 1)
    refuse.pair("run.deterministic", "needs 0 or 1 for", "selfplay.threads");
}

void check_new_run(const Config& config) {
  const Refusal refuse(config);
  const VariantName variant = parse_variant_name(config.run.variant);
  const FamilyInfo& family = family_info(variant.family);
  if (config.learner.batch > config.replay.window)
    refuse.pair("learner.batch", "must not exceed", "replay.window");
  if (const double most_positions =
          static_cast<double>(config.run.games) * most_plies(config.selfplay, family);
      config.run.games > 0 && most_positions < static_cast<double>(config.learner.min_positions))
    refuse.error(
        "run.games",
        fmt::format("{} of at most {} plies never have the {} positions that the first step "
                    "needs (learner.min_positions)",
                    counted(config.run.games, "game"), most_plies(config.selfplay, family),
                    config.learner.min_positions));
  if (const std::int64_t leaves =
          std::int64_t{config.selfplay.games_per_thread} * config.search.leaves_per_tree;
      config.selfplay.batch > leaves)
    refuse.error("selfplay.batch",
                 fmt::format("batches of {} are never full: selfplay.games_per_thread × "
                             "search.leaves_per_tree is {}; 0 chooses",
                             config.selfplay.batch, leaves));
}

std::string canonical_variant(const Config& config) {
  return with_family(parse_variant_name(config.run.variant), [](auto, const auto& variant) {
    return std::string(variant.canonical_name());
  });
}

}  // namespace faultline
