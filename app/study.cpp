// `faultline study`: strategies against each other and against plain play, until it is decided
// which are better, and what they did.
#include "lab/study.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
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
#include "app/whole_number.h"
#include "base/atomic_file.h"
#include "base/file_lock.h"
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
  std::vector<std::string> nets;
  std::vector<int> visits;
  std::vector<std::string> variants;
  std::optional<int> games;
  int threads = 0;
  bool summary = false;
  bool json = false;
  DeviceOptions device;
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
  std::error_code ignored;
  StudySettings settings;
  if (fs::is_directory(options.study, ignored)) {
    if (!is_study(options.study))
      throw UsageError(options.study +
                       ": is a folder without study.json; STUDY is a study's file "
                       "(configs/studies has some) or the folder of one that was begun");
    if (!options.nets.empty() || !options.visits.empty() || !options.variants.empty())
      throw UsageError(
          "--net, --visits and --variants are for a study that begins; it is continued as it was "
          "begun");
    if (!options.out.empty() && !fs::equivalent(options.out, options.study, ignored))
      throw UsageError(
          fmt::format("{} is a study's folder: leave out --out {}", options.study, options.out));
    settings = load_study(folder);
    if (options.games) settings.games = *options.games;
  } else {
    settings = read_study(options.study, {.nets = options.nets,
                                          .visits = options.visits,
                                          .variants = options.variants,
                                          .games = options.games});
  }
  return settings;
}

void print_results(const StudyResults& results, const Options& options) {
  for (const std::string& notice : results.notices)
    fmt::print(stderr, "faultline study: {}\n", notice);
  print(study_document(results), options.json);
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
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  const FileLock lock(folder / "lock");
  if (!lock.held())
    throw UsageError(folder.string() + ": another process is playing the study in this folder");
  Study study(settings, folder,
              fs::is_directory(options.study) ? std::string() : text_of_file(options.study));
  for (const fs::path& file : study.repaired())
    fmt::print(stderr, "{}: dropped an incomplete game at its end\n", file.string());
  if (!options.json)
    fmt::print("{}: {} in {}, {}\n", folder.string(),
               counted(comparisons_of(settings), "comparison"),
               counted(study.cells().size(), "combination") + " of variant, net and visits",
               study.finished_games() == 0
                   ? fmt::format("at most {}", counted(study.planned_games(), "game"))
                   : fmt::format("continuing after {} of at most {}", study.finished_games(),
                                 counted(study.planned_games(), "game")));
  std::fflush(stdout);
  std::vector<std::string> nets;
  for (const StudyNet& net : settings.nets)
    if (!net.weights.empty()) nets.push_back(net.player);
  for (const StudyArm& arm : settings.arms)
    if (arm.net && !arm.net->weights.empty()) nets.push_back(arm.net->player);
  if (!nets.empty()) require_choice(options.device);
  print_search_notices(nets);
  PlayerResources resources(program_backends(), options.device);
  GamesProgress progress(study.finished_games(), study.finished_games(), plan_of(study));
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    study.play(resources, options.threads,
               {.on_finished =
                    [&](const StudyCell& cell, const std::array<std::string, 2>& players,
                        const Score& score) {
                      progress.finished(1, cell.name + ": " + bout_text(players, score));
                    },
                .on_look = [&] { progress.set_plan(plan_of(study)); },
                .stop =
                    [&] {
                      progress.tick();
                      return StopSignals::requested();
                    }});
  }
  progress.clear();
  const StudyResults results = study_results(folder);
  write_file_atomically(folder / "results.json",
                        json_text(to_json(study_document(results)), 1) + "\n");
  print_results(results, options);
  if (study.complete()) return;
  if (!options.json) fmt::print("\nStopped. 'faultline study {}' continues.\n", folder.string());
  throw CLI::RuntimeError(kInterrupted);
}

void run(const Options& options) {
  if (!options.summary) return play(options);
  if (options.games || !options.nets.empty() || !options.visits.empty() ||
      !options.variants.empty())
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
  command
      ->add_option("--net", options->nets,
                   "LABEL=PLAYER, instead of the file's nets; may be given several times. A net "
                   "plays in its own variant, or, if it shares its levels, in Inferno with any "
                   "number of them; uniform and material in all")
      ->type_name("LABEL=PLAYER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--visits", options->visits, "visits per move, instead of the file's: 50,200")
      ->delimiter(',')
      ->transform(whole_number(1, kMostStudyVisits));
  command
      ->add_option("--variants", options->variants,
                   "some of the file's variants, for a study of these alone")
      ->type_name("VARIANT ...");
  command
      ->add_option("--games", options->games,
                   "games of each comparison, at most, instead of the file's; a study can be "
                   "continued with more")
      ->transform(whole_number(2, 1'000'000));
  add_threads_option(*command, options->threads);
  add_device_options(*command, options->device);
  command->add_flag("--summary", options->summary,
                    "play nothing; print the results so far, also while it is played");
  command->add_flag("--json", options->json, "print the results as JSON (as in results.json)");
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
