// `faultline study`: strategies against each other and against plain play, until it is decided
// which are better, and what they did.
#include "lab/study.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/games_progress.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/print_document.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/study_document.h"
#include "lab/study_file.h"
#include "lab/study_results.h"

namespace faultline {
namespace study_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string study;  // a file or a folder
  std::string out;
  StudySettings defaults;
  std::vector<std::string> nets;  // only for their flag
  GameOptions game;
  bool summary = false;
};

GamesProgress::Plan plan_of(const Study& study) {
  return {.games = study.planned_games(),
          .work = static_cast<double>(study.planned_games()),
          .at_most = true,
          .note = fmt::format("{} of {} decided", study.decided_comparisons(),
                              counted(comparisons_of(study.settings()), "comparison"))};
}

/// Where the study is or will be.
fs::path folder_of(const Options& options) {
  if (!options.out.empty()) return options.out;
  if (fs::is_directory(options.study)) return options.study;
  return fs::path("studies") / fs::path(options.study).stem();
}

StudySettings settings_of(const Options& options, const fs::path& folder) {
  const GivenValues& given = options.game.given;
  std::error_code ignored;
  if (!fs::is_directory(options.study, ignored)) return read_study(options.study, given);
  if (!is_study(options.study))
    throw UsageError(options.study +
                     ": is a folder without study.json; STUDY is a study's file "
                     "(configs/studies has some) or the folder of one that was begun");
  if (given.size() > given.count("games"))
    throw UsageError(
        "--net, --visits and --variants are for a study that begins; it is continued as it was "
        "begun");
  if (!options.out.empty() && !fs::equivalent(options.out, options.study, ignored))
    throw UsageError(
        fmt::format("{} is a study's folder: leave out --out {}", options.study, options.out));
  StudySettings settings = load_study(folder);
  assign_given(faultline::options(settings), given);
  return settings;
}

void print_results(const StudyResults& results, const Options& options) {
  for (const std::string& notice : results.notices)
    fmt::print(stderr, "faultline study: {}\n", notice);
  print(study_document(results), options.game.json);
}

std::string text_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void play(const Options& options) {
  const fs::path folder = folder_of(options);
  const StudySettings settings = settings_of(options, folder);
  check(settings);
  for (const std::string& variant : settings.variants)
    warn_of_openings("study", parse_opening_source(settings.openings), variant);
  const PlayLock lock(folder, "the study");
  Study study(settings, folder,
              fs::is_directory(options.study) ? std::string() : text_of_file(options.study));
  if (!options.game.json)
    fmt::print("{}: {} in {}, at most {}\n", folder.string(),
               counted(comparisons_of(settings), "comparison"),
               counted(study.cells().size(), "combination") + " of variant, net and visits",
               counted(study.planned_games(), "game"));
  announce(study.repaired(), study.finished_games(), study.planned_games(), options.game);
  std::fflush(stdout);
  prepare_nets(player_names(settings), options.game, settings.search_defaults);
  PlayerResources resources(program_backends(), options.game.device);
  GamesProgress progress(study.finished_games(), study.finished_games(), plan_of(study));
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    ExperimentHooks hooks = hooks_of(progress);
    hooks.on_look = [&] { progress.set_plan(plan_of(study)); };
    study.play(resources, options.game.threads, hooks);
  }
  progress.clear();
  const StudyResults results = study_results(folder);
  write_file_atomically(folder / "results.json",
                        json_text(to_json(study_document(results)), 1) + "\n");
  print_results(results, options);
  if (!study.complete()) end_interrupted("faultline study " + folder.string(), options.game);
}

void run(const Options& options) {
  if (!options.summary) return play(options);
  if (!options.game.given.empty())
    throw UsageError("--summary: plays nothing, and takes no --games, --net, --visits, --variants");
  const fs::path folder = folder_of(options);
  if (!is_study(folder))
    throw UsageError(folder.string() + ": there is no study in this folder (no study.json)");
  print_results(study_results(folder), options);
}

}  // namespace
}  // namespace study_command

void add_study(CLI::App& app) {
  using namespace study_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("study", kStudySummary);
  command
      ->add_option("STUDY", options->study,
                   "a study's file (configs/studies has some), or the folder of one that was begun")
      ->required();
  command
      ->add_option("--out", options->out,
                   "the study's folder (default: studies/NAME, after the file); one that was "
                   "begun is continued")
      ->type_name("DIR");
  // What the command line may give instead of the file.
  add_setting_flags(*command,
                    chosen(faultline::options(options->defaults), {"variants", "visits", "games"}),
                    options->game.given);
  add_setting_flags(*command,
                    {{"nets", &options->nets, Anything{},
                      "LABEL=PLAYER, instead of the file's nets; may be given several times. A net "
                      "plays in its own variant, or, if it shares its levels, in Inferno with any "
                      "number of them; uniform, material and alphabeta, with a limit such as "
                      "alphabeta?nodes=10000, in all."}},
                    options->game.given, ListWords::One);
  command->add_flag("--summary", options->summary,
                    "play nothing; print the results so far, also while it is played");
  add_game_options(*command, options->game);
  command->footer(
      "Every two ways of playing meet in every variant, with every net and number of visits, in\n"
      "games from paired openings. After every 'look' games of a comparison it is tested, and\n"
      "ends when it is decided: the probability that any comparison of the study is decided\n"
      "wrongly is at most alpha. Games are written as they end; Ctrl-C stops, and the same\n"
      "command or 'faultline study DIR' continues. The results say who is better, and what each\n"
      "side did: whether the plan was followed. docs/studies.md explains the file, the statistics\n"
      "and the folder; 'faultline report DIR -o FILE.html' shows curves and games.\n\n"
      "Examples:\n"
      "  faultline study configs/studies/escher-unchanged-board.toml\n"
      "  faultline study configs/studies/inferno-descend-early-vs-hold-back.toml \\\n"
      "      --net 1h=runs/inf/nets/002000.pt --net 8h=runs/inf --visits 50,400 --out studies/a\n"
      "  faultline study studies/a --summary");
  command->callback([options] { reporting_input_errors([&] { run(*options); }); });
}

}  // namespace faultline
