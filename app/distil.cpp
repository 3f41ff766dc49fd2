// `faultline distil`: makes a fast network beside a policy/value network.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/commands.h"
#include "app/distilling.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "base/stop_signals.h"
#include "lab/game_settings.h"
#include "lab/net_origin.h"
#include "lab/run_match.h"
#include "model/checkpoint.h"
#include "model/checkpoint_folder.h"
#include "model/fast/fast_choice.h"
#include "model/fast/fast_file.h"
#include "record/run_folder.h"
#include "selfplay/fast_run_trainer.h"
#include "selfplay/run.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// What both ways to a fast network have in common.
constexpr std::string_view kLearning = R"(
[fast]
network = "alone"

[selfplay]
resign_below = -0.9
resign_plies = 3
random_plies = 30

[replay]
window = 2_000_000
window_share = 0.7

[learner]
batch = 256
learning_rate = 2e-3
final_learning_rate = 5e-5
replay_ratio = 6
mirror = true
publish_interval = 500
checkpoint_interval = 10_000
keep_checkpoints = 5
keep_every = 0
)";

/// Games of 50 positions per move, and nothing but the teacher's values as targets.
void be_taught(Config& config, const fs::path& teacher) {
  config.fast.teacher = teacher.string();
  config.fast.nodes = 50;
  config.fast.aside_nodes = 10;
  config.learner.root_value_share = 1;
  config.learner.min_positions = 20'000;
  config.replay.min_window = 50'000;
}
/// Games of configs/fast.toml, begun with material, which is left early where there is little time.
/// `cpu_minutes`: of all training; 0: no limit.
void learn_alone(Config& config, double cpu_minutes) {
  constexpr double kFewest = 20'000, kMost = 150'000, kPerMinute = 18'000;
  const double first =
      cpu_minutes > 0 ? std::clamp(kPerMinute * cpu_minutes, kFewest, kMost) : kMost;
  config.fast.start = FastStart::Material;
  config.selfplay.resign_below = -0.97;
  config.learner.value_lambda = 0.8;
  config.learner.min_positions = static_cast<std::int64_t>(first);
  config.replay.min_window = config.learner.min_positions;
}

/// Plays the two networks of `file` against each other at equal time; nothing if that was stopped.
/// `cpu_seconds`: of training; the games take about a fifth as long.
std::optional<FastMatch> play_both(const fs::path& file, const Config& config, double cpu_seconds) {
  constexpr int kMilliseconds = 20;
  constexpr double kSecondsPerGame = 1.2;
  const int pairs = std::clamp(static_cast<int>(0.1 * cpu_seconds / kSecondsPerGame), 2, 20);
  const StopSignals signals;
  MatchHooks hooks;
  hooks.stop = StopSignals::requested;
  PlayerResources resources(program_backends(), config.device);
  const GameSettings games{.limits = {.time_ms = kMilliseconds}, .openings = "random:4"};
  MatchSetup setup =
      match_setup(games, config.run.variant,
                  {find_player("alphabeta?eval=" + file.string()), find_player(file.string())});
  setup.config.games = 2 * pairs;
  setup.config.cut = CutGames::Draws;
  const MatchResult result = run_match(resolved(std::move(setup), resources), resources, hooks);
  if (StopSignals::requested()) return std::nullopt;
  const Score score = result.score();
  return FastMatch{.milliseconds = kMilliseconds,
                   .games = score.games(),
                   .score = score.games() > 0 ? score.points() / score.games() : 0.5};
}

/// What the file with a fast network says of its training: the run and its whole configuration.
nlohmann::ordered_json training_of(const fs::path& folder, const fs::path& checkpoint) {
  nlohmann::ordered_json origin;
  origin["run"] = net_origin(checkpoint, read_checkpoint_info(checkpoint)).at("run");
  origin["run"]["cpu_seconds"] = RunFolder::state_in(folder).value().cpu_seconds;
  origin["config"] = to_toml(load_config(folder / "config.toml"));
  return origin;
}

/// A run that learns from another network, or from none, goes on so. `is_own`: of the network in
/// the folder's name, wherever that is now. Throws RunError.
void require_same_teacher(const fs::path& folder, const fs::path& teacher, bool is_own) {
  const fs::path file = folder / "config.toml";
  if (!fs::exists(file)) return;
  const std::string before = load_config(file).fast.teacher;
  if (is_own ? before.empty() == teacher.empty()
             : fs::weakly_canonical(before) == fs::weakly_canonical(teacher))
    return;
  const auto named = [](const std::string& net) { return net.empty() ? "no other network" : net; };
  throw RunError(
      fmt::format("{}: the run in it learns from {}, not {}; choose another --run folder",
                  folder.string(), named(before), named(teacher.string())));
}

/// Whether the fast network of `net` in `folder` learns without it: as it began, else as its run
/// says.
bool is_self_taught(const fs::path& net, const fs::path& folder) {
  if (folder != distilling_folder(net)) return false;
  const fs::path begun = folder / "config.toml";
  if (fs::exists(begun)) return load_config(begun).fast.teacher.empty();
  const auto run = run_of_net(net);
  return run && fs::exists(*run / "config.toml") &&
         load_config(*run / "config.toml").fast.network == FastRun::SelfTaught;
}

}  // namespace

Config distilling_config(const fs::path& net, const fs::path& folder, double cpu_minutes) {
  Config config = parse_config(kLearning, "faultline distil");
  config.run.name = "distil";
  config.run.variant = read_checkpoint_info(net).encoding.variant;
  is_self_taught(net, folder) ? learn_alone(config, cpu_minutes) : be_taught(config, net);
  return config;
}

fs::path distilling_folder(const fs::path& net) {
  const auto run = run_of_net(net);
  const bool is_runs = run && RunFolder::holds_run(*run) && net.extension() == ".pt" &&
                       is_step_count(net.stem().string());
  if (!is_runs) return {};
  // A run that went on from an earlier checkpoint makes other networks of the same steps.
  return *run / "fast" /
         fmt::format("{}-{}", net.stem().string(),
                     read_checkpoint_info(net).weights().substr(0, 8));
}

RunEnd distil(const Config& config, const RunOptions& options, const fs::path& net) {
  check_config(config);
  std::ostream& out = *options.out;
  const bool is_own = distilling_folder(net) == options.folder;
  require_same_teacher(options.folder, config.fast.teacher, is_own);
  const RunResult result = run_training(config, options);
  // Elsewhere the network's file is not ours to change.
  if (result.end == RunEnd::Stopped || !is_own) return result.end;
  if (result.steps == 0) {
    out << fmt::format("{}: too short a time for a step; 'faultline distil {} --minutes N' goes on",
                       options.folder.string(), net.string())
        << std::endl;
    return RunEnd::LimitReached;
  }
  if (!fs::exists(net)) {
    out << fmt::format("{} has been deleted; its fast network is {}\n", net.string(),
                       result.checkpoint.string())
        << std::flush;
    return RunEnd::LimitReached;
  }
  add_fast_network(net, result.checkpoint, training_of(options.folder, result.checkpoint));
  out << fmt::format("{}: has both networks now; they play at equal time\n", net.string())
      << std::flush;
  const auto match =
      play_both(net, config, RunFolder::state_in(options.folder).value().cpu_seconds);
  if (!match) return RunEnd::Stopped;
  store_fast_match(net, *match);
  out << text(*match) << std::endl;
  return RunEnd::LimitReached;
}

RunEnd distil_after(const Config& config, const RunOptions& options, const fs::path& newest) {
  if (stored_fast_match(newest)) return RunEnd::LimitReached;
  const fs::path folder = distilling_folder(newest);
  const double minutes = std::max(
      0.01, config.fast.share * RunFolder::state_in(options.folder).value().cpu_seconds / 60);
  Config own = distilling_config(newest, folder, minutes);
  own.run.variant = config.run.variant;
  own.run.seed = config.run.seed;
  own.run.report_seconds = config.run.report_seconds;
  own.run.tensorboard = config.run.tensorboard;
  own.selfplay.threads = config.selfplay.threads;
  own.device = config.device;
  own.run.cpu_minutes = minutes;
  RunOptions fast{
      .folder = folder, .resume = true, .out = options.out, .terminal = options.terminal};
  return distil(own, fast, newest);
}

namespace distil_command {
namespace {

struct Options {
  std::string net;
  std::string folder;
  double minutes = 2;
  std::vector<std::string> settings;
};

void run(const Options& options) {
  const ClosedPipesIgnored pipes;
  const PlayerSpec player = find_named_net(options.net);
  reporting_input_errors([&] {
    const fs::path folder =
        options.folder.empty() ? distilling_folder(player.net) : fs::path(options.folder);
    const double cores = std::max(1U, std::thread::hardware_concurrency());
    Config config = distilling_config(player.net, folder, options.minutes * cores);
    config.run.minutes = options.minutes;
    for (const std::string& setting : options.settings)
      set_option(config, setting);
    RunOptions run{.folder = folder,
                   .resume = true,
                   .out = &std::cout,
                   .terminal = isatty(STDOUT_FILENO) != 0};
    if (run.folder.empty())
      throw UsageError(
          fmt::format("{}: is in no run's folder; --run DIR says where its fast network "
                      "is to be",
                      player.net.string()));
    if (!RunFolder::holds_run(run.folder)) RunFolder::require_creatable(run.folder);
    if (distil(config, run, player.net) == RunEnd::Stopped)
      std::cout << "To go on: faultline distil " << player.net.string() << " --run "
                << run.folder.string() << " --minutes N\n";
  });
}

}  // namespace
}  // namespace distil_command

void add_distil(CLI::App& app) {
  using namespace distil_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("distil", kDistilSummary);
  command
      ->add_option(
          "NET", options->net,
          "a net (runs/NAME/nets/000123.pt, or a bundle) or a run's folder (its newest net)")
      ->required();
  command
      ->add_option(
          "--run", options->folder,
          "folder of the run that learns (default: one in RUN/fast for a net of RUN); it is "
          "resumed if it is there")
      ->type_name("DIR");
  command
      ->add_option("--minutes", options->minutes,
                   "of training, including earlier calls; 0: no limit")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  command
      ->add_option("--set", options->settings,
                   "override one key of its configuration; repeatable, e.g. --set fast.nodes=100")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->footer(
      "Games of alpha-beta searches give positions, the net their values, from which a fast\n"
      "network learns; for a run with fast.network = \"self-taught\" the games alone do. Then a "
      "net\n"
      "of a run has both in its file, some games between them at 20 ms per move say which is\n"
      "stronger, and an engine plays with that one.\n\n"
      "Examples:\n"
      "  faultline distil runs/quickstart\n"
      "  faultline match 'alphabeta?eval=runs/quickstart&ms=100' 'alphabeta?ms=100'\n"
      "  faultline distil bundle.zip --run runs/fast --minutes 5");
  command->callback([options] { run(*options); });
}

}  // namespace faultline
