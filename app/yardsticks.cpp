// `faultline yardsticks`: how well players play where the right move is known or judged.
#include "lab/yardsticks/yardsticks.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/print_document.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/progress_line.h"
#include "base/stop_signals.h"
#include "play/game.h"

namespace faultline {
namespace yardsticks_command {
namespace {

struct Options {
  std::string variant;
  std::vector<std::string> players;
  YardstickSettings defaults;
  GameOptions game;
  std::string out;
};

/// "alphabeta?depth=4, puzzles: 40 of 150, about 0:10 left".
class StageProgress {
 public:
  void show(const std::string& stage, int done, int all) {
    if (stage != stage_) {
      stage_ = stage;
      begin_ = Clock::now();
    }
    if (!line_.due()) return;
    std::vector<std::string> parts = {fmt::format("{}: {} of {}", stage, done, all)};
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (done > 0 && done <= all)
      parts.push_back(
          fmt::format(", about {} left", time_left(seconds, static_cast<double>(done) / all)));
    line_.show(parts);
  }
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_{std::cerr, isatty(STDERR_FILENO) != 0};
  std::string stage_;
  Clock::time_point begin_ = Clock::now();
};

void yardsticks(const Options& options) {
  const Game& game = find_game(options.variant);
  std::vector<PlayerSpec> players;
  for (const std::string& name : options.players)
    players.push_back(find_named_player(name));
  if (players.empty())
    players = reporting_input_errors([&] { return yardstick_players(game.variant()); });

  YardstickSettings settings;
  MoveLimits none;
  for (const Option& limit : move_limit_options(none))
    if (options.game.given.contains(limit.name)) settings.limits = {};
  assign_given(faultline::options(settings), options.game.given);

  std::error_code error;
  if (!options.out.empty()) std::filesystem::create_directories(options.out, error);
  if (error)
    throw UsageError(fmt::format("--out {}: cannot be created: {}", options.out, error.message()));

  PlayerResources resources(program_backends(), options.game.device);
  std::vector<std::string> names;
  for (const PlayerSpec& player : players) {
    limits_of(player, settings.limits);
    names.push_back(player.name);
  }
  if (settings.only_moves > 0 || settings.regret > 0)
    names.push_back(
        reporting_input_errors([&] { return judge_of(settings, game.variant()).name; }));
  prepare_nets(names, options.game, false);
  StageProgress progress;
  YardstickResult result;
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    result = run_yardsticks(game.variant(), players, settings, options.game.threads, resources,
                            {.stop = [] { return StopSignals::requested(); },
                             .on_progress = [&](const std::string& stage, int done,
                                                int all) { progress.show(stage, done, all); }});
  }
  progress.clear();
  const Document document = yardstick_document(result);
  if (!options.out.empty())
    write_file_atomically(std::filesystem::path(options.out) / kYardsticksFile,
                          json_text(to_json(document), 2) + "\n");
  print(document, options.game.json);
  if (result.stopped) throw CLI::RuntimeError(kInterrupted);
}

}  // namespace
}  // namespace yardsticks_command

void add_yardsticks(CLI::App& app) {
  using namespace yardsticks_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("yardsticks", kYardsticksSummary);
  command->add_option("GAME", options->variant, "a variant, as in 'faultline variants'")
      ->required();
  command->add_option("PLAYER", options->players,
                      "players as in 'faultline match' (default: the game's ready networks in "
                      "several searches, random, material and alphabeta)");
  add_setting_flags(*command, faultline::options(options->defaults), options->game.given);
  command
      ->add_option("--out", options->out,
                   "a folder, which gets the result as yardsticks.json: 'faultline report FOLDER' "
                   "makes a page of it")
      ->type_name("FOLDER");
  add_game_options(*command, options->game);
  command->footer(
      "Asks each player for one move in each position, without an opponent: endgames whose exact\n"
      "value is known, mates with one right first move, positions with one good move, and others,\n"
      "whose moves a judge values.\n"
      "The positions depend on the seed, those with one good move also on the judge. "
      "docs/yardsticks.md says how numbers are computed.\n"
      "Ctrl-C ends with the results that are there.\n\n"
      "Examples:\n"
      "  faultline yardsticks gardner material 'alphabeta?depth=4'\n"
      "  faultline yardsticks escher runs/escher 'alphabeta?eval=runs/fast&ms=10' --visits 800\n"
      "  faultline yardsticks chess 'alphabeta?nodes=10000' --puzzles 300 --endgames 0 --json");
  command->callback([options] { reporting_input_errors([&] { yardsticks(*options); }); });
}

}  // namespace faultline
