// `faultline tournament`: many matches, recorded and continued, and the ratings of their players.
#include "lab/tournament.h"

#include <algorithm>
#include <array>
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

#include "app/commands.h"
#include "app/game_options.h"
#include "app/games_progress.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/print_document.h"
#include "app/whole_number.h"
#include "base/file_lock.h"
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

constexpr int kMost = 1'000'000;  // games, rounds and challengers

constexpr int kInformationGames = 2;
constexpr int kInformationRounds = 50;

struct Options {
  std::vector<std::string> words;  // CONFIG, or [VARIANT] PLAYERS
  std::string out;
  std::optional<std::string> schedule;
  std::optional<int> challengers, games, rounds;
  std::optional<double> alpha, indifference;
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

template <class Value, class Field>
void override_field(const std::optional<Value>& value, Field& field) {
  if (value) field = static_cast<Field>(*value);
}

/// Refuses options of another schedule, which would change nothing.
void require_schedule(const Options& options, const std::string& schedule) {
  const auto require = [&](bool is_given, const char* option, const char* needed) {
    if (is_given && schedule != needed)
      throw UsageError(fmt::format("{}: needs --schedule {}", option, needed));
  };
  require(options.challengers.has_value(), "--challengers", "gauntlet");
  require(options.alpha.has_value(), "--alpha", "sequential");
  require(options.indifference.has_value(), "--indifference", "sequential");
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
  override_field(options.schedule, settings.schedule);
  require_schedule(options, settings.schedule);
  if (!from_file && settings.schedule == "information") {
    settings.games = kInformationGames;
    settings.rounds = kInformationRounds;
  }
  override_field(options.challengers, settings.challengers);
  override_field(options.games, settings.games);
  override_field(options.rounds, settings.rounds);
  override_field(options.alpha, settings.alpha);
  override_field(options.indifference, settings.indifference);
  const GameOptions& game = options.game;
  if (game.limits.any()) settings.limits = {};
  override_field(game.limits.visits, settings.limits.visits);
  override_field(game.limits.nodes, settings.limits.nodes);
  override_field(game.limits.evaluations, settings.limits.evaluations);
  override_field(game.limits.time_ms, settings.limits.time_ms);
  if (game.openings || game.strict) {
    OpeningSource source = parse_opening_source(game.openings.value_or(settings.openings));
    source.strict = source.strict || game.strict;
    settings.openings = text(source);
  }
  override_field(game.adjudicate_win, settings.adjudicate_win);
  override_field(game.adjudicate_draw, settings.adjudicate_draw);
  override_field(game.cut, settings.cut);
  override_field(game.max_plies, settings.max_plies);
  override_field(game.temperature, settings.temperature);
  override_field(game.temperature_plies, settings.temperature_plies);
  override_field(game.seed, settings.seed);
  if (game.search_defaults) settings.search_defaults = true;
  if (!game.search_settings.empty()) settings.search_settings = game.search_settings;
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
      fmt::format("{} of {}: {} of {} in {}/games.pgn", settings.schedule,
                  counted(settings.players.size(), "player"), tournament.finished_games(),
                  counted(tournament.planned_games(), "game"), options.out);
  if (ratings.games == 0) document.notices.emplace_back("No game has a result.");
  print(document, options.game.json);
}

/// Two processes in one folder would write the same games.
FileLock locked(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError(
        fmt::format("--out {}: cannot be created: {}", folder.string(), error.message()));
  return FileLock(folder / "lock");
}

void play(const Options& options) {
  const TournamentSettings settings = settings_of(options);
  check(settings);
  warn_of_openings("tournament", parse_opening_source(settings.openings), settings.variant);
  const FileLock lock = locked(options.out);
  if (!lock.held())
    throw UsageError(options.out + ": another process is playing a tournament in this folder");
  Tournament tournament(settings, options.out);
  if (tournament.repaired())
    fmt::print(stderr, "{}/games.pgn: dropped an incomplete game at its end\n", options.out);
  if (!options.game.json && tournament.finished_games() > 0)
    fmt::print("Continuing after {} of {}.\n", tournament.finished_games(),
               counted(tournament.planned_games(), "game"));
  PlayerResources resources(program_backends(), options.game.device);
  if (std::ranges::any_of(tournament.settings().players, [](const Entrant& entrant) {
        return find_player(entrant.player).uses_net();
      }))
    require_choice(options.game.device);
  if (!tournament.settings().search_defaults) {
    std::vector<std::string> players;
    std::ranges::transform(tournament.settings().players, std::back_inserter(players),
                           &Entrant::player);
    print_search_notices(players);
  }
  GamesProgress progress(tournament.finished_games(), tournament.finished_games(),
                         {.games = tournament.planned_games(),
                          .work = static_cast<double>(tournament.planned_games())});
  {
    const StopSignals signals;
    const ClosedPipesIgnored pipes;
    tournament.play(resources, options.game.threads,
                    {.on_finished =
                         [&](const std::array<std::string, 2>& players, const Score& score) {
                           progress.finished(1, bout_text(players, score));
                         },
                     .stop =
                         [&] {
                           progress.tick();
                           return StopSignals::requested();
                         }});
  }
  progress.clear();
  print_ratings(tournament, options);
  if (tournament.complete()) return;
  if (!options.game.json)
    fmt::print("\nStopped. 'faultline tournament --out {}' continues.\n", options.out);
  throw CLI::RuntimeError(kInterrupted);
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
  command
      .add_option("--schedule", options.schedule,
                  "round-robin (default), gauntlet (the first --challengers players against all), "
                  "information (the pairings that say most about the ratings), or sequential "
                  "(a round robin whose pairings end when they are decided)")
      ->check(
          CLI::IsMember(std::vector<std::string>(std::begin(kSchedules), std::end(kSchedules))));
  command
      .add_option("--challengers", options.challengers,
                  "in a gauntlet, this many players meet all others (default 1)")
      ->transform(whole_number(1, kMost));
  command
      .add_option("--games", options.games,
                  "games of each pairing in each round; even: two from each opening (default "
                  "20; 2 with --schedule information)")
      ->transform(whole_number(2, kMost));
  command
      .add_option("--rounds", options.rounds,
                  "times that the schedule is played; with --schedule information, times that "
                  "half as many pairings as players are chosen (default 1; 50). A tournament "
                  "can be continued with more")
      ->transform(whole_number(1, kMost));
  command.add_option("--alpha", options.alpha,
                     "with --schedule sequential: the probability that any pairing is decided "
                     "wrongly (default 0.05)");
  command.add_option("--indifference", options.indifference,
                     "with --schedule sequential: a pairing is also decided when its difference "
                     "is decided to be less than this many Elo (default 0: it is not)");
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
