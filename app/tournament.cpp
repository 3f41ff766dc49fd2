// `faultline tournament`: many matches, recorded and continued, and the ratings of their players.
#include "lab/tournament.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/games_progress.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/print_document.h"
#include "base/nearest_name.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/rating.h"
#include "lab/rating_document.h"
#include "play/game.h"
#include "rules/families.h"

namespace faultline {
namespace tournament_command {
namespace {

constexpr int kInformationGames = 2;
constexpr int kInformationRounds = 50;

struct Options {
  std::vector<std::string> words;  // CONFIG, or [VARIANT] PLAYERS
  std::string out;
  TournamentSettings defaults;
  GameOptions game;
};

bool is_nearly_variant(const std::string& word) {
  std::vector<std::string> names;
  for (const FamilyInfo* family : all_families())
    names.push_back(family->name);
  return !nearest_name(word.substr(0, word.find(':')), names).empty();
}

/// "[VARIANT] PLAYERS": the first word is the variant if it names one.
void take_players(const std::vector<std::string>& words, TournamentSettings& settings) {
  std::size_t first = 0;
  std::vector<PlayerSpec> specs;
  try {
    find_game(words.front());
    settings.variant = words.front();
    first = 1;
  } catch (const VariantError&) {
    // A player then; the first of them that is a net names the variant.
    settings.variant.clear();
  }
  settings.players.clear();
  for (std::size_t i = first; i < words.size(); ++i) {
    try {
      settings.players.push_back(parse_entrant(words[i]));
      specs.push_back(find_player(settings.players.back().player));
    } catch (const PlayerError& error) {
      // A misspelt variant looks like a player.
      if (i == 0 && is_nearly_variant(words.front())) find_game(words.front());
      throw UsageError(error.what());
    }
  }
  settings.variant = find_game(variant_of(settings.variant, specs)).variant();
}

/// Refuses options of another schedule, which would change nothing.
void require_schedule(const GivenValues& given, const TournamentSettings& settings) {
  const auto require = [&](const char* option, Schedule schedule, const char* needed) {
    if (given.contains(option) && settings.schedule != schedule)
      throw UsageError(fmt::format("--{}: needs --schedule {}", option, needed));
  };
  require("challengers", Schedule::Gauntlet, "gauntlet");
  require("alpha", Schedule::Sequential, "sequential");
  require("indifference", Schedule::Sequential, "sequential");
}

TournamentSettings settings_of(const Options& options) {
  TournamentSettings settings;
  const std::filesystem::path stored = std::filesystem::path(options.out) / "tournament.json";
  const auto is_config = [](const std::string& word) {
    return word.ends_with(".json") && std::filesystem::is_regular_file(word);
  };
  bool from_file = true;
  if (options.words.empty()) {
    if (!std::filesystem::exists(stored))
      throw UsageError(
          "who plays? Name a variant and players, or a CONFIG, or with --out the "
          "folder of a tournament that was begun");
    settings = read_tournament(stored);
  } else if (options.words.size() == 1 && is_config(options.words[0])) {
    settings = read_tournament(options.words[0]);
    settings.variant = find_game(settings.variant).variant();
  } else {
    take_players(options.words, settings);
    from_file = false;
  }
  const GivenValues& given = options.game.given;
  assign_given(settings, faultline::options(settings), given, options.game.strict);
  require_schedule(given, settings);
  if (!from_file && settings.schedule == Schedule::Information) {
    if (!given.contains("games")) settings.games = kInformationGames;
    if (!given.contains("rounds")) settings.rounds = kInformationRounds;
  }
  return settings;
}

void print_ratings(const Tournament& tournament, const Options& options) {
  const TournamentSettings& settings = tournament.settings();
  const Ratings ratings = rate(tournament.results());
  Document document{.kind = "tournament", .title = settings.variant};
  if (ratings.games > 0) {
    Document rated = rating_document(ratings, options.game.json);
    document.notices = std::move(rated.notices);
    document.sections = std::move(rated.sections);
  }
  document.subtitle =
      fmt::format("{} of {}: {} of {} in {}/games.pgn", schedule_text(settings),
                  counted(settings.players.size(), "player"), tournament.finished_games(),
                  counted(tournament.planned_games(), "game"), options.out);
  if (ratings.games == 0) document.notices.emplace_back("No game has a result.");
  print(document, options.game.json);
}

void play(const Options& options) {
  const TournamentSettings settings = settings_of(options);
  check(settings);
  warn_of_openings("tournament", parse_opening_source(settings.openings), settings.variant);
  const PlayLock lock(options.out, "a tournament");
  Tournament tournament(settings, options.out);
  announce(tournament.repaired(), tournament.finished_games(), tournament.planned_games(),
           options.game);
  PlayerResources resources(program_backends(), options.game.device);
  prepare_nets(player_names(settings), options.game, settings.search_defaults);
  GamesProgress progress(tournament.finished_games(), tournament.finished_games(),
                         {.games = tournament.planned_games(),
                          .work = static_cast<double>(tournament.planned_games())});
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    tournament.play(resources, options.game.threads, hooks_of(progress));
  }
  progress.clear();
  print_ratings(tournament, options);
  if (!tournament.complete())
    end_interrupted("faultline tournament --out " + options.out, options.game);
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("PLAYERS", options.words,
                     "[VARIANT] PLAYER PLAYER ..., or CONFIG, a file like tournament.json. The "
                     "variant may be omitted if a player is a net. PLAYER may be NAME=PLAYER; it "
                     "is " +
                         std::string(kPlayerHelp));
  command
      .add_option("--out", options.out,
                  "the folder for games.pgn and tournament.json; an interrupted tournament is "
                  "continued")
      ->required()
      ->type_name("DIR");
  std::vector<Option> flags = faultline::options(options.defaults);
  std::erase_if(flags, [](const Option& option) { return option.name == "variant"; });
  add_setting_flags(command, flags, options.game.given);
  add_strict_option(command, options.game);
  add_game_options(command, options.game);
}

}  // namespace
}  // namespace tournament_command

void add_tournament(CLI::App& app) {
  using namespace tournament_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tournament", kTournamentSummary);
  add_options(*command, *options);
  command->footer(
      "A game is appended to games.pgn when it and the earlier ones of its match have ended. "
      "Ctrl-C\n"
      "stops; the same command, or 'faultline tournament --out DIR', continues with the games "
      "that\n"
      "are missing. Ratings are computed as by 'faultline rate'; docs/ratings.md explains them.\n\n"
      "Examples:\n"
      "  faultline tournament escher uniform random material --games 40 --out tournaments/a\n"
      "  faultline tournament new=runs/b old=runs/a 'alphabeta?depth=4' --schedule gauntlet \\\n"
      "      --visits 400 --openings balanced:8 --out tournaments/b\n"
      "  faultline tournament runs/a/nets/*.pt --schedule information --rounds 200 \\\n"
      "      --out tournaments/progress\n"
      "  faultline rate tournaments/a/games.pgn --pairs");
  command->callback([options] { reporting_input_errors([&] { play(*options); }); });
}

}  // namespace faultline
