// `faultline train`: trains a network by self-play.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/distilling.h"
#include "app/match_temperature.h"
#include "app/nats_options.h"
#include "app/net_players.h"
#include "app/run_arguments.h"
#include "base/stop_signals.h"
#include "cluster/folder_courier.h"
#include "cluster/over_nats.h"
#include "cluster/playing_nets.h"
#include "lab/strength_curve.h"
#include "model/checkpoint.h"
#include "record/config.h"
#include "record/run_folder.h"
#include "selfplay/fast_run_trainer.h"
#include "selfplay/inherited_games.h"
#include "selfplay/network_trainer.h"
#include "selfplay/run.h"

namespace faultline {
namespace train_command {
namespace {

struct Options {
  RunArguments run;
  std::string init_from;
  std::string games_from;
  std::string from_checkpoint;
  bool no_check = false;
  bool serve = false;
  std::string serve_at;  // a URL; "": in the run's folder
  NatsOptions nats;
  bool learn_only = false;
  bool resume = false;
  bool keys = false;
};

/// `text` quoted as one word of a shell command.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The checkpoint given by --init-from; empty if it was not given.
std::filesystem::path init_net(const Options& options) {
  if (options.init_from.empty()) return {};
  return find_named_net(options.init_from, "--init-from").net;
}

/// The folder given by --games-from; empty if it was not given.
std::filesystem::path games_run(const Options& options) {
  if (options.games_from.empty()) return {};
  if (options.run.config.empty())
    throw UsageError(
        "--games-from starts a new run: give its configuration, 'faultline train CONFIG "
        "--games-from RUN'; to resume such a run, use --resume alone");
  const auto folder = find_run(options.games_from);
  if (!folder)
    throw UsageError(fmt::format(
        "--games-from {}: there is no such folder, nor runs/{}; give a run's folder or name",
        options.games_from, options.games_from));
  return *folder;
}

/// A run's own file has all keys that the program knew which wrote it.
void add_notice_of_new_keys(Config& config, const std::filesystem::path& file) {
  const std::vector<std::string> missing = missing_keys(config);
  if (missing.empty()) return;
  config.notices.push_back(fmt::format(
      "{}: has no {}: newer than the run, now with {} (docs/config.md); --set changes {}",
      file.string(), fmt::join(missing, ", "),
      missing.size() == 1 ? "its default" : "their defaults", missing.size() == 1 ? "it" : "them"));
}

/// The configuration given by the command line. A resumed run has its own, which is used if no file
/// is given. `init_from`: the configuration takes its network's shape.
Config read_config(const Options& options, const std::filesystem::path& init_from) {
  std::filesystem::path file = options.run.config;
  if (file.empty()) {
    if (!init_from.empty())
      throw UsageError(
          "--init-from starts a new run: give its configuration, 'faultline train CONFIG "
          "--init-from NET'; to resume such a run, use --resume alone");
    if (!options.resume || options.run.folder.empty())
      throw UsageError(
          "which configuration? 'faultline train CONFIG', or 'faultline train --run DIR "
          "--resume' to resume a run");
    file = std::filesystem::path(options.run.folder) / "config.toml";
    if (!std::filesystem::exists(file))
      throw UsageError(
          std::filesystem::exists(std::filesystem::path(options.run.folder) / "state.json")
              ? file.string() +
                    " is missing: give the run's configuration, as in: faultline train CONFIG "
                    "--run " +
                    shell_word(options.run.folder) + " --resume"
              : options.run.folder + ": contains no run to resume");
  }
  Config config = read_config(options.run, file);
  if (options.run.config.empty()) {
    settle_older_run(config);
    add_notice_of_new_keys(config, file);
  }
  if (!init_from.empty()) adopt_net(config, init_from);
  adopt_teacher(config);
  check_config(config);
  return config;
}

/// Tries a new run for a few seconds and prints what is to be expected of it. Throws UsageError if
/// it could never train.
void try_out(const Config& config, const RunOptions& run) {
  require_device(config);  // check_run() would compute what an absent one does
  const RunCheck check =
      check_run(config, run, {.games_seconds = 3, .actors_seconds = 1, .steps_seconds = 0.5});
  if (check.stopped) throw CLI::RuntimeError(kInterrupted);
  *run.out << check_text(config, check) << std::flush;
  if (!check.forecast.refusals.empty())
    throw UsageError("this run would never train; --no-check starts it all the same");
}

/// Measures the temperature of the last network's priors, unless the configuration says it.
RunEnd calibrate(const Config& config, const RunOptions& run, const std::filesystem::path& net) {
  constexpr double kMostSeconds = 60;
  if (config.fast.network == FastRun::Alone || config.run.deterministic ||
      config.search.match_policy_temperature > 0)
    return RunEnd::LimitReached;
  const StopSignals signals;
  const double used = RunFolder::state_in(run.folder).value().seconds;
  const auto measured =
      calibrate_match_temperature(net, program_backends(), config.device,
                                  std::min(kMostSeconds, 0.1 * used), StopSignals::requested);
  if (measured)
    *run.out << fmt::format(
                    "It plays with a policy temperature of {:.1f}, measured on {} positions\n",
                    measured->temperature, measured->positions)
             << std::flush;
  return StopSignals::requested() ? RunEnd::Stopped : RunEnd::LimitReached;
}

void train(const Options& options) {
  if (options.keys) {
    fmt::print("{}", config_reference());
    return;
  }
  const ClosedPipesIgnored pipes;
  if (!options.from_checkpoint.empty() && !options.resume)
    throw UsageError("--from-checkpoint is for a run that is resumed: give --resume, too");
  if (!options.serve_at.empty()) nats_place_of(options.serve_at, options.nats);
  if (options.learn_only && !options.serve)
    throw UsageError("--learn-only leaves all games to actors elsewhere: give --serve, too");
  try {
    const std::filesystem::path init_from = init_net(options);
    const std::filesystem::path games_from = games_run(options);
    const Config config = [&] {
      try {
        return read_config(options, init_from);
      } catch (const CheckpointError& error) {
        throw UsageError(fmt::format("--init-from: {}", error.what()));
      }
    }();
    for (const std::string& notice : config.notices)
      std::cerr << notice << '\n';
    RunOptions run;
    run.init_from = init_from;
    run.games_from = games_from;
    run.folder = run_folder(options.run, config);
    run.resume = options.resume;
    run.from_checkpoint = options.from_checkpoint;
    run.out = &std::cout;
    StrengthCurve strength(
        {.variant = config.run.variant, .seed = static_cast<std::uint64_t>(config.run.seed)},
        program_backends(), config.device);
    if (config.run.strength_minutes > 0 && config.fast.network != FastRun::Alone)
      run.measure_strength = [&](const StrengthRequest& request) {
        return strength.measure(request);
      };
    run.terminal = isatty(STDOUT_FILENO) != 0;
    // A device is left to the training, unless its very games are to be played again.
    Config checking = config;
    if (!config.run.deterministic) checking.device = {.device = "cpu"};
    std::vector<std::string> ignored;
    if (options.serve) {
      run.make_courier = [&](RunPersistence& persistence) -> std::unique_ptr<Courier> {
        LoadNet load_net;
        if (config.fast.network != FastRun::Alone)
          load_net = net_loader(checking, program_backends(), ignored);
        if (options.serve_at.empty())
          return std::make_unique<FolderCourier>(config, persistence, std::move(load_net));
        return serve_over_nats(config, persistence, nats_place_of(options.serve_at, options.nats),
                               std::move(load_net));
      };
      run.learn_only = options.learn_only;
    }
    if (!RunFolder::holds_run(run.folder)) {
      check_new_run(config);
      inheritance(config, run);
      RunFolder::require_creatable(run.folder);
      if (!options.no_check && !options.learn_only && config.fast.network != FastRun::Alone)
        try_out(config, run);
    }
    const RunResult result = run_training(config, run);
    RunEnd end = result.end;
    if (end == RunEnd::LimitReached && result.steps > 0)
      end = calibrate(config, run, result.checkpoint);
    if (end == RunEnd::LimitReached && is_trained_after(config.fast.network) && result.steps > 0)
      end = distil_after(config, run, result.checkpoint);
    if (end == RunEnd::Stopped)
      std::cout << "To resume: faultline train --run " << shell_word(run.folder.string())
                << " --resume" << (options.serve ? " --serve" : "")
                << (options.serve_at.empty() ? "" : " " + options.serve_at)
                << (options.learn_only ? " --learn-only" : "") << '\n';
  } catch (const ConfigError& error) {
    throw UsageError(error.what());
  } catch (const RunError& error) {
    throw UsageError(error.what());
  } catch (const EncodingMismatch& error) {
    if (options.init_from.empty()) throw;
    throw UsageError(fmt::format("--init-from: {}", error.what()));
  }
}

}  // namespace
}  // namespace train_command

void add_train(CLI::App& app) {
  using namespace train_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", kTrainSummary);
  add_run_arguments(*command, options->run,
                    "TOML file; docs/config.md lists the keys. Optional with --resume");
  command
      ->add_option("--init-from", options->init_from,
                   "Start a new run from this net's weights instead of random ones: a net's file, "
                   "a run's folder (its newest net), or untrained:RUN")
      ->type_name("NET");
  command
      ->add_option("--games-from", options->games_from,
                   "Start a new run by learning from the games of this run, in their order, before "
                   "it plays its own: a run's folder or name")
      ->type_name("RUN");
  command->add_flag("--resume", options->resume,
                    "Resume the run in the folder; start one if there is none");
  command
      ->add_option("--from-checkpoint", options->from_checkpoint,
                   "With --resume: go on from this checkpoint of the run instead of its last one, "
                   "and make the steps after it again")
      ->type_name("FILE");
  command->add_flag("--no-check", options->no_check,
                    "Start a new run without trying it first ('faultline check')");
  CLI::Option* serve =
      command
          ->add_option(
              "--serve", options->serve_at,
              "Let actors in other processes and machines play, too: 'faultline actor --spool "
              "RUN', or with "
              "the URL of a NATS server, nats://HOST:PORT/NAME, 'faultline actor --join URL'. A "
              "deterministic run has the same games with it")
          ->expected(0, 1)
          ->type_name("URL");
  add_nats_options(*command, options->nats);
  command->add_flag("--learn-only", options->learn_only,
                    "With --serve: play no games in this process");
  command->add_flag("--keys", options->keys,
                    "Print the reference of all configuration keys and exit");
  command->footer(
      "Ctrl-C, SIGTERM or SIGHUP saves everything and stops; a second one stops at once. After "
      "either,\n"
      "or a crash, --resume continues without losing a finished game.\n\n"
      "--init-from takes only the weights that the net plays with: the optimizer, the\n"
      "window and the counters start from scratch. The run's net has the same shape; [net] keys\n"
      "may be omitted and must not contradict it. The net may be of another option set of the\n"
      "family if both have the same encoding (the same planes, cells and kinds of moves).\n\n"
      "--games-from copies the games of a run of the same variant and learns from each of their\n"
      "positions learner.replay_ratio times before self-play begins, with any network: a larger "
      "one\n"
      "learns more from the games that a smaller, faster one has played (docs/selfplay.md). "
      "Limits\n"
      "of [run] count from the start, and those games are part of run.games. A deterministic run\n"
      "cannot begin in this way.\n\n"
      "A new run is tried for a few seconds first, as 'faultline check' does: its speed, memory "
      "and\n"
      "disk per day are printed with warnings, and a run that could never train is refused.\n\n"
      "What [device] leaves to auto, and selfplay.batch if it is 0, follows from the processor "
      "and\n"
      "the net's width (docs/inference.md).\n\n"
      "The progress line shows, in this order and on a terminal as much as fits: the fraction done "
      "of "
      "the nearest limit and the\n"
      "time left; games, training positions and training steps of all sessions; the loss,\n"
      "with its policy and value parts; with run.strength_minutes the last measured strength; "
      "held out: the same on new games before they are learned\n"
      "from, and the value loss of a constant (docs/selfplay.md); network evaluations and moves\n"
      "per second; positions in the replay window; and for the games finished since the last\n"
      "line, the percentages of white wins, draws and black wins (W/D/B), the mean length and, if\n"
      "there were any, the share that was cut. metrics.jsonl has more.\n\n"
      "Examples:\n"
      "  faultline train configs/quickstart.toml\n"
      "  faultline train configs/chess-quick.toml --run runs/mine --set run.minutes=60\n"
      "  faultline train --run runs/mine --resume --set run.minutes=120\n"
      "  faultline train configs/chess-quick.toml --set run.minutes=0 --set run.cpu_minutes=60\n"
      "  faultline train configs/chess-quick.toml --run runs/longer --init-from runs/mine\n"
      "  faultline train configs/chess-quick.toml --set fast.network=no\n"
      "  faultline train configs/gardner-quick.toml --run runs/larger --games-from "
      "runs/gardner-quick "
      "\\\n"
      "    --set net.blocks=4 --set net.channels=64");
  command->callback([options, serve] {
    options->serve = serve->count() > 0;
    train(*options);
  });
}

}  // namespace faultline
