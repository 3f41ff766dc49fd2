// Many games on one thread, whose leaves share batches, one for each evaluator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "play/game_driver.h"
#include "search/evaluator.h"

namespace faultline {

/// The pool's callbacks; every function is called by the pool's thread. `Game` has a member
/// `driver`, a GameDriver<P>.
template <Position P, class Game>
struct PoolHooks {
  /// The next game to start; null: none is left.
  std::function<std::unique_ptr<Game>()> next_game;
  /// Leaves of the game were evaluated in a batch, whose results the game is about to have.
  std::function<void(Game&, const EvalBatch<P>&)> evaluated = nullptr;
  /// The game is over; it is destroyed after the call.
  std::function<void(Game&)> finished;
  /// The game is in progress when run() ends.
  std::function<void(Game&)> dropped = nullptr;
  /// A batch of that many leaves is about to be evaluated.
  std::function<void(std::size_t)> submitting = nullptr;
  /// Called between batches, may block; false ends run() and drops the games in progress.
  std::function<bool()> go_on;
};

struct PoolSize {
  std::size_t games = 1;   // at a time
  std::size_t batch = 1;   // maximum leaves per batch
  std::size_t groups = 1;  // of games; each has its own batches
};

/// Cycles through batches: applies the results of one, refills it, submits it, and turns to the
/// next while that one is evaluated. There is a batch for each group of games and each evaluator:
/// with two groups, or two evaluators, a device computes one batch while the search fills the
/// other; where submit() is synchronous, as on a CPU, one group is enough. There is no timer and no
/// barrier: a batch is full unless no game can add to it.
template <Position P, class Game>
class GamePool {
 public:
  /// `evaluators`: all evaluators that the games' players use, each once; empty if no player needs
  /// one.
  GamePool(const std::vector<Evaluator<P>*>& evaluators, const PoolSize& size,
           PoolHooks<P, Game> hooks)
      : hooks_(std::move(hooks)), wanted_(size.batch) {
    const std::size_t groups = std::clamp<std::size_t>(size.groups, 1, size.games);
    groups_.resize(groups);
    for (std::size_t g = 0; g < groups; ++g) {
      groups_[g].games.resize(size.games / groups + (g < size.games % groups ? 1 : 0));
      for (Evaluator<P>* evaluator : evaluators)
        lanes_.push_back({.group = g, .evaluator = evaluator});
      if (evaluators.empty()) lanes_.push_back({.group = g, .evaluator = nullptr});
    }
    for (Lane& lane : lanes_)
      lane.has_leaves.resize(groups_[lane.group].games.size());
  }
  ~GamePool() {
    for (Lane& lane : lanes_) {
      if (!lane.in_flight) continue;
      try {  // nothing may be in flight when the batches are destroyed
        lane.evaluator->wait(lane.batch);
      } catch (...) {  // the pool was stopped, or has already ended with an error
      }
    }
  }
  GamePool(const GamePool&) = delete;
  GamePool& operator=(const GamePool&) = delete;

  /// Runs until go_on() returns false, or no game is left to start and all are over.
  void run() {
    cycle();
    if (!hooks_.dropped) return;
    for (Group& group : groups_)
      for (const std::unique_ptr<Game>& game : group.games)
        if (game) hooks_.dropped(*game);
  }

 private:
  void cycle() {
    std::size_t idle = 0;  // consecutive lanes that had nothing to do
    for (std::size_t i = 0; !stopping_ && hooks_.go_on(); i = (i + 1) % lanes_.size()) {
      const bool progress = turn(lanes_[i]);
      idle = progress ? 0 : idle + 1;
      if (idle >= lanes_.size() && std::ranges::none_of(lanes_, &Lane::in_flight)) return;
    }
  }

  struct Group {
    std::vector<std::unique_ptr<Game>> games;  // null: not started, or none left
  };
  /// The batch of one group's leaves for one evaluator.
  struct Lane {
    std::size_t group = 0;
    Evaluator<P>* evaluator = nullptr;
    EvalBatch<P> batch = {};
    bool in_flight = false;
    std::vector<std::uint8_t> has_leaves = {};  // by game: in `batch`
    std::size_t next = 0;                       // the game to take the next leaf from
  };

  /// False if there was nothing to collect and nothing to do.
  bool turn(Lane& lane) {
    bool progress = collect(lane);
    progress = fill(lane) || progress;
    return progress;
  }

  bool collect(Lane& lane) {
    if (!lane.in_flight) return false;
    lane.evaluator->wait(lane.batch);
    lane.in_flight = false;
    std::vector<std::unique_ptr<Game>>& games = groups_[lane.group].games;
    for (std::size_t i = 0; i < games.size(); ++i)
      if (lane.has_leaves[i] != 0) {
        if (hooks_.evaluated) hooks_.evaluated(*games[i], lane.batch);
        games[i]->driver.apply(lane.batch);
      }
    return true;
  }

  /// Takes one leaf per game in turn until the batch is full or no game can add to it, and submits
  /// it. The next round starts where this one ended, so that all games progress equally.
  bool fill(Lane& lane) {
    const std::size_t games = groups_[lane.group].games.size();
    lane.batch.clear();
    std::ranges::fill(lane.has_leaves, std::uint8_t{0});
    bool progress = false;
    for (std::size_t idle = 0; idle < games && lane.batch.size() < wanted_;) {
      const std::size_t i = lane.next;
      lane.next = (lane.next + 1) % games;
      const Gathered gathered = gather(lane, i);
      progress = progress || gathered != Gathered::Nothing;
      idle = gathered == Gathered::Leaf ? 0 : idle + 1;
    }
    if (lane.batch.empty()) return progress;
    if (hooks_.submitting) hooks_.submitting(lane.batch.size());
    lane.evaluator->submit(lane.batch);
    lane.in_flight = true;
    return true;
  }

  enum class Gathered : std::uint8_t { Leaf, Moved, Nothing };

  /// One leaf from game i, starting a new game when one ends. Moved: plies were played, no leaf.
  Gathered gather(Lane& lane, std::size_t i) {
    std::unique_ptr<Game>& game = groups_[lane.group].games[i];
    for (Gathered result = Gathered::Nothing;; result = Gathered::Moved) {
      if (!game && !stopping_) game = hooks_.next_game();
      if (!game) return result;
      GameDriver<P>& driver = game->driver;
      if (driver.evaluator() && driver.evaluator() != lane.evaluator) return result;
      const int plies = driver.history().plies();
      if (driver.gather(lane.batch)) {
        lane.has_leaves[i] = 1;
        return Gathered::Leaf;
      }
      if (!driver.is_over()) return driver.history().plies() > plies ? Gathered::Moved : result;
      hooks_.finished(*game);
      game.reset();
      // Without evaluators there are no batches between which to call go_on().
      if (lane.evaluator == nullptr) stopping_ = stopping_ || !hooks_.go_on();
    }
  }

  PoolHooks<P, Game> hooks_;
  std::size_t wanted_;
  std::vector<Group> groups_;
  std::vector<Lane> lanes_;
  bool stopping_ = false;  // go_on() has returned false between two games
};

}  // namespace faultline
