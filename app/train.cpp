// `faultline train`: trains a network by self-play.
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/net_players.h"
#include "base/program_identity.h"
#include "model/checkpoint.h"
#include "selfplay/config.h"
#include "selfplay/run.h"

namespace faultline {
namespace {

struct Options {
  std::string config;
  std::string folder;
  std::vector<std::string> settings;
  std::string init_from;
  std::map<std::string, std::string> device;  // by key of [device]
  bool resume = false;
  bool probe = false;
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
  const PlayerSpec player = find_named_player(options.init_from);
  if (player.kind != PlayerKind::Net)
    throw UsageError(fmt::format(
        "--init-from {}: it has no weights; a net is a file (runs/NAME/nets/000123.pt), a run's "
        "folder (its newest net), or untrained:RUN",
        options.init_from));
  return player.net;
}

/// The configuration given by the command line. A resumed run has its own, which is used if no file
/// is given. `init_from`: the configuration takes its network's shape.
Config read_config(const Options& options, const std::filesystem::path& init_from) {
  std::filesystem::path file = options.config;
  if (file.empty()) {
    if (!init_from.empty())
      throw UsageError(
          "--init-from starts a new run: give its configuration, `faultline train CONFIG "
          "--init-from NET`; to resume such a run, use --resume alone");
    if (!options.resume || options.folder.empty())
      throw UsageError(
          "which configuration? `faultline train CONFIG`, or `faultline train --run DIR "
          "--resume` to resume a run");
    file = std::filesystem::path(options.folder) / "config.toml";
    if (!std::filesystem::exists(file))
      throw UsageError(std::filesystem::exists(std::filesystem::path(options.folder) / "state.json")
                           ? file.string() +
                                 " is missing: give the run's configuration, `faultline train "
                                 "CONFIG --run " +
                                 shell_word(options.folder) + " --resume`"
                           : options.folder + ": contains no run to resume");
  }
  Config config = load_config(file);
  for (const std::string& setting : options.settings)
    set_option(config, setting);
  for (const auto& [key, value] : options.device)
    set_option(config, fmt::format("device.{}={}", key, value), fmt::format("--{} {}", key, value));
  if (!init_from.empty()) adopt_net(config, init_from);
  if (config.run.name.empty()) config.run.name = file.stem().string();
  check_config(config);
  return config;
}

void train(const Options& options) {
  if (options.keys) {
    fmt::print("{}", config_reference());
    return;
  }
  try {
    const std::filesystem::path init_from = init_net(options);
    const Config config = [&] {
      try {
        return read_config(options, init_from);
      } catch (const CheckpointError& error) {
        throw UsageError(fmt::format("--init-from: {}", error.what()));
      }
    }();
    for (const std::string& notice : config.notices)
      fmt::print(stderr, "{}\n", notice);
    RunOptions run;
    run.init_from = init_from;
    run.folder = options.folder.empty() ? std::filesystem::path("runs") / config.run.name
                                        : std::filesystem::path(options.folder);
    run.resume = options.resume;
    run.choose_again = options.probe;
    run.program = "faultline " FAULTLINE_VERSION ", " + program_build();
    run.out = &std::cout;
    run.terminal = isatty(STDOUT_FILENO) != 0;
    const RunResult result = run_training(config, run);
    if (result.end == RunEnd::Stopped)
      fmt::print("To resume: faultline train --run {} --resume\n", shell_word(run.folder.string()));
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

void add_train(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", kTrainSummary);
  command->add_option("config", options->config,
                      "TOML file; docs/config.md lists the keys. Optional with --resume");
  command->add_option("--run", options->folder, "Folder of the run (default: runs/NAME)");
  command
      ->add_option("--set", options->settings,
                   "Override one key; repeatable, e.g. --set search.visits=200")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--init-from", options->init_from,
                   "Start a new run from this net's weights instead of random ones: a net's file, "
                   "a run's folder (its newest net), or untrained:RUN")
      ->type_name("NET");
  for (const char* key : {"device", "backend", "precision"})
    command->add_option_function<std::string>(
        fmt::format("--{}", key),
        [options, key](const std::string& value) { options->device[key] = value; },
        fmt::format("The same as --set device.{}", key));
  command->add_flag("--probe", options->probe,
                    "With --resume: choose backend, precision and batch again instead of taking "
                    "those that the run has stored");
  command->add_flag("--resume", options->resume,
                    "Resume the run in the folder; start one if there is none");
  command->add_flag("--keys", options->keys,
                    "Print the reference of all configuration keys and exit");
  command->footer(
      "Ctrl-C or SIGTERM saves everything and stops; a second one stops at once. After either,\n"
      "or a crash, --resume continues without losing a finished game.\n\n"
      "--init-from takes only the averaged weights that the net plays with: the optimizer, the\n"
      "window and the counters start from scratch. The run's net has the same shape; [net] keys\n"
      "may be omitted and must not contradict it. The net may be of another option set of the\n"
      "family if both have the same encoding (the same planes, cells and kinds of moves).\n\n"
      "What [device] leaves to auto, and selfplay.batch if it is 0, is timed when a run starts, "
      "in\n"
      "less than two seconds, and stored in its state.json. Resuming takes it from there and "
      "times\n"
      "nothing; naming another value then is an override, which is recorded there too.\n"
      "docs/backends.md has the details.\n\n"
      "The progress line shows, in this order: the fraction done of the nearest limit and the\n"
      "time left; games, training positions and training steps of all sessions; the loss,\n"
      "with its policy and value parts; held out: the same on new games before they are learned\n"
      "from, and the value loss of a constant (docs/selfplay.md); network evaluations and moves\n"
      "per second; positions in the replay window; and for the games finished since the last\n"
      "line, the percentages of white wins, draws and black wins (W/D/B), the mean length and, if\n"
      "there were any, the share that was cut. metrics.jsonl has more.\n\n"
      "Examples:\n"
      "  faultline train configs/quickstart.toml\n"
      "  faultline train configs/chess-quick.toml --run runs/mine --set run.minutes=60\n"
      "  faultline train --run runs/mine --resume --set run.minutes=120\n"
      "  faultline train configs/chess-quick.toml --set run.minutes=0 --set run.cpu_minutes=60\n"
      "  faultline train configs/chess-quick.toml --run runs/longer --init-from runs/mine");
  command->callback([options] { train(*options); });
}

}  // namespace faultline
