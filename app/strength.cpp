// `faultline strength`: a net against fixed opponents, as a table that can be made again.
#include "lab/strength.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/games_progress.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/print_document.h"
#include "base/options.h"
#include "base/processor.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "engine/child_process.h"
#include "engine/uci_engine_spec.h"
#include "lab/game_settings.h"
#include "lab/match_document.h"
#include "lab/match_json.h"
#include "lab/run_match.h"
#include "model/checkpoint.h"
#include "play/game.h"
#include "record/run_folder.h"

namespace faultline {
namespace strength_command {
namespace {

namespace fs = std::filesystem;

struct Settings : GameSettings {
  Settings() : GameSettings{.limits = {.visits = 800}, .openings = "random:4"} {}
  int games = 400;
};

std::vector<Option> options(Settings& s) {
  std::vector<Option> all = chosen(faultline::options(static_cast<GameSettings&>(s)),
                                   {"visits", "openings", "max_plies", "seed"});
  all.push_back(games_option(s.games, "Games against each opponent"));
  return all;
}

struct Options {
  std::string net;
  std::vector<std::string> opponents;
  Settings defaults;
  GameOptions game;
  std::string out;
  bool stop_early = false;
  bool only_print = false;
};

/// Where the table is kept.
fs::path table_file(const Options& options, const fs::path& net) {
  if (fs::is_directory(options.out))
    throw UsageError("--out " + options.out + ": is a folder; give a file, as in strength.json");
  if (!options.out.empty()) return options.out;
  if (const auto run = run_of_net(net); run && RunFolder::holds_run(*run))
    return *run / "strength.json";
  throw UsageError(net.string() +
                   ": is not in a run's folder, where the table would be kept; give --out FILE");
}

/// Whether an opponent can play here; prints why if not.
bool is_available(const PlayerSpec& opponent) {
  if (opponent.kind != PlayerKind::Uci) return true;
  const UciEngineSpec spec = parse_uci_engine_spec(opponent.engine);
  const std::string program = split_command(spec.command).front();
  if (!find_program(program).empty()) return true;
  fmt::print(stderr, "{}: left out, {} is not installed\n", opponent.name, program);
  return false;
}

/// "runs/a/config.toml: cpuct=1.75 ...": with the values, since the file may change.
std::string search_text(const PlayerSpec& net, const MatchSetup& setup) {
  if (!net.uses_tree_search()) return "none";
  PlayerSearch search = search_of(net, setup);
  std::string text = search.source + ":";
  for (const Option& option : faultline::options(search.settings))
    text += fmt::format(" {}={}", option.name, value_text(option));
  return text;
}

StrengthSettings settings_of(const Options& options, const Settings& settings,
                             const PlayerSpec& net, const MatchSetup& setup) {
  const CheckpointInfo info = read_checkpoint_info(net.net);
  return {.variant = setup.variant,
          .net = net.net.string(),
          .weights = info.weights(),
          .limits = limits_text(limits_of(net, setup.limits[0])),
          .search = search_text(net, setup),
          .precision = std::string(name(playing_choice(options.game.device).precision)),
          .openings = text(setup.config.openings),
          .adjudication = "",
          .seed = settings.seed,
          .max_plies = setup.config.max_plies};
}

/// Plays the games against one opponent; nullopt if they were interrupted. `stop_early`: no more
/// than are needed to see that one side is far stronger.
std::optional<StrengthRow> play(const MatchSetup& setup, PlayerResources& resources,
                                bool stop_early) {
  std::cerr << setup.players[1].name << ":\n";
  GamesProgress progress(0, 0, plan_of(setup.config));
  MatchHooks hooks;
  std::mutex mutex;
  std::optional<MatchResult>
      decided;  // the games that decided it, the same at any number of threads
  if (stop_early) {
    hooks.on_game = [&](const MatchGame&, const MatchResult& so_far) {
      const std::scoped_lock lock(mutex);
      if (!decided && is_one_sided(so_far)) decided = so_far;
    };
    hooks.stop = [&] {
      const std::scoped_lock lock(mutex);
      return decided.has_value();
    };
  }
  const MatchResult all = run_match(setup, resources, progress, hooks);
  if (!decided && !all.complete()) {
    std::cerr << fmt::format("  stopped: {}\n", result_text(all));
    return std::nullopt;
  }
  // When the last games decide, nothing is left to stop.
  const MatchResult& result = all.complete() ? all : *decided;
  std::cerr << fmt::format("  {}; took {}\n", result_text(result), clock_text(progress.seconds()));
  return StrengthRow{.opponent = setup.players[1].name,
                     .result = to_json(result),
                     .seconds = progress.seconds(),
                     .processor = processor_name(),
                     .stopped_early = !all.complete()};
}

void make_table(const Options& options) {
  const PlayerSpec net = find_named_player(options.net);
  if (!net.uses_net())
    throw UsageError(options.net + ": the table is of a net or a run's newest net");
  if (!net.strategy.empty())
    throw UsageError(options.net + ": the table is of a net's own play; leave strategy= out");
  const Game& game = find_game(variant_of("", {net}));
  std::vector<PlayerSpec> opponents;
  for (const std::string& name :
       options.opponents.empty() ? fixed_opponents(game.family().name) : options.opponents)
    opponents.push_back(find_named_player(name));
  std::erase_if(opponents, [](const PlayerSpec& opponent) { return !is_available(opponent); });
  if (opponents.empty()) throw UsageError("no opponent is left to play against");

  PlayerResources resources(program_backends(), options.game.device);
  Settings played;
  assign_given(played, strength_command::options(played), options.game.given);
  const auto setup_for = [&](const PlayerSpec& opponent) {
    MatchSetup setup = match_setup(played, game.variant(), {net, opponent});
    setup.config.games = played.games;
    setup.config.threads = options.game.threads;
    return resolved(std::move(setup), resources);
  };
  const MatchSetup first = setup_for(opponents.front());
  warn_of_openings("strength", first.config.openings, first.variant);
  const StrengthSettings settings = settings_of(options, played, net, first);
  const fs::path file = table_file(options, net.net);
  const auto run = run_of_net(net.net);
  StrengthTable table(
      settings, run ? training_cost(*run, read_checkpoint_info(net.net).steps) : std::nullopt);
  if (fs::exists(file)) {
    table = StrengthTable::load(file);
    table.require_same(settings, file);
  }
  prepare_nets({net.name}, options.game, false);
  table.save(file);  // before hours of games, not after
  bool interrupted = false;
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    for (const PlayerSpec& opponent : opponents) {
      if (table.find(opponent.name, played.games, options.stop_early) != nullptr) continue;
      std::optional<StrengthRow> row = play(setup_for(opponent), resources, options.stop_early);
      if (!row) {
        interrupted = true;
        break;
      }
      table.set(std::move(*row));
      table.save(file);
    }
  }
  print(table.document(), options.game.json);
  if (!interrupted) return;
  fmt::print(stderr,
             "Stopped. The same command continues with the next opponent; results are in {}\n",
             file.string());
  throw CLI::RuntimeError(kInterrupted);
}

void print_table(const Options& options) {
  const auto run = find_run(options.net);
  const fs::path file = run ? *run / "strength.json" : fs::path(options.net);
  if (run && !fs::exists(file) && !RunFolder::holds_run(*run))
    throw UsageError(run->string() + ": is neither a run's folder nor a table of strength");
  if (run && !fs::exists(file))
    throw UsageError(fmt::format("{} has no table yet; 'faultline strength {}' makes one",
                                 run->string(), options.net));
  print(StrengthTable::load(file).document(), options.game.json);
}

void strength(const Options& options) {
  if (options.only_print)
    print_table(options);
  else
    make_table(options);
}

}  // namespace
}  // namespace strength_command

void add_strength(CLI::App& app) {
  using namespace strength_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("strength", kStrengthSummary);
  command
      ->add_option("NET", options->net,
                   "a net or a run's folder (its newest net); with --print a run's folder or a "
                   "strength.json")
      ->required();
  command->add_option("--opponents", options->opponents,
                      "players as in 'faultline match' (default: alphabeta at depths 1 to 6 and at "
                      "10,000 and 100,000 nodes; chess and gardner also fairy-stockfish at 100 to "
                      "100,000 nodes, if it is installed)");
  add_setting_flags(*command, strength_command::options(options->defaults), options->game.given);
  command->add_flag("--stop-early", options->stop_early,
                    "end an opponent's games, after 40 at least, when the 95 % interval of the "
                    "score lies below 5 % or above 95 %");
  add_threads_option(*command, options->game.threads);
  command->add_option("--out", options->out, "results (default: strength.json in the run's folder)")
      ->type_name("FILE");
  command->add_flag("--print", options->only_print, "print a table that was made before");
  command->add_flag("--json", options->game.json, "print one JSON object (docs/documents.md)");
  add_device_options(*command, options->game.device);
  command->footer(
      "Prints a table. Results are saved after every opponent: the same command\n"
      "continues where it was stopped, and plays again only what has fewer games than asked "
      "for.\n\n"
      "Examples:\n"
      "  faultline strength runs/quickstart\n"
      "  faultline strength runs/gardner --games 100 --opponents 'alphabeta?depth=2' "
      "\"uci:fairy-stockfish?nodes=1000\"\n"
      "  faultline strength runs/gardner --print");
  command->callback([options] { reporting_input_errors([&] { strength(*options); }); });
}

}  // namespace faultline
