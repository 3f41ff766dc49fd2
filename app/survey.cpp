// `faultline survey`: what games of variants against themselves say of the variants.
#include "survey/survey.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
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
#include "base/file_lock.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/ready_networks.h"
#include "model/checkpoint.h"
#include "play/game.h"
#include "survey/survey_document.h"
#include "survey/survey_games.h"
#include "survey/survey_results.h"

namespace faultline {
namespace survey_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words;  // variants, or a survey's folder
  std::vector<std::string> nets;
  std::string out;
  std::optional<std::string> evaluator;
  SurveySettings defaults;
  GameOptions game;
  bool summary = false;
};

GamesProgress progress_of(const Survey& survey) {
  const SurveySettings& settings = survey.settings();
  double done = 0;
  double all = 0;
  for (std::size_t visits = 0; visits < settings.visits.size(); ++visits)
    for (std::size_t variant = 0; variant < settings.variants.size(); ++variant) {
      const auto work = static_cast<double>(settings.visits[visits]);
      done += work * survey.finished_games(variant, visits);
      all += work * settings.games;
    }
  return {survey.finished_games(), done, {.games = settings.planned_games(), .work = all}};
}

bool is_survey(const fs::path& folder) {
  std::error_code ignored;  // of names that are too long
  return fs::exists(survey_settings_file(folder), ignored);
}

/// The folder of a survey that `word` names, as given or below surveys/; "" if it names none.
fs::path find_survey(const std::string& word) {
  for (const fs::path& folder : {fs::path(word), fs::path("surveys") / word})
    if (!word.empty() && is_survey(folder)) return folder;
  return {};
}

bool is_variant(const std::string& word) {
  try {
    find_game(word);
    return true;
  } catch (const VariantError&) {
    return false;
  }
}

/// Refuses names of folders, which are not misspelt variants.
void refuse_folders(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.empty() || is_variant(word)) continue;
    for (const fs::path& folder : {fs::path(word), fs::path("surveys") / word}) {
      std::error_code ignored;
      if (!fs::is_directory(folder, ignored)) continue;
      throw UsageError(
          is_survey(folder)
              ? folder.string() + ": is a survey's folder, and is named alone"
              : folder.string() +
                    ": is a folder without survey.json; name variants, or the folder of a survey "
                    "that was begun");
    }
  }
}

bool uses_net(const SurveyedVariant& surveyed) {
  return find_player(surveyed.player).uses_net();
}

/// Whether a policy/value network or a fast one plays.
bool has_network(const SurveyedVariant& surveyed) {
  const PlayerSpec player = find_player(surveyed.player);
  return player.uses_net() || !player.evaluation.empty();
}

SurveySettings settings_of(const Options& options, const fs::path& folder) {
  SurveySettings settings;
  if (options.words.empty() && options.nets.empty()) {
    if (!is_survey(folder))
      throw UsageError(
          "what is surveyed? Name one or more variants, or a net with --net, or the folder of a "
          "survey that was begun");
    settings = read_survey(survey_settings_file(folder));
    if (options.evaluator)
      throw UsageError("--evaluator: name the variants, too, or leave it out to continue");
  } else {
    settings.variants =
        assign_players(options.words, options.nets, options.evaluator.value_or("uniform"));
    if (!options.evaluator)
      for (SurveyedVariant& surveyed : settings.variants)
        if (const fs::path ready = ready_network(surveyed.variant, ReadyFor::Variant);
            !has_network(surveyed) && !ready.empty() && read_checkpoint_info(ready).has_network)
          surveyed.player = ready.string();
    if (options.evaluator && std::ranges::all_of(settings.variants, has_network))
      throw UsageError(
          "--evaluator: nets play every variant; leave it out, or name a variant without a net, "
          "too");
    // Nets tell moves apart. Without one, many moves are equal, of which the best is always the
    // first: such players would shuffle to and fro. alphabeta has no temperature.
    if (!counts_visits(settings)) {
      settings.temperature = 0;
    } else if (std::ranges::all_of(settings.variants, [](const SurveyedVariant& surveyed) {
                 return !surveyed.counts_visits || uses_net(surveyed);
               })) {
      settings.temperature = 1;
      settings.temperature_plies = 8;
    }
    if (counts_nodes(settings)) settings.openings = "random:4";
  }
  assign_given(settings, faultline::options(settings), options.game.given);
  return settings;
}

/// Those that were not `told` before.
void print_notices(const std::vector<std::string>& notices,
                   const std::vector<std::string>& told = {}) {
  for (const std::string& notice : notices)
    if (std::ranges::find(told, notice) == told.end())
      fmt::print(stderr, "faultline survey: {}\n", notice);
}

/// `told`: notices that were printed before.
void print(const SurveyResults& results, const Options& options,
           const std::vector<std::string>& told = {}) {
  print_notices(results.notices, told);
  for (const std::string& notice : uncounted_notices(results.unreadable, results.waiting))
    fmt::print(stderr, "{}\n", notice);
  faultline::print(survey_document(results), options.game.json);
}

void write_results(const SurveyResults& results, const fs::path& folder) {
  write_file_atomically(survey_results_file(folder),
                        json_text(to_json(survey_document(results)), 1) + "\n");
}

/// The nets, for their policies; null if there is none, or one that has gone or changed.
std::unique_ptr<PlayerResources> nets_of(const SurveySettings& settings,
                                         const DeviceOptions& device) {
  try {
    if (std::ranges::none_of(settings.variants, uses_net)) return nullptr;
    SurveySettings copy = settings;
    check_weights(players_of(copy));
    auto resources = std::make_unique<PlayerResources>(program_backends(), device);
    for (const SurveyedVariant& surveyed : settings.variants)
      if (const PlayerSpec player = find_player(surveyed.player); player.uses_net())
        resources->backend(player.net, find_game(surveyed.variant).encoding(), player.precision);
    return resources;
  } catch (const std::exception& error) {
    fmt::print(stderr, "without the nets' policies: {}\n", error.what());
    return nullptr;
  }
}

void summarise(const Options& options, const fs::path& folder) {
  if (!is_survey(folder))
    throw UsageError(folder.string() + ": is not a survey's folder (with survey.json)");
  const SurveySettings settings = read_survey(survey_settings_file(folder));
  check_recorded(settings);
  const auto nets = nets_of(settings, options.game.device);
  const SurveyResults results =
      survey_results(settings, folder, {.threads = options.game.threads, .resources = nets.get()});
  print(results, options);
  try {
    if (const FileLock lock(folder / "lock"); lock.held()) write_results(results, folder);
  } catch (const std::exception& error) {  // it may be somebody else's
    fmt::print(stderr, "{}: not updated: {}\n", survey_results_file(folder).string(), error.what());
  }
}

void play(const Options& options, const fs::path& folder) {
  const SurveySettings settings = settings_of(options, folder);
  check(settings);
  for (const SurveyedVariant& surveyed : settings.variants)
    warn_of_openings("survey", parse_opening_source(settings.openings), surveyed.variant);
  const PlayLock lock(folder, "a survey");
  Survey survey(settings, folder);
  announce(survey.repaired(), survey.finished_games(), survey.planned_games(), options.game);
  std::vector<std::string> told;
  if (survey.finished_games() > 0 && !survey.complete()) {
    // What is wrong with the games so far is better said before playing than after it.
    told = read_survey_games(survey.settings(), folder).notices;
    print_notices(told);
  }
  PlayerResources resources(program_backends(), options.game.device);
  prepare_nets(player_names(settings), options.game, settings.search_defaults);
  SurveyResults results;
  {
    GamesProgress progress = progress_of(survey);
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    const ExperimentHooks hooks = hooks_of(progress);
    survey.play(resources, options.game.threads, hooks);
    results =
        survey_results(survey.settings(), folder,
                       {.threads = options.game.threads,
                        .resources = &resources,
                        .stop = hooks.stop,
                        .on_stage = [&](const std::string& stage) { progress.set_stage(stage); }});
    progress.clear();
  }
  write_results(results, folder);
  print(results, options, told);
  const bool analysed = std::ranges::all_of(results.variants, [](const VariantResult& variant) {
    return variant.complexity.has_value();
  });
  if (survey.complete() && analysed) {
    if (!options.game.json)
      fmt::print("\nThe results are in {}; 'faultline report {}' shows them in a browser.\n",
                 survey_results_file(folder).string(), folder.string());
    return;
  }
  end_interrupted("faultline survey " + folder.string(), options.game);
}

void survey(Options options) {
  fs::path folder = options.out;
  if (options.words.size() == 1)
    if (const fs::path named = find_survey(options.words[0]); !named.empty()) {
      std::error_code ignored;
      const bool elsewhere = !options.out.empty() && !fs::equivalent(options.out, named, ignored);
      if (options.out.empty() || !is_variant(options.words[0])) {
        if (elsewhere)
          throw UsageError(fmt::format("{} is a survey's folder: leave out --out {}",
                                       options.words[0], options.out));
        folder = named;
        options.words.clear();
      }
    }
  refuse_folders(options.words);
  if (folder.empty() && options.summary)
    throw UsageError(
        "--summary: takes the folder of a survey" +
        (options.words.empty() ? std::string() : ", and there is none at " + options.words[0]));
  if (folder.empty()) {
    for (const std::string& word : options.words)
      find_game(word);  // refuses a name that is neither
    throw UsageError("where to? Name the survey's folder, as in --out surveys/a");
  }
  if (options.summary && (!options.words.empty() || !options.nets.empty()))
    throw UsageError("--summary: takes the folder of a survey, and neither variants nor --net");
  if (options.summary && (options.evaluator || !options.game.given.empty()))
    throw UsageError(
        "--summary: plays nothing, and takes no settings of games or of their analysis");
  if (options.summary)
    summarise(options, folder);
  else
    play(options, folder);
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("VARIANT", options.words,
                     "variants, each with its own options ('faultline variants'); or FOLDER, a "
                     "survey that was begun, which is continued. May be omitted with --net");
  command
      .add_option("--net", options.nets,
                  "a net, as in 'faultline match', or alphabeta?eval=NET for its fast network; "
                  "repeat it for several. It plays the variant that it was trained for; variants "
                  "without a net are played by --evaluator")
      ->allow_extra_args(false);
  command
      .add_option("-o,--out", options.out,
                  "the survey's folder: survey.json, games.pgn, results.json; an interrupted "
                  "survey is continued")
      ->type_name("FOLDER");
  command
      .add_option("--evaluator", options.evaluator,
                  "who plays without a net: uniform (search that knows only the rules), material "
                  "(search by material) or alphabeta (alpha-beta search by material and "
                  "placement); default: the variant's ready network, or uniform")
      ->check(CLI::IsMember({"uniform", "material", "alphabeta"}));
  add_setting_flags(command, faultline::options(options.defaults), options.game.given,
                    ListWords::One);
  command.add_flag("--summary", options.summary,
                   "play nothing: evaluate the folder's games so far and print the tables");
  add_game_options(command, options.game);
}

}  // namespace
}  // namespace survey_command

void add_survey(CLI::App& app) {
  using namespace survey_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("survey", kSurveySummary);
  add_options(*command, *options);
  command->footer(
      "Every variant plays against itself, the same player on both sides. The tables say, with\n"
      "95 % intervals: what the first move is worth; how many games are decided, and how the\n"
      "others are drawn, as visits grow; how long games are; how many moves there are at each\n"
      "ply; how often special moves are played, by which side, and whether by winners; what the\n"
      "pieces are worth, also by level or part of the board; how games begin; how large the game\n"
      "is. Give several option sets to compare them.\n\n"
      "Ctrl-C stops; the same command, or 'faultline survey FOLDER', continues. docs/surveys.md\n"
      "explains the figures.\n\n"
      "Examples:\n"
      "  faultline survey gardner --out surveys/gardner\n"
      "  faultline survey inferno:levels=1 inferno:levels=2 inferno:levels=3 --games 200 \\\n"
      "      --visits 50,200 --out surveys/levels\n"
      "  faultline survey --net runs/escher --visits 100,400,1600 --out surveys/escher\n"
      "  faultline survey --net 'alphabeta?eval=runs/escher' --visits 1000,10000 --out surveys/f\n"
      "  faultline survey surveys/levels --games 400\n"
      "  faultline survey surveys/levels --summary");
  command->callback([options] { reporting_input_errors([&] { survey(*options); }); });
}

}  // namespace faultline
