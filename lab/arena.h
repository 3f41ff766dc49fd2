// Matches: two players, paired openings with colours swapped, many games at once.
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
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/root_moves.h"
#include "search/search.h"

namespace faultline {

struct MatchConfig {
  int games = 100;            // even: two from each opening
  int opening_plies = 6;      // random moves before the players' first
  std::uint64_t seed = 1;     // of openings and of the players' own random choices
  int threads = 1;            // each with games of its own
  int games_at_once = 256;    // a thread; leaves of as many games share a batch
  int leaves_per_tree = 1;    // taken from one search before they are evaluated
  int max_plies = 400;        // counted from the start; then the game is a draw by adjudication
  float temperature = 0;      // of the players' moves in the game's first temperature_plies
  int temperature_plies = 0;  // counted from the start, the opening included
};

/// A player. Without an evaluator it plays random legal moves.
template <Position P>
struct MatchPlayer {
  std::shared_ptr<Evaluator<P>> evaluator = nullptr;
  int visits = 100;  // at the root for each move, what the last search left included
  SearchParams params{.dirichlet_weight = 0};
};

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

/// What was played so far; every count is the first player's.
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

/// Adds finished games up. Order does not matter.
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
  /// A game has ended: the game and the result so far. One call at a time.
  std::function<void(const MatchGame&, const MatchResult&)> on_game = nullptr;
  /// Asked once a batch; true ends the match and drops the games in progress.
  std::function<bool()> stop = nullptr;
  /// Counts the plies played, openings included, also those of games in progress.
  std::atomic<std::int64_t>* plies = nullptr;
};

/// Throws std::invalid_argument that names the field and what it can be.
void check(const MatchConfig& config);

/// Two independent streams of seeds: openings, and what is random within a game.
std::uint64_t opening_seed(std::uint64_t seed);
std::uint64_t game_seed(std::uint64_t seed, int number);

/// One game of a match as a state machine: it is some player's turn, and that player's leaves go
/// into that player's batch.
template <Position P>
class ArenaGame {
 public:
  ArenaGame(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
            const Opening<P>& opening, int number, std::atomic<std::int64_t>* plies)
      : config_(&config),
        players_(&players),
        plies_(plies),
        history_(opening.history),
        rng_(game_seed(config.seed, number)),
        searches_{Search<P>(players[0].params), Search<P>(players[1].params)} {
    record_.number = number;
    record_.opening = opening.moves;
    record_.first_colour = number % 2 == 0 ? Colour::White : Colour::Black;
    for (Search<P>& search : searches_)
      search.set_position(history_);
    if (plies_ != nullptr) *plies_ += history_.plies();
  }

  bool is_over() const { return faultline::is_over(record_.outcome); }
  /// Whose turn it is: 0 the first player, 1 the second.
  std::size_t mover() const {
    return history_.position().side_to_move() == record_.first_colour ? 0 : 1;
  }

  /// Adds leaves of player `who` to its batch and says whether it did; plays on as far as that
  /// needs no evaluation. Does nothing while it is the other player's turn.
  bool gather(std::size_t who, EvalBatch<P>& batch) {
    while (!is_over() && mover() == who) {
      const MatchPlayer<P>& player = (*players_)[who];
      if (!player.evaluator) {
        play(random_move(history_.position(), rng_));
        continue;
      }
      Search<P>& search = searches_[who];
      const auto goal = static_cast<std::uint32_t>(player.visits);
      if (waiting_ == 0 && search.root_visits() >= goal) {
        const bool explores = history_.plies() < config_->temperature_plies;
        play(pick_move(search.root_moves(), explores ? config_->temperature : 0, rng_));
        continue;
      }
      if (waiting_ >= config_->leaves_per_tree ||
          search.root_visits() + static_cast<std::uint32_t>(waiting_) >= goal)
        return waiting_ > 0;
      switch (search.gather(batch)) {
        case Search<P>::Gathered::Leaf:
          ++waiting_;
          break;
        case Search<P>::Gathered::Terminal:
          break;
        case Search<P>::Gathered::Nothing:
          return waiting_ > 0;
      }
    }
    return false;
  }

  /// Takes the answers to the leaves that this game added to player `who`'s batch.
  void apply(std::size_t who, const EvalBatch<P>& batch) {
    searches_[who].apply(batch);
    waiting_ = 0;
  }

  /// The finished game; call once.
  MatchGame take_record() {
    assert(is_over());
    return std::move(record_);
  }

 private:
  void play(Move move) {
    record_.moves.push_back(history_.position().move_text(move));
    history_.play(move);
    if (plies_ != nullptr) ++*plies_;
    record_.outcome = history_.outcome();
    if (!is_over() && history_.plies() >= config_->max_plies)
      record_.outcome = Outcome::Adjudicated;
    if (is_over()) return;
    for (std::size_t i = 0; i < 2; ++i)
      if ((*players_)[i].evaluator) searches_[i].advance(move);
  }

  const MatchConfig* config_;
  const std::array<MatchPlayer<P>, 2>* players_;
  std::atomic<std::int64_t>* plies_;
  PositionHistory<P> history_;
  std::mt19937_64 rng_;
  std::array<Search<P>, 2> searches_;
  int waiting_ = 0;  // leaves of the mover's search in its batch
  MatchGame record_;
};

/// One thread's share of a match. Each player's leaves from all of its games go into one batch;
/// while a device evaluates one player's batch, the other player's games go on.
template <Position P>
class ArenaThread {
 public:
  /// Plays the pairs first_pair, first_pair + step, … Everything given must outlive the object.
  ArenaThread(const MatchConfig& config, const std::array<MatchPlayer<P>, 2>& players,
              const std::vector<Opening<P>>& openings, std::size_t first_pair, std::size_t step,
              std::atomic<std::int64_t>* plies)
      : config_(&config), players_(&players), openings_(&openings), step_(step), plies_(plies) {
    next_game_ = 2 * first_pair;
    games_.resize(static_cast<std::size_t>(config.games_at_once));
    for (PlayerSide& side : sides_)
      side.has_leaves.resize(games_.size());
  }
  ~ArenaThread() {
    for (std::size_t who = 0; who < 2; ++who) {
      if (!sides_[who].in_flight) continue;
      try {  // nothing may stay in flight when the batches go
        (*players_)[who].evaluator->wait(sides_[who].batch);
      } catch (...) {  // the match has failed with this already, or was stopped
      }
    }
  }
  ArenaThread(const ArenaThread&) = delete;
  ArenaThread& operator=(const ArenaThread&) = delete;

  /// Until all its games are played or `stop()`; gives finished games to `report`.
  template <class Report, class Stop>
  void run(Report&& report, Stop&& stop) {
    for (std::size_t who = 0; !stop(); who = 1 - who) {
      collect(who);
      if (!fill(who, report)) return;
    }
  }

 private:
  struct PlayerSide {  // a player's
    EvalBatch<P> batch;
    std::vector<std::uint8_t> has_leaves;  // by game: in `batch`
    bool in_flight = false;
  };

  void collect(std::size_t who) {
    PlayerSide& side = sides_[who];
    if (!side.in_flight) return;
    (*players_)[who].evaluator->wait(side.batch);
    side.in_flight = false;
    for (std::size_t i = 0; i < games_.size(); ++i)
      if (side.has_leaves[i] != 0) games_[i]->apply(who, side.batch);
  }

  /// False: all games are over.
  template <class Report>
  bool fill(std::size_t who, Report&& report) {
    PlayerSide& side = sides_[who];
    side.batch.clear();
    bool any_game = false;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      side.has_leaves[i] = 0;
      for (;;) {
        if (!games_[i]) games_[i] = next_game();
        if (!games_[i]) break;
        side.has_leaves[i] = games_[i]->gather(who, side.batch) ? 1 : 0;
        if (!games_[i]->is_over()) break;
        report(games_[i]->take_record());
        games_[i].reset();
      }
      any_game = any_game || games_[i];
    }
    if (!side.batch.empty()) {
      (*players_)[who].evaluator->submit(side.batch);
      side.in_flight = true;
    }
    return any_game;
  }

  std::unique_ptr<ArenaGame<P>> next_game() {
    const std::size_t number = next_game_;
    if (number / 2 >= openings_->size()) return nullptr;
    next_game_ = number % 2 == 0 ? number + 1 : number + 2 * step_ - 1;
    return std::make_unique<ArenaGame<P>>(*config_, *players_, (*openings_)[number / 2],
                                          static_cast<int>(number), plies_);
  }

  const MatchConfig* config_;
  const std::array<MatchPlayer<P>, 2>* players_;
  const std::vector<Opening<P>>* openings_;
  std::size_t step_;
  std::atomic<std::int64_t>* plies_;
  std::size_t next_game_ = 0;
  std::vector<std::unique_ptr<ArenaGame<P>>> games_;  // null: none left
  std::array<PlayerSide, 2> sides_;
};

/// Plays the match. The same seed, players and number of threads give the same games, and so does
/// any number of threads if the evaluators evaluate each position by itself. Throws
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
      ArenaThread<P>(config, players, openings, thread, threads, hooks.plies).run(report, stop);
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
