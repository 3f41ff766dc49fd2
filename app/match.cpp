// `faultline match`: two players, paired openings, and the estimated difference in strength.
#include "lab/match.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/commands.h"
#include "app/net_players.h"
#include "base/progress_line.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "lab/match_report.h"
#include "lab/players.h"
#include "rules/families.h"

namespace faultline {
namespace {

constexpr int kInterrupted = 130;  // a shell's exit code for Ctrl-C

struct Options {
  std::vector<std::string> names;  // [VARIANT] A B
  MatchConfig match;
  int visits = 100;
  std::optional<int> second_visits;
  int threads = 0;
  DeviceOptions device;
  bool json = false;
  std::string record;
};

/// Prints a match's progress on the error stream. Thread-safe.
class Progress {
 public:
  explicit Progress(int games)
      : games_(games), start_(Clock::now()), line_(std::cerr, isatty(STDERR_FILENO) != 0) {}

  /// Plies of all games, written by the match.
  std::atomic<std::int64_t> plies{0};

  void finished(const MatchResult& result) {
    const std::scoped_lock lock(mutex_);
    result_ = result;
  }
  void tick() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && line_.due()) line_.show(text());
  }
  /// Removes the line from the terminal.
  void clear() {
    const std::scoped_lock lock(mutex_);
    line_.clear();
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  std::string text() const {
    const Score score = result_.score();
    std::string text = fmt::format("{} of {} games", score.games(), games_);
    if (score.games() == 0) return fmt::format("{}, {} plies played", text, plies.load());
    text += fmt::format(": A +{} ={} -{} ({:.1f} %)", score.wins, score.draws, score.losses,
                        100 * score.points() / score.games());
    // The games that end first are the short ones: the estimate is useful only once some have
    // ended.
    if (score.games() * 10 < games_) return text;
    const double done = static_cast<double>(plies.load()) / (result_.mean_plies() * games_);
    return done < 1 ? text + fmt::format(", about {} left", time_left(seconds(), done)) : text;
  }

  int games_;
  Clock::time_point start_;
  std::mutex mutex_;
  ProgressLine line_;  // these two are guarded by mutex_
  MatchResult result_;
};

/// Concurrent games per thread. About half of them share a batch: as many as the backend prefers,
/// but few enough that a match that is stopped has finished most of the games it started.
int games_at_once(const DeviceOptions& options) {
  try {
    return 2 * static_cast<int>(program_backends().attributes(backend_options(options)).best_batch);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

template <Position P>
MatchPlayer<P> make_player(const PlayerSpec& spec, const typename P::Variant& variant, int visits,
                           const DeviceOptions& device) {
  if (spec.kind == PlayerKind::Random) return random_player<P>();
  return puct_player<P>(make_evaluator<P>(spec, variant, device), visits);
}

std::string with_visits(const PlayerSpec& player, int visits) {
  return player.kind == PlayerKind::Random
             ? player.name
             : fmt::format("{}, {} visits per move", player.name, visits);
}

void print_result(const Options& options, const std::string& variant,
                  const std::array<PlayerSpec, 2>& players, const MatchResult& result,
                  double seconds) {
  const int second_visits = options.second_visits.value_or(options.visits);
  if (options.json) {
    nlohmann::ordered_json json;
    json["variant"] = variant;
    json["first"] = players[0].name;
    json["second"] = players[1].name;
    json["visits"] = {options.visits, second_visits};
    json["opening_plies"] = options.match.opening_plies;
    json["seed"] = options.match.seed;
    json["seconds"] = seconds;
    json.update(to_json(result));
    fmt::print("{}\n", json.dump());
    return;
  }
  fmt::print("{}: {} games from {} random openings of {} plies\n", variant, result.score().games(),
             result.openings, options.match.opening_plies);
  fmt::print("A  {}\n", with_visits(players[0], options.visits));
  fmt::print("B  {}\n", with_visits(players[1], second_visits));
  if (!result.complete())
    fmt::print(
        "Stopped after {} of {} games. The games in progress, the longer ones, are not counted.\n",
        result.score().games(), result.planned_games);
  if (result.openings < options.match.games / 2 && options.match.temperature == 0)
    fmt::print(
        "Only {} of {} openings are different, and the same opening gives the same games: the\n"
        "interval is narrower than it should be. Use longer openings or a --temperature.\n",
        result.openings, options.match.games / 2);
  fmt::print("A {}\n", result_text(result));
  fmt::print("{}", details_text(result));
  fmt::print("Took {}.\n", clock_text(seconds));
}

template <Position P>
MatchResult run_match(const Options& options, const typename P::Variant& variant,
                      const std::array<PlayerSpec, 2>& specs, Progress& progress,
                      std::ofstream& record) {
  const std::array<MatchPlayer<P>, 2> players = {
      make_player<P>(specs[0], variant, options.visits, options.device),
      make_player<P>(specs[1], variant, options.second_visits.value_or(options.visits),
                     options.device)};
  const StopSignals signals;
  return play_match<P>(variant, options.match, players,
                       {.on_game =
                            [&](const MatchGame& game, const MatchResult& result) {
                              progress.finished(result);
                              if (!record.is_open()) return;
                              record << to_json(game, specs[0].name, specs[1].name).dump() << '\n';
                              if (!record.flush())
                                throw std::runtime_error(options.record + ": cannot be written to");
                            },
                        .stop =
                            [&] {
                              progress.tick();
                              return StopSignals::requested();
                            },
                        .plies = &progress.plies});
}

void match(Options options) {
  if (options.names.size() < 2 || options.names.size() > 3)
    throw UsageError(
        "match takes [VARIANT] A B: two players, and the variant unless one of them is a net");
  const std::size_t first = options.names.size() - 2;
  const std::array<PlayerSpec, 2> players = {find_named_player(options.names[first]),
                                             find_named_player(options.names[first + 1])};
  const std::string variant_name =
      variant_of(first == 1 ? options.names[0] : "", {players[0], players[1]});
  options.match.threads = options.threads > 0
                              ? options.threads
                              : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  try {
    check(options.match);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  options.match.games_at_once = games_at_once(options.device);
  std::ofstream record;
  if (!options.record.empty()) {
    record.open(options.record, std::ios::trunc);
    if (!record) throw UsageError(options.record + ": cannot be opened for writing");
  }

  Progress progress(options.match.games);
  with_family(parse_variant_name(variant_name), [&]<class P>(std::type_identity<P>,
                                                             const typename P::Variant& variant) {
    const MatchResult result = run_match<P>(options, variant, players, progress, record);
    progress.clear();
    print_result(options, variant.canonical_name(), players, result, progress.seconds());
    if (!result.complete()) throw CLI::RuntimeError(kInterrupted);
  });
}

}  // namespace

void add_match(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("match", kMatchSummary);
  command
      ->add_option("PLAYERS", options->names,
                   "[VARIANT] A B. The variant may be omitted if A or B is a net. A player is " +
                       std::string(kPlayerHelp))
      ->required();
  command
      ->add_option("--games", options->match.games, "number of games; even: two from each opening")
      ->capture_default_str();
  command->add_option("--visits", options->visits, "visits per move; 1: the policy without search")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--visits-b", options->second_visits, "visits of B (default: as A)")
      ->check(CLI::Range(1, 10'000'000));
  command
      ->add_option("--openings", options->match.opening_plies,
                   "random plies before the players' first")
      ->capture_default_str();
  command
      ->add_option("--max-plies", options->match.max_plies, "longer games are adjudicated as draws")
      ->capture_default_str();
  command
      ->add_option("--temperature", options->match.temperature,
                   "of move selection until --temperature-plies; 0: always the best move")
      ->capture_default_str();
  command
      ->add_option("--temperature-plies", options->match.temperature_plies,
                   "counted from the start of the game")
      ->capture_default_str();
  command->add_option("--seed", options->match.seed, "for openings and temperature")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "0: one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  add_device_options(*command, options->device);
  command->add_flag("--json", options->json, "print one JSON object");
  command
      ->add_option("--record", options->record, "write the games to this file, one JSON line each")
      ->type_name("FILE");
  command->footer(
      "Each opening is played twice with colours swapped; the interval counts such a pair as one\n"
      "observation. Wins, draws and losses are A's. Ctrl-C prints what was played so far.\n\n"
      "Examples:\n"
      "  faultline match runs/quickstart untrained:runs/quickstart --visits 50\n"
      "  faultline match runs/a/nets/000500.pt runs/a/nets/001000.pt --games 400 --json\n"
      "  faultline match escher uniform random --visits 400");
  command->callback([options] { match(*options); });
}

}  // namespace faultline
