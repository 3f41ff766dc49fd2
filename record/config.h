// The configuration of a training run: one struct, read from TOML, checked key by key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "model/device_options.h"
#include "model/net_config.h"
#include "model/training/train_params.h"
#include "rules/variant.h"
#include "search/tree_search_settings.h"

namespace faultline {

/// An invalid key, value or combination. The message begins with where it was set
/// ("configs/x.toml:12" or "--set search.vists=3") and says what would be valid.
class ConfigError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The default of a key is its member's initialiser; its allowed values, help and former names are
// in options(): those of the network, the search, the trainer and the device next to their structs,
// the others in config_options.cpp. They are not repeated anywhere else.

struct RunConfig {
  std::string variant = "escher";
  std::string name;
  std::int64_t seed = 1;
  double minutes = 0;
  double cpu_minutes = 0;
  std::int64_t games = 0;
  std::int64_t steps = 0;
  std::int64_t evaluations = 0;
  bool deterministic = false;
  double report_seconds = 10;
  bool tensorboard = true;
  double strength_minutes = 5;
};

struct SearchConfig {
  SearchParams params = {.gumbel = {.enabled = true}};
  int visits = 32;
  int reduced_visits = 32;
  double full_search_probability = 1;
  bool tree_reuse = true;
  int leaves_per_tree = 1;
  float match_policy_temperature = 0.0F;
  float temperature = 0.7F;
  int temperature_plies = 24;
  float final_temperature = 0.25F;
};

/// Returns how the run's networks are to be searched when they play, which its checkpoints say.
TreeSearchSettings playing_search(const SearchConfig& config);

struct SelfPlayConfig {
  int threads = 0;
  int games_per_thread = 64;
  int batch = 0;
  std::int64_t tree_memory = 0;
  int max_plies = 0;
  int random_plies = 0;
  std::int64_t one_level_games = 0;
  std::int64_t rising_level_games = 0;
  std::string strategy;
  double resign_below = 0;
  int resign_plies = 4;
  double resign_playthrough = 0.1;
};

/// The plies after which its games are cut.
int most_plies(const SelfPlayConfig& config, const FamilyInfo& family);

struct ReplayConfig {
  std::int64_t window = 200'000;
  std::int64_t min_window = 20'000;
  double window_share = 0.5;
  int chunk_games = 200;
};

struct LearnerConfig {
  TrainParams train;
  int batch = 128;
  int ranks = 1;
  double final_learning_rate = 1e-4;
  std::int64_t decay_steps = 0;
  int warmup_steps = 50;
  double replay_ratio = 1.8;
  std::int64_t min_positions = 2'000;
  double root_value_share = 0.0;
  double value_lambda = 0.95;
  bool cut_as_draws = false;
  bool mirror = false;
  int publish_interval = 50;
  int checkpoint_interval = 500;
  int keep_checkpoints = 0;
  std::int64_t keep_every = 10'000;
};

/// Whether a run trains a fast network (model/fast/).
enum class FastRun : std::uint8_t { No, After, SelfTaught, Alone };
constexpr bool is_trained_after(FastRun run) {
  return run == FastRun::After || run == FastRun::SelfTaught;
}

/// With what the first games of a run are played, until its fast network has learned.
enum class FastStart : std::uint8_t { Nothing, Material };

struct FastConfig {
  FastRun network = FastRun::No;
  double share = 0.25;
  FastStart start = FastStart::Nothing;
  int nodes = 150;
  int aside_nodes = 40;
  std::string teacher;
};

struct Config {
  RunConfig run;
  NetConfig net;
  FastConfig fast;
  SearchConfig search;
  SelfPlayConfig selfplay;
  ReplayConfig replay;
  LearnerConfig learner;
  DeviceOptions device;
  /// Whether `device` means a GPU on this machine. Not a key: a run settles it when it begins.
  bool on_gpu = false;

  /// The place where each key that was given was set, by "section.key": "configs/x.toml:12" or
  /// "--set search.visits=3"; for messages.
  std::map<std::string, std::string, std::less<>> sources;
  /// The place where "section.key" was set, or "" if it has its default.
  std::string source(std::string_view key) const;

  /// Notices about a valid configuration, one line each: keys given under their former names.
  std::vector<std::string> notices;
};

/// The canonical name of run.variant. Throws VariantError.
std::string canonical_variant(const Config& config);
/// Number of actor threads: config.selfplay.threads, or one per core, less one on a GPU.
int actor_threads(const Config& config);

/// All keys, in the order in which files and the reference list them, bound to `config` (which must
/// outlive the result).
std::vector<OptionSection> options(Config& config);

/// Reads TOML. `source` names the text in messages (a file's path). Keys that are not given keep
/// their defaults; former names of keys are read with a notice. Throws ConfigError for TOML that
/// does not parse or is too large or too deeply nested for a configuration, an unknown section or
/// key, a key given under two names, a wrong type, and a value that is not allowed.
Config parse_config(std::string_view text, const std::string& source);
/// Reads a configuration from a file, and offers the game beside it (rules/data/known_games.h);
/// throws ConfigError if it cannot be read or is empty.
Config load_config(const std::filesystem::path& file);
/// Applies "section.key=value", as from the command line. `source` names it in messages; empty:
/// "--set section.key=value". Throws ConfigError.
void set_option(Config& config, std::string_view assignment, const std::string& source = {});
/// Throws ConfigError if individually valid keys contradict each other, or if the variant does not
/// exist; the message says where the key was set. Call after the last set_option.
void check_config(const Config& config);
/// What check_config() accepts because runs of earlier versions may have it, but a new run could
/// never train with. Throws ConfigError as it does.
void check_new_run(const Config& config);

/// The keys that were not given, "section.key", in the order of options(): of a configuration that
/// an earlier version wrote, those that it did not know.
std::vector<std::string> missing_keys(const Config& config);

/// A run's own configuration, from its folder, has all keys of the version that began it: settles
/// what a later one would have meant.
void settle_older_run(Config& config);

/// The complete configuration as TOML that parse_config reads back to the same values.
std::string to_toml(const Config& config);
/// docs/config.md: every key with its type, default, allowed values and help.
std::string config_reference();

}  // namespace faultline
