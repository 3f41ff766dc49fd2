// Declares flags of settings, and does what the commands share that play games.
#include "app/game_options.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/whole_number.h"
#include "base/quote.h"
#include "base/refusals.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/opening_file.h"

namespace faultline {
namespace {

std::string flag_of(const std::string& name) {
  if (name == "search_settings") return "--set";
  if (name == "nets") return "--net";
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

void give(const Option& option, const std::string& word, GivenValues& given) {
  OptionValue value = parse_value(option, word);
  reporting_input_errors([&] { assign(option, flag_of(option.name), value, quote(word, 40)); });
  const auto [old, is_first] = given.try_emplace(option.name, value);
  if (is_first) return;
  // Several words of a list.
  std::visit(
      [&]<class T>(T& values) {
        if constexpr (requires { values.insert(values.end(), values.begin(), values.end()); }) {
          const T& more = std::get<T>(value);
          values.insert(values.end(), more.begin(), more.end());
        }
      },
      old->second);
}

std::string type_of(const Option& option) {
  const bool is_text = std::holds_alternative<std::string*>(option.field) ||
                       std::holds_alternative<std::vector<std::string>*>(option.field) ||
                       std::holds_alternative<EnumField>(option.field);
  return is_text ? "TEXT" : "NUMBER";
}

/// "Of the deepest perft (1 to 100)", as the help shows it.
std::string help_of(const Option& option) {
  std::string help = option.help;
  if (help.ends_with('.')) help.pop_back();
  if (!std::holds_alternative<Anything>(option.allowed))
    help += fmt::format(" ({})", allowed_text(option));
  return help;
}

const std::filesystem::path& created(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  return folder;
}

}  // namespace

void add_setting_flags(CLI::App& command, const std::vector<Option>& options, GivenValues& given,
                       ListWords words) {
  for (const Option& option : options) {
    const std::string flag = flag_of(option.name);
    if (std::holds_alternative<bool*>(option.field)) {
      command.add_flag_callback(
          flag, [&given, name = option.name] { given[name] = true; }, help_of(option));
      continue;
    }
    std::string value = value_text(option);
    std::erase_if(value, [](char c) { return c == '"' || c == '[' || c == ']'; });
    if (option.is_list()) {
      const auto set = [option, &given](const std::vector<std::string>& all) {
        for (const std::string& word : all)
          give(option, word, given);
      };
      command.add_option_function<std::vector<std::string>>(flag, set, help_of(option))
          ->allow_extra_args(words == ListWords::Many)
          ->default_str(value)
          ->type_name(type_of(option));
      continue;
    }
    const auto set = [option, &given](const std::string& word) { give(option, word, given); };
    command.add_option_function<std::string>(flag, set, help_of(option))
        ->default_str(value)
        ->type_name(type_of(option));
  }
}

void add_threads_option(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "number of threads; 0: one per core")
      ->capture_default_str()
      ->transform(whole_number(0, 1024));
}

void add_game_options(CLI::App& command, GameOptions& options) {
  add_threads_option(command, options.threads);
  add_device_options(command, options.device);
  command.add_flag("--json", options.json, "print one JSON object");
}

void add_strict_option(CLI::App& command, GameOptions& options) {
  command.add_flag("--strict", options.strict,
                   "refuse a file of openings if one cannot be used, instead of leaving it out");
}

void warn_of_openings(const std::string& command, const OpeningSource& source,
                      const std::string& variant) {
  if (source.kind != OpeningSource::Kind::File || source.strict) return;
  const Refusals refused = read_openings(source.file, variant).refused;
  if (refused.count() > 0)
    fmt::print(stderr, "faultline {}: {}\n", command, refused.warning("opening"));
}

void prepare_nets(const std::vector<std::string>& players, const GameOptions& options,
                  bool search_defaults) {
  if (std::ranges::any_of(players,
                          [](const std::string& player) { return find_player(player).uses_net(); }))
    require_choice(options.device);
  if (!search_defaults) print_search_notices(players);
}

PlayLock::PlayLock(const std::filesystem::path& folder, const std::string& what)
    : lock_(created(folder) / "lock") {
  if (!lock_.held())
    throw UsageError(
        fmt::format("{}: another process is playing {} in this folder", folder.string(), what));
}

void announce(const std::vector<std::filesystem::path>& repaired, int finished, int planned,
              const GameOptions& options) {
  for (const std::filesystem::path& file : repaired)
    fmt::print(stderr, "{}: dropped an incomplete game at its end\n", file.string());
  if (!options.json && finished > 0)
    fmt::print("Continuing after {} of {}.\n", finished, counted(planned, "game"));
}

ExperimentHooks hooks_of(GamesProgress& progress) {
  return {.on_finished = [&](double work,
                             const std::string& playing) { progress.finished(work, playing); },
          .stop =
              [&] {
                progress.tick();
                return StopSignals::requested();
              }};
}

void end_interrupted(const std::string& command, const GameOptions& options) {
  if (!options.json) fmt::print("\nStopped. '{}' continues.\n", command);
  throw CLI::RuntimeError(kInterrupted);
}

}  // namespace faultline
