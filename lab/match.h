// Matches: two players, paired openings with colours swapped, many concurrent games.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lab/elo.h"
#include "lab/openings.h"
#include "play/game_driver.h"
#include "play/game_pool.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/searcher.h"

namespace faultline {

struct MatchConfig {
  int games = 100;            // even: two from each opening
  int opening_plies = 6;      // random moves before the players' first
  std::uint64_t seed = 1;     // for openings and the players' own random choices
  int threads = 1;            // each with games of its own
  int games_at_once = 256;    // per thread; leaves of as many games share a batch
  int leaves_per_tree = 1;    // taken from one search before they are evaluated
  int max_plies = 400;        // from the start of the game, which is then adjudicated as a draw
  float temperature = 0;      // of the players' moves in the game's first temperature_plies
  int temperature_plies = 0;  // counted from the start, the opening included
};

/// A player of a match, in any number of concurrent games.
template <Position P>
struct MatchPlayer {
  std::function<std::unique_ptr<Searcher<P>>()> make_searcher;  // one per game
  std::shared_ptr<Evaluator<P>> evaluator = nullptr;            // null where searchers need none
  SearchLimits limits = {};                                     // of each move
};

/// Searches each move up to `visits` root visits, including those of a reused subtree.
template <Position P>
MatchPlayer<P> puct_player(std::shared_ptr<Evaluator<P>> evaluator, int visits,
                           const SearchParams& params = {}) {
  return {.make_searcher = [params] { return make_puct_searcher<P>(params); },
          .evaluator = std::move(evaluator),
          .limits = {.visits = static_cast<std::uint32_t>(visits)}};
}
/// Plays the evaluator's highest-policy move, without search.
template <Position P>
MatchPlayer<P> policy_player(std::shared_ptr<Evaluator<P>> evaluator) {
  return {.make_searcher = make_policy_searcher<P>, .evaluator = std::move(evaluator)};
}
template <Position P>
MatchPlayer<P> random_player() {
  return {.make_searcher = make_random_searcher<P>};
}

/// A finished game.
struct MatchGame {
  int number = 0;                       // from 0; games 2i and 2i + 1 have the same opening
  Colour first_colour = Colour::White;  // the first player's
  std::vector<std::string> opening;
  std::vector<std::string> moves;  // after the opening
  Outcome outcome = Outcome::Ongoing;

  int plies() const { return static_cast<int>(opening.size() + moves.size()); }
  int first_score() const { return score_for(outcome, first_colour); }
};

/// The result so far; all counts are for the first player.
struct MatchResult {
  std::array<Score, 2> by_colour;  // of the first player as White, as Black
  std::array<int, 8> endings{};    // by Outcome
  PairTally tally;                 // games whose partner is missing count as single
  std::int64_t plies = 0;          // of all games, openings included
  int openings = 0;                // different positions after the openings
  int planned_games = 0;
  bool complete() const { return score().games() == planned_games; }

  Score score() const;
  int ended(Outcome outcome) const { return endings.at(static_cast<std::size_t>(outcome)); }
  int mates() const { return ended(Outcome::WhiteWins) + ended(Outcome::BlackWins); }
  double mean_plies() const;
};

/// Adds up finished games, in any order.
class MatchCounter {
 public:
  MatchCounter(int planned_games, int openings);
  void add(const MatchGame& game);
  const MatchResult& result() const { return result_; }

 private:
  MatchResult result_;
  std::vector<int> twice_points_;  // by game number; -1: not played
};

/// Both are called from any of the match's threads.
struct MatchHooks {
  /// Called when a game has ended, with the game and the result so far. One call at a time.
  std::function<void(const MatchGame&, const MatchResult&)> on_game = nullptr;
  /// Called once per batch; true ends the match and drops the games in progress.
  std::function<bool()> stop = nullptr;
  /// Counts the plies played, openings included, also those of games in progress.
  std::atomic<std::int64_t>* plies = nullptr;
};

/// Throws std::invalid_argument that names the field and its allowed values.
void check(const MatchConfig& config);

/// Two independent streams of seeds: for openings, and for random choices within a game.
std::uint64_t opening_seed(std::uint64_t seed);
std::uint64_t game_seed(std::uint64_t seed, int number);

/// One game of a match, recorded as it is played.
template <Position P>
class GameOfMatch final : public GameObserver<P> {
 public:
  GameOfMatch(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
              const Opening<P>& opening, int number, std::atomic<std::int64_t>* plies)
      : driver(opening.history, sides(config, players, number), {.max_plies = config.max_plies},
               std::mt19937_64(game_seed(config.seed, number)), this),
        plies_(plies) {
    record_.number = number;
    record_.opening = opening.moves;
    record_.first_colour = first_colour(number);
    if (plies_ != nullptr) *plies_ += opening.history.plies();
  }

  void on_ply(const PlayedPly<P>& ply) override {
    record_.moves.push_back(ply.history.position().move_text(ply.move));
    if (plies_ != nullptr) ++*plies_;
  }
  void on_end(const PositionHistory<P>&, const GameEnd& end) override {
    record_.outcome = end.outcome;
  }

  /// The finished game; call once.
  MatchGame take_record() { return std::move(record_); }

  GameDriver<P> driver;

 private:
  static Colour first_colour(int number) { return number % 2 == 0 ? Colour::White : Colour::Black; }
  static Player<P> side(const MatchConfig& config, const MatchPlayer<P>& player) {
    SearchLimits limits = player.limits;
    limits.leaves = static_cast<std::uint32_t>(config.leaves_per_tree);
    return {.searcher = player.make_searcher(),
            .evaluator = player.evaluator.get(),
            .budget = {.full = limits},
            .choice = {.temperature = config.temperature,
                       .temperature_plies = config.temperature_plies}};
  }
  static std::array<Player<P>, 2> sides(const MatchConfig& config,
                                        const std::array<MatchPlayer<P>, 2>& players, int number) {
    const std::size_t white = first_colour(number) == Colour::White ? 0 : 1;
    return {side(config, players[white]), side(config, players[1 - white])};
  }

  std::atomic<std::int64_t>* plies_;
  MatchGame record_;
};

/// One thread's share of a match: the pairs first_pair, first_pair + step, …, until all its games
/// are played or `stop()` returns true; passes finished games to `report`.
template <Position P, class Report, class Stop>
void play_share(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
                const std::vector<Opening<P>>& openings, std::size_t first_pair, std::size_t step,
                std::atomic<std::int64_t>* plies, const Report& report, const Stop& stop) {
  using Game = GameOfMatch<P>;
  std::size_t next = 2 * first_pair;
  PoolHooks<P, Game> hooks;
  hooks.next_game = [&]() -> std::unique_ptr<Game> {
    const std::size_t number = next;
    if (number / 2 >= openings.size()) return nullptr;
    next = number % 2 == 0 ? number + 1 : number + 2 * step - 1;
    return std::make_unique<Game>(config, players, openings[number / 2], static_cast<int>(number),
                                  plies);
  };
  hooks.finished = [&](Game& game) { report(game.take_record()); };
  hooks.go_on = [&] { return !stop(); };
  std::vector<Evaluator<P>*> evaluators;
  for (const MatchPlayer<P>& player : players)
    if (player.evaluator &&
        std::ranges::find(evaluators, player.evaluator.get()) == evaluators.end())
      evaluators.push_back(player.evaluator.get());
  const auto games = static_cast<std::size_t>(config.games_at_once);
  GamePool<P, Game>(
      evaluators,
      {.games = games, .batch = games * static_cast<std::size_t>(config.leaves_per_tree)},
      std::move(hooks))
      .run();
}

/// Plays the match. The same seed, players and number of threads give the same games, and so does
/// any number of threads if the evaluators evaluate each position independently. Throws
/// std::invalid_argument for a configuration that check() refuses; passes on what an evaluator or
/// `on_game` throws.
template <Position P>
MatchResult play_match(const typename P::Variant& variant, const MatchConfig& config,
                       const std::array<MatchPlayer<P>, 2>& players, const MatchHooks& hooks = {}) {
  check(config);
  const std::vector<Opening<P>> openings =
      random_openings<P>(variant, static_cast<std::size_t>(config.games) / 2, config.opening_plies,
                         opening_seed(config.seed));
  std::unordered_set<std::uint64_t> different;
  for (const Opening<P>& opening : openings)
    different.insert(opening.history.position().key());

  std::mutex mutex;  // guards counter, error and on_game
  MatchCounter counter(config.games, static_cast<int>(different.size()));
  std::exception_ptr error;
  std::atomic<bool> failed{false};
  const auto report = [&](const MatchGame& game) {
    const std::scoped_lock lock(mutex);
    counter.add(game);
    if (hooks.on_game) hooks.on_game(game, counter.result());
  };
  const auto stop = [&] { return failed.load() || (hooks.stop && hooks.stop()); };

  const std::size_t threads =
      std::clamp<std::size_t>(static_cast<std::size_t>(config.threads), 1, openings.size());
  const auto work = [&](std::size_t thread) {
    try {
      play_share<P>(config, players, openings, thread, threads, hooks.plies, report, stop);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
      failed = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread)
      others.emplace_back(work, thread);
    work(0);
  }
  if (error) std::rethrow_exception(error);
  return counter.result();
}

}  // namespace faultline
