// What `train` and `check` have in common: a configuration from the command line.
#include "app/run_arguments.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "model/net_config.h"

namespace faultline {
namespace {

std::string count_text(double value) {
  return std::isfinite(value) ? grouped(static_cast<std::uint64_t>(std::max(0.0, value)))
                              : "unknown";
}

std::string time_text(double seconds) {
  return std::isfinite(seconds) ? clock_text(seconds) : "unknown";
}

/// 0: unknown.
std::string available_text(double bytes) {
  return bytes > 0 ? bytes_text(bytes) : "an unknown amount";
}

std::string speed_text(const RunRates& rates) {
  return fmt::format(
      "{} evaluations, {} training positions, {} steps per second", count_text(rates.evaluations),
      count_text(rates.positions),
      rates.steps < 10 ? fmt::format("{:.1f}", rates.steps) : count_text(rates.steps));
}

}  // namespace

void add_run_arguments(CLI::App& command, RunArguments& arguments, const std::string& config_help) {
  command.add_option("config", arguments.config, config_help);
  command.add_option("--run", arguments.folder, "Folder of the run (default: runs/NAME)");
  command
      .add_option("--set", arguments.settings,
                  "Override one key; repeatable, e.g. --set search.visits=200")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  for (const char* key : {"device", "backend", "precision"})
    command.add_option_function<std::string>(
        fmt::format("--{}", key),
        [&arguments, key](const std::string& value) { arguments.device[key] = value; },
        fmt::format("The same as --set device.{}", key));
}

Config read_config(const RunArguments& arguments, const std::filesystem::path& file) {
  Config config = load_config(file);
  for (const std::string& setting : arguments.settings)
    set_option(config, setting);
  for (const auto& [key, value] : arguments.device)
    set_option(config, fmt::format("device.{}={}", key, value), fmt::format("--{} {}", key, value));
  if (config.run.name.empty()) config.run.name = file.stem().string();
  return config;
}

std::filesystem::path run_folder(const RunArguments& arguments, const Config& config) {
  return arguments.folder.empty() ? std::filesystem::path("runs") / config.run.name
                                  : std::filesystem::path(arguments.folder);
}

std::string check_text(const Config& config, const RunCheck& check) {
  const RunForecast& f = check.forecast;
  std::string text = fmt::format("{}: {}\n", config.run.variant, check.network);
  for (const std::string& message : check.messages)
    text += message + "\n";
  const SampleGames& games = check.games;
  if (games.plies.empty())
    text += "games        unknown: a search without a network made no move in time\n";
  else
    text += fmt::format(
        "games        {}{:.0f} plies, {:.0f} legal moves, {:.0f} % cut (mean of {} games of a "
        "search "
        "without a network{})\n",
        games.unfinished == 0 ? "" : "at least ", f.mean_plies, games.legal_moves, 100 * f.cut,
        games.plies.size(),
        games.unfinished == 0 ? "" : fmt::format(", {} unfinished", games.unfinished));
  if (check.speeds.evaluations <= 0)
    text += "speed        unknown: no batch was evaluated in time\n";
  else
    text += fmt::format("speed        {}\n", speed_text(f));
  if (f.first_games) text += fmt::format("with 1 level {}\n", speed_text(*f.first_games));
  text += fmt::format("memory       {} with a window of {} positions, of {}\n",
                      bytes_text(f.memory_bytes),
                      grouped(static_cast<std::uint64_t>(config.replay.window)),
                      available_text(static_cast<double>(check.machine.memory_bytes)));
  text += fmt::format("disk         {} per day ({} per checkpoint), {} free\n",
                      bytes_text(f.disk_bytes_per_day), bytes_text(f.checkpoint_bytes),
                      available_text(static_cast<double>(check.machine.free_disk_bytes)));
  if (f.inherited_seconds > 0)
    text += fmt::format("inherited    games of the other run: learning from them takes {}\n",
                        time_text(f.inherited_seconds));
  text += fmt::format("first step   after {}\n", time_text(f.first_step_seconds));
  text += fmt::format("end          {}\n",
                      f.seconds     ? fmt::format("after {} ({})", time_text(*f.seconds), f.limit)
                      : f.has_limit ? "unknown: it depends on what the network learns"
                                    : "when you stop it: [run] has no limit");
  for (const std::string& warning : f.warnings)
    text += "warning: " + warning + "\n";
  for (const std::string& refusal : f.refusals)
    text += "error: " + refusal + "\n";
  return text;
}

std::string check_json(const Config& config, const RunCheck& check) {
  const RunForecast& f = check.forecast;
  nlohmann::ordered_json json = {
      {"variant", config.run.variant},
      {"network", check.network},
      {"messages", check.messages},
      {"parameters", check.parameters},
      {"sample_games", check.games.plies.size()},
      {"unfinished_games", check.games.unfinished},
      {"mean_plies", f.mean_plies},
      {"legal_moves", check.games.legal_moves},
      {"cut", f.cut},
      {"evaluations_per_second", f.evaluations},
      {"positions_per_second", f.positions},
      {"steps_per_second", f.steps},
      {"actors_wait", f.actors_wait},
      {"memory_bytes", f.memory_bytes},
      {"disk_bytes_per_day", f.disk_bytes_per_day},
      {"checkpoint_bytes", f.checkpoint_bytes},
      {"warnings", f.warnings},
      {"errors", f.refusals},
  };
  if (f.first_games)
    json["first_games"] = {{"evaluations_per_second", f.first_games->evaluations},
                           {"positions_per_second", f.first_games->positions},
                           {"steps_per_second", f.first_games->steps}};
  // What is unknown is left out.
  if (std::isfinite(f.first_step_seconds)) json["first_step_seconds"] = f.first_step_seconds;
  if (f.seconds) {
    json["seconds"] = *f.seconds;
    json["limit"] = f.limit;
  }
  return json_text(json);
}

}  // namespace faultline
