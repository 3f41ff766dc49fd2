// `faultline check`: tries a configuration before hours are spent on it.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/run_arguments.h"
#include "base/stop_signals.h"
#include "selfplay/run.h"

namespace faultline {
namespace check_command {
namespace {

struct Options {
  RunArguments run;
  double seconds = 3;
  bool json = false;
};

void check(const Options& options) {
  try {
    Config config = read_config(options.run, options.run.config);
    check_config(config);
    check_new_run(config);
    if (config.fast.network == FastRun::Alone)
      throw UsageError(
          "fast.network is \"alone\": only runs that train a policy/value network are tried; start "
          "this "
          "one, whose first report has its speed");
    for (const std::string& notice : config.notices)
      fmt::print(stderr, "{}\n", notice);
    RunOptions run;
    run.folder = run_folder(options.run, config);
    // A third of the time trains, the rest plays.
    const ProbeLimits limits{.actors_seconds = options.seconds * 2 / 3,
                             .steps_seconds = options.seconds / 3};
    const RunCheck found = check_run(config, run, limits);
    if (found.stopped) throw CLI::RuntimeError(kInterrupted);
    fmt::print("{}", options.json ? check_json(config, found) + "\n" : check_text(config, found));
    if (!found.forecast.refusals.empty()) throw CLI::RuntimeError(1);
  } catch (const ConfigError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace
}  // namespace check_command

void add_check(CLI::App& app) {
  using namespace check_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", kCheckSummary);
  add_run_arguments(*command, options->run, "TOML file; docs/config.md lists the keys");
  command->get_option("config")->required();
  command
      ->add_option("--seconds", options->seconds,
                   "how long to try the actors and the training; longer is more exact")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Plays some games without a network, lets the run's actors play with an untrained one,\n"
      "trains it for a moment, and tells from that what a run will need and how fast it will go.\n"
      "No run is begun. Games of a network that has learned have other lengths, and other work\n"
      "on the machine slows a run: take the figures as estimates. Memory is the machine's, not a\n"
      "GPU's own. Where a configuration is for a GPU and there is none, speeds are computed from\n"
      "those that were measured on one (docs/measurements.md).\n\n"
      "Warnings name what would train badly, and a better value. The exit code is "
      "1\n"
      "if the run could never train, 2 if the configuration is invalid. 'faultline train' does "
      "the\n"
      "same before it starts a new run; --no-check leaves it out.\n\n"
      "Examples:\n"
      "  faultline check configs/chess-quick.toml\n"
      "  faultline check configs/inferno-full.toml --set net.channels=128 --seconds 20\n"
      "  faultline check configs/chess-quick.toml --json");
  command->callback([options] { check(*options); });
}

}  // namespace faultline
