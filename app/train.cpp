// `faultline train`: trains a network by self-play.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include "app/commands.h"
#include "selfplay/config.h"
#include "selfplay/run.h"

namespace faultline {
namespace {

struct Options {
  std::string config;
  std::string folder;
  std::vector<std::string> settings;
  bool resume = false;
  bool keys = false;
};

/// `text` as one word of a shell's command line.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The configuration that the command line asks for. Without a file, a run that is to go on has its
/// own.
Config read_config(const Options& options) {
  std::filesystem::path file = options.config;
  if (file.empty()) {
    if (!options.resume || options.folder.empty())
      throw UsageError(
          "which configuration? `faultline train CONFIG`, or `faultline train --run DIR "
          "--resume` to go on with a run");
    file = std::filesystem::path(options.folder) / "config.toml";
    if (!std::filesystem::exists(file))
      throw UsageError(std::filesystem::exists(std::filesystem::path(options.folder) / "state.json")
                           ? file.string() +
                                 " is missing: name the run's configuration, `faultline train "
                                 "CONFIG --run " +
                                 shell_word(options.folder) + " --resume`"
                           : options.folder + ": holds no run to go on with");
  }
  Config config = load_config(file);
  for (const std::string& setting : options.settings)
    set_option(config, setting);
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
    const Config config = read_config(options);
    for (const std::string& notice : config.notices)
      fmt::print(stderr, "{}\n", notice);
    RunOptions run;
    run.folder = options.folder.empty() ? std::filesystem::path("runs") / config.run.name
                                        : std::filesystem::path(options.folder);
    run.resume = options.resume;
    run.out = &std::cout;
    run.terminal = isatty(STDOUT_FILENO) != 0;
    const RunResult result = run_training(config, run);
    if (result.end == RunEnd::Stopped)
      fmt::print("To go on: faultline train --run {} --resume\n", shell_word(run.folder.string()));
  } catch (const ConfigError& error) {
    throw UsageError(error.what());
  } catch (const RunError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

void add_train(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", kTrainSummary);
  command->add_option("config", options->config,
                      "TOML file; docs/config.md lists the keys. May be left out with --resume");
  command->add_option("--run", options->folder, "The run's folder (default: runs/NAME)");
  command->add_option("--set", options->settings, "Override a key: section.key=value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--resume", options->resume, "Go on with the run in the folder, if any");
  command->add_flag("--keys", options->keys, "Print all configuration keys and exit");
  command->footer(
      "Ctrl-C or SIGTERM stops cleanly, a second one at once; in both cases, and after\n"
      "a kill, --resume goes on without losing a finished game.\n\n"
      "The line of progress: how much of the nearest limit is done; games, training\n"
      "positions and optimiser steps of all sessions; the loss and its policy and value\n"
      "parts; positions that the network evaluates (evals) and moves played a second;\n"
      "positions in the window that steps draw from; of the games since the last line,\n"
      "white's wins, draws and black's wins (W/D/B) and the mean length. metrics.jsonl\n"
      "has more.\n\n"
      "Examples:\n"
      "  faultline train configs/quickstart.toml\n"
      "  faultline train configs/chess-quick.toml --run runs/mine --set run.minutes=60\n"
      "  faultline train --run runs/mine --resume --set run.minutes=120");
  command->callback([options] { train(*options); });
}

}  // namespace faultline
