// `faultline tournament`: many matches, recorded and continued, and the ratings of their players.
#include "lab/tournament.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/commands.h"
#include "app/net_players.h"
#include "base/file_lock.h"
#include "base/nearest_name.h"
#include "base/progress_line.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/rating.h"
#include "lab/rating_report.h"
#include "play/game.h"
#include "rules/families.h"
#include "selfplay/config.h"

namespace faultline {
namespace {

constexpr int kInterrupted = 130;  // a shell's exit code for Ctrl-C
constexpr int kInformationGames = 2;
constexpr int kInformationRounds = 50;

struct Options {
  std::vector<std::string> words;  // CONFIG, or [VARIANT] PLAYERS
  std::string out;
  std::optional<std::string> schedule, openings, adjudicate_win, adjudicate_draw, cut;
  std::optional<int> challengers, games, rounds, max_plies, temperature_plies;
  std::optional<std::int64_t> visits, nodes, evaluations, seed;
  std::optional<int> time_ms;
  std::optional<double> temperature;
  bool search_defaults = false;
  std::vector<std::string> search_settings;
  int threads = 0;
  DeviceOptions device;
  bool json = false;
};

/// Prints the tournament's progress on the error stream. Thread-safe.
class Progress {
 public:
  Progress(int finished, int planned)
      : before_(finished),
        finished_(finished),
        planned_(planned),
        start_(Clock::now()),
        line_(std::cerr, isatty(STDERR_FILENO) != 0) {}

  void finished(const TextGame& game) {
    const std::scoped_lock lock(mutex_);
    ++finished_;
    last_ = fmt::format("{} - {} {}", game.white, game.black, text(game.result));
  }
  void tick() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !line_.due()) return;
    std::string line = fmt::format("{} of {} games", finished_, planned_);
    if (finished_ > before_) {
      const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
      const double done = static_cast<double>(finished_ - before_) / (planned_ - before_);
      line += fmt::format(", about {} left; {}", time_left(seconds, done), last_);
    }
    line_.show(line);
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    line_.clear();
  }

 private:
  using Clock = std::chrono::steady_clock;

  int before_;  // games that were there at the start
  std::mutex mutex_;
  int finished_;  // guarded by mutex_, as are last_ and line_
  int planned_;
  Clock::time_point start_;
  std::string last_;
  ProgressLine line_;
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
  if (!from_file && settings.schedule == "information") {
    settings.games = kInformationGames;
    settings.rounds = kInformationRounds;
  }
  override_field(options.challengers, settings.challengers);
  override_field(options.games, settings.games);
  override_field(options.rounds, settings.rounds);
  if (options.visits || options.nodes || options.evaluations || options.time_ms)
    settings.limits = {};
  override_field(options.visits, settings.limits.visits);
  override_field(options.nodes, settings.limits.nodes);
  override_field(options.evaluations, settings.limits.evaluations);
  override_field(options.time_ms, settings.limits.time_ms);
  if (options.openings) settings.openings = text(parse_opening_source(*options.openings));
  override_field(options.adjudicate_win, settings.adjudicate_win);
  override_field(options.adjudicate_draw, settings.adjudicate_draw);
  override_field(options.cut, settings.cut);
  override_field(options.max_plies, settings.max_plies);
  override_field(options.temperature, settings.temperature);
  override_field(options.temperature_plies, settings.temperature_plies);
  override_field(options.seed, settings.seed);
  if (options.search_defaults) settings.search_defaults = true;
  if (!options.search_settings.empty()) settings.search_settings = options.search_settings;
  return settings;
}

void print_ratings(const Tournament& tournament, const Options& options) {
  const Ratings ratings = rate(tournament.results());
  if (options.json) {
    nlohmann::ordered_json json;
    json["settings"] = to_json(tournament.settings());
    json["finished_games"] = tournament.finished_games();
    json["planned_games"] = tournament.planned_games();
    json["ratings"] = to_json(ratings);
    fmt::print("{}\n", json.dump());
    return;
  }
  const TournamentSettings& settings = tournament.settings();
  fmt::print("{}, {} of {}: {} of {} games in {}/games.pgn\n\n", settings.variant,
             settings.schedule, counted(settings.players.size(), "player"),
             tournament.finished_games(), tournament.planned_games(), options.out);
  if (ratings.games == 0)
    fmt::print("No game has a result.\n");
  else
    fmt::print("{}", ratings_text(ratings));
}

/// Two processes in one folder would write the same games.
FileLock locked(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  return FileLock(folder / "lock");
}

void play(const Options& options) {
  const TournamentSettings settings = settings_of(options);
  check(settings);
  const FileLock lock = locked(options.out);
  if (!lock.held())
    throw UsageError(options.out + ": another process is playing a tournament in this folder");
  Tournament tournament(settings, options.out);
  if (tournament.repaired())
    fmt::print(stderr, "{}/games.pgn: dropped an incomplete game at its end\n", options.out);
  if (!options.json && tournament.finished_games() > 0)
    fmt::print("Continuing after {} of {} games.\n", tournament.finished_games(),
               tournament.planned_games());
  PlayerResources resources(program_backends(), options.device);
  if (std::ranges::any_of(tournament.settings().players, [](const Entrant& entrant) {
        return find_player(entrant.player).uses_net();
      }))
    print_choice(options.device);
  Progress progress(tournament.finished_games(), tournament.planned_games());
  {
    const StopSignals signals;
    tournament.play(
        resources, options.threads,
        {.on_game = [&](const GamePlace&, const TextGame& game) { progress.finished(game); },
         .stop =
             [&] {
               progress.tick();
               return StopSignals::requested();
             }});
  }
  progress.clear();
  print_ratings(tournament, options);
  if (tournament.complete()) return;
  if (!options.json)
    fmt::print("\nStopped. `faultline tournament --out {}` continues.\n", options.out);
  throw CLI::RuntimeError(kInterrupted);
}

void run_tournament(const Options& options) {
  try {
    play(options);
  } catch (const TournamentError& error) {
    throw UsageError(error.what());
  } catch (const GameTextError& error) {
    throw UsageError(error.what());
  } catch (const RatingError& error) {
    throw UsageError(error.what());
  } catch (const PlayerError& error) {
    throw UsageError(error.what());
  } catch (const OpeningError& error) {
    throw UsageError(error.what());
  } catch (const CheckpointError& error) {
    throw UsageError(error.what());
  } catch (const ConfigError& error) {
    throw UsageError(error.what());
  } catch (const std::invalid_argument& error) {  // settings, devices
    throw UsageError(error.what());
  }
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
                  "or information (the pairings that say most about the ratings)")
      ->check(CLI::IsMember({"round-robin", "gauntlet", "information"}));
  command.add_option("--challengers", options.challengers,
                     "of a gauntlet: so many players meet all others (default 1)");
  command.add_option("--games", options.games,
                     "games of each pairing in each round; even: two from each opening (default "
                     "20; 2 with --schedule information)");
  command.add_option("--rounds", options.rounds,
                     "times that the schedule is played; with --schedule information, times that "
                     "half as many pairings as players are chosen (default 1; 50). A tournament "
                     "can be continued with more");
  constexpr auto kMost = std::int64_t{10'000'000};
  command
      .add_option("--visits", options.visits,
                  "root visits per move, with those of a reused subtree (default 100 if no limit "
                  "is given). Limits are for players without their own")
      ->check(CLI::Range(std::int64_t{1}, kMost));
  command
      .add_option("--nodes", options.nodes,
                  "visits that each search makes; positions in alpha-beta searches and engines")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--evaluations", options.evaluations, "positions evaluated per move")
      ->check(CLI::Range(std::int64_t{1}, kMost));
  command.add_option("--time-ms", options.time_ms, "milliseconds per move")
      ->check(CLI::Range(1, 3'600'000));
  command.add_option("--openings", options.openings, kOpeningsHelp)->default_str("random:6");
  command.add_option("--adjudicate-win", options.adjudicate_win,
                     "end games whose players agree who wins: score=0.95,moves=5");
  command.add_option("--adjudicate-draw", options.adjudicate_draw,
                     "end games whose players agree on a draw: score=0.05,moves=10,after=80");
  command
      .add_option("--max-plies", options.max_plies,
                  "longer games are cut; 0: by the family (default)")
      ->check(CLI::Range(0, 100'000));
  command
      .add_option("--cut", options.cut,
                  "games that are cut have no result, or are draws (apart, draws; default apart)")
      ->check(CLI::IsMember({"apart", "draws"}));
  command
      .add_option("--temperature", options.temperature,
                  "of move selection until --temperature-plies; 0: always the best move (default)")
      ->check(CLI::Range(0.0, 100.0));
  command
      .add_option("--temperature-plies", options.temperature_plies,
                  "counted from the start of the game; 0: the whole game (default)")
      ->check(CLI::Range(0, 100'000));
  command.add_flag("--search-defaults", options.search_defaults,
                   "search with the default settings instead of those of the nets' runs");
  command.add_option("--set", options.search_settings,
                     "a setting of all players' searches, as in search.cpuct=2");
  command.add_option("--seed", options.seed, "for openings and temperature (default 1)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--threads", options.threads, "0: one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  add_device_options(command, options.device);
  command.add_flag("--json", options.json, "print one JSON object");
}

}  // namespace

void add_tournament(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tournament", kTournamentSummary);
  add_options(*command, *options);
  command->footer(
      "Every game is appended to games.pgn when it ends. Ctrl-C stops; the same command, or\n"
      "`faultline tournament --out DIR`, continues with the games that are missing. Ratings are\n"
      "computed as by `faultline rate`; docs/ratings.md explains them.\n\n"
      "Examples:\n"
      "  faultline tournament escher uniform random material --games 40 --out tournaments/a\n"
      "  faultline tournament new=runs/b old=runs/a alphabeta:depth=4 --schedule gauntlet \\\n"
      "      --visits 400 --openings balanced:8 --out tournaments/b\n"
      "  faultline tournament runs/a/nets/*.pt --schedule information --rounds 200 \\\n"
      "      --out tournaments/progress\n"
      "  faultline rate tournaments/a/games.pgn --pairs");
  command->callback([options] { run_tournament(*options); });
}

}  // namespace faultline
