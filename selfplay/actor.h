// Self-play: games as state machines, and the actors that walk many of them and keep batches full.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/evaluator.h"
#include "search/search.h"
#include "selfplay/config.h"
#include "selfplay/game_record.h"

namespace faultline {

/// Counters of all actors, for reports; each is only ever added to.
struct ActorCounts {
  std::atomic<std::uint64_t> games{0};        // finished
  std::atomic<std::uint64_t> moves{0};        // played after a search
  std::atomic<std::uint64_t> targets{0};      // of them after a full search
  std::atomic<std::uint64_t> visits{0};       // evaluated leaves and scored ends of games
  std::atomic<std::uint64_t> evaluations{0};  // positions that the evaluator evaluated
  std::atomic<std::uint64_t> batches{0};
  // Games in which nobody may resign, but somebody would have; and of them, where they did not
  // lose.
  std::atomic<std::uint64_t> resign_tests{0};
  std::atomic<std::uint64_t> resign_errors{0};
};

/// Splits one seed into independent ones (Steele et al. 2014, SplitMix64).
inline std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15U * (stream + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// Hands out the numbers of games to play: first those that an interrupted session left out, then
/// the ones above. Safe for several threads.
class GameNumbers {
 public:
  /// `finished`: numbers that are taken. `limit`: no number reaches it; 0: no limit. `first`: the
  /// lowest number to hand out.
  GameNumbers(std::vector<std::uint64_t> finished, std::uint64_t limit, std::uint64_t first = 0)
      : limit_(limit), next_(first) {
    std::sort(finished.begin(), finished.end());
    for (const std::uint64_t number : finished) {
      for (; next_ < number; ++next_)
        missing_.push_back(next_);
      next_ = std::max(next_, number + 1);
    }
    std::reverse(missing_.begin(), missing_.end());
  }
  /// Nothing: no game is left to begin.
  std::optional<std::uint64_t> take() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t number = next_;
    if (!missing_.empty()) {
      number = missing_.back();
      missing_.pop_back();
    } else {
      ++next_;
    }
    if (limit_ != 0 && number >= limit_) return std::nullopt;
    return number;
  }

 private:
  std::mutex mutex_;
  std::uint64_t limit_;
  std::uint64_t next_;
  std::vector<std::uint64_t> missing_;  // largest first
};

/// One game of self-play. Its random choices follow from (seed, number) alone; with
/// search.leaves_per_tree = 1 and an evaluator that evaluates each position by itself, so does all
/// of it.
template <Position P>
class SelfPlayGame {
 public:
  SelfPlayGame(const typename P::Variant& variant, const Config& config, std::uint64_t number)
      : config_(&config),
        rng_(mix_seed(static_cast<std::uint64_t>(config.run.seed), number)),
        history_(P::start(variant)),
        search_(config.search.params) {
    record_.number = number;
    may_resign_ =
        config.selfplay.resign_below < 0 && chance() >= config.selfplay.resign_playthrough;
    play_random_plies();
    search_.set_position(history_);
    begin_move();
  }

  bool is_over() const { return is_over_; }
  /// Adds at most one leaf to `batch` and says whether it did. Plays on as far as that needs no
  /// evaluation; after it, the game may be over.
  bool gather(EvalBatch<P>& batch, ActorCounts& counts) {
    while (!is_over_) {
      if (waiting_ == 0 && search_.root_visits() >= goal_) {
        finish_move(counts);
        continue;
      }
      if (waiting_ >= config_->search.leaves_per_tree) return false;
      if (search_.root_visits() + static_cast<std::uint32_t>(waiting_) >= goal_) return false;
      if (noise_due_ && search_.root_visits() > 0) {
        search_.add_root_noise(rng_);
        noise_due_ = false;
      }
      const auto gathered = search_.gather(batch);
      if (gathered == Search<P>::Gathered::Nothing) return false;
      counts.visits.fetch_add(1, std::memory_order_relaxed);
      if (gathered == Search<P>::Gathered::Leaf) {
        ++waiting_;
        return true;
      }
    }
    return false;
  }
  /// Takes the answers to all leaves that this game added to `batch`.
  void apply(const EvalBatch<P>& batch) {
    if (waiting_ == 0) return;
    search_.apply(batch);
    waiting_ = 0;
  }
  /// The finished game; call once.
  GameRecord take_record() {
    assert(is_over_);
    return std::move(record_);
  }
  /// The newest network that had a part in the game.
  void saw_network(std::int64_t steps) { record_.net_steps = std::max(record_.net_steps, steps); }

 private:
  double chance() { return std::uniform_real_distribution<double>(0, 1)(rng_); }

  void play_random_plies() {
    const int wanted = std::uniform_int_distribution<int>(0, config_->selfplay.random_plies)(rng_);
    typename P::MoveList moves;
    for (int i = 0; i < wanted; ++i) {
      moves.clear();
      history_.position().legal_moves(moves);
      const Move move =
          moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(rng_)];
      PositionHistory<P> next = history_;
      next.play(move);
      if (faultline::is_over(next.outcome())) return;  // a game opens with something to play
      history_ = std::move(next);
      record_.plies.push_back({.move = move});
    }
  }

  void begin_move() {
    full_ = chance() < config_->search.full_search_probability;
    goal_ =
        static_cast<std::uint32_t>(full_ ? config_->search.visits : config_->search.reduced_visits);
    noise_due_ = full_ && config_->search.params.dirichlet_weight > 0;
  }

  float temperature() const {
    const auto ply = static_cast<int>(record_.plies.size());
    return ply < config_->search.temperature_plies ? config_->search.temperature
                                                   : config_->search.final_temperature;
  }

  void finish_move(ActorCounts& counts) {
    const std::vector<RootMove> moves = search_.root_moves();
    const Evaluation evaluation = search_.root_evaluation();
    const Colour mover = history_.position().side_to_move();
    if (resigns(evaluation, mover)) {
      record_.resigned = true;
      finish(win_for(~mover), counts);
      return;
    }
    PlyRecord ply;
    ply.move = pick_move(moves, temperature(), rng_);
    ply.target = full_;
    if (full_) {
      ply.win = pack_probability(evaluation.win);
      ply.draw =
          std::min(pack_probability(evaluation.draw), static_cast<std::uint16_t>(65535 - ply.win));
      ply.visits.reserve(moves.size());
      for (const RootMove& move : moves)
        ply.visits.push_back(move.visits);
    }
    const Move move = ply.move;
    record_.plies.push_back(std::move(ply));
    history_.play(move);
    counts.moves.fetch_add(1, std::memory_order_relaxed);
    if (full_) counts.targets.fetch_add(1, std::memory_order_relaxed);
    Outcome outcome = history_.outcome();
    if (!faultline::is_over(outcome) &&
        static_cast<int>(record_.plies.size()) >= config_->selfplay.max_plies)
      outcome = Outcome::Adjudicated;
    if (faultline::is_over(outcome)) {
      finish(outcome, counts);
      return;
    }
    if (config_->search.tree_reuse)
      search_.advance(move);
    else
      search_.set_position(history_);
    begin_move();
  }

  bool resigns(const Evaluation& evaluation, Colour mover) {
    if (config_->selfplay.resign_below >= 0) return false;
    int& bad = bad_moves_[static_cast<std::size_t>(index(mover))];
    bad = evaluation.value() < config_->selfplay.resign_below ? bad + 1 : 0;
    if (bad < config_->selfplay.resign_plies) return false;
    if (!may_resign_ && !would_resign_) would_resign_ = mover;
    return may_resign_;
  }

  void finish(Outcome outcome, ActorCounts& counts) {
    record_.outcome = outcome;
    is_over_ = true;
    counts.games.fetch_add(1, std::memory_order_relaxed);
    if (!would_resign_) return;
    counts.resign_tests.fetch_add(1, std::memory_order_relaxed);
    if (score_for(outcome, *would_resign_) >= 0)
      counts.resign_errors.fetch_add(1, std::memory_order_relaxed);
  }

  const Config* config_;
  std::mt19937_64 rng_;
  PositionHistory<P> history_;
  Search<P> search_;
  GameRecord record_;
  std::uint32_t goal_ = 0;  // root visits at which the move is picked
  int waiting_ = 0;         // leaves whose evaluation is under way
  bool full_ = false;       // the present search makes a training target
  bool noise_due_ = false;
  bool may_resign_ = false;
  bool is_over_ = false;
  std::optional<Colour> would_resign_;
  std::array<int, 2> bad_moves_{};  // by colour: own moves in a row below resign_below
};

/// What an actor needs from outside. The functions are called from all actor threads.
template <Position P>
struct ActorWorld {
  const typename P::Variant* variant = nullptr;
  const Config* config = nullptr;
  Evaluator<P>* evaluator = nullptr;
  GameNumbers* numbers = nullptr;
  ActorCounts* counts = nullptr;
  /// Takes each finished game.
  std::function<void(GameRecord&&)> sink;
  /// Called between batches: may block to let the learner catch up; false ends the actor.
  std::function<bool()> go_on;
  /// Steps of the network that answers now.
  std::function<std::int64_t()> network_steps;
};

/// One thread's worth of games. They are split over one group (the evaluator computes in submit(),
/// as on a CPU) or two (a device computes one group's batch while the other group searches).
template <Position P>
class Actor {
 public:
  Actor(ActorWorld<P> world, int groups) : world_(std::move(world)) {
    const auto games = static_cast<std::size_t>(world_.config->selfplay.games_per_thread);
    groups_.resize(std::min(static_cast<std::size_t>(groups), games));
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::size_t share = games / groups_.size() + (g < games % groups_.size() ? 1 : 0);
      groups_[g].games.resize(share);
    }
  }

  /// Plays until go_on() says no or no game is left to begin. Games in progress are then dropped.
  void run() {
    for (Group& group : groups_)
      fill(group);
    for (std::size_t g = 0; world_.go_on(); g = (g + 1) % groups_.size()) {
      Group& group = groups_[g];
      collect(group);
      fill(group);
      if (std::all_of(groups_.begin(), groups_.end(),
                      [](const Group& x) { return x.batch.empty(); }))
        return;
    }
    for (Group& group : groups_)  // nothing may stay in flight when the batches go
      if (!group.batch.empty()) world_.evaluator->wait(group.batch);
  }

 private:
  struct Group {
    std::vector<std::unique_ptr<SelfPlayGame<P>>> games;  // null: not begun, or none left
    std::vector<std::uint8_t> in_batch;                   // by game: has leaves in `batch`
    EvalBatch<P> batch;                                   // submitted, unless empty
    std::size_t next = 0;                                 // the game whose turn it is
  };

  /// Waits for the group's batch and backs its answers up.
  void collect(Group& group) {
    if (group.batch.empty()) return;
    world_.evaluator->wait(group.batch);
    for (std::size_t i = 0; i < group.games.size(); ++i)
      if (group.in_batch[i] != 0) group.games[i]->apply(group.batch);
  }

  /// Goes round the games until the batch is full or no game can add to it, and submits it. The
  /// next round begins where this one ended, so that all games move on alike.
  void fill(Group& group) {
    group.batch.clear();
    group.in_batch.assign(group.games.size(), 0);
    const auto wanted = static_cast<std::size_t>(world_.config->selfplay.batch);
    const std::int64_t steps = world_.network_steps();
    for (std::size_t idle = 0; idle < group.games.size() && group.batch.size() < wanted;) {
      const std::size_t i = group.next;
      group.next = (group.next + 1) % group.games.size();
      if (gather(group, i, steps))
        idle = 0;
      else
        ++idle;
    }
    if (group.batch.empty()) return;
    world_.counts->evaluations.fetch_add(group.batch.size(), std::memory_order_relaxed);
    world_.counts->batches.fetch_add(1, std::memory_order_relaxed);
    world_.evaluator->submit(group.batch);
  }

  /// One leaf from game i, beginning a new game where one ends.
  bool gather(Group& group, std::size_t i, std::int64_t steps) {
    auto& game = group.games[i];
    for (;;) {
      if (!game) {
        const auto number = world_.numbers->take();
        if (!number) return false;
        game = std::make_unique<SelfPlayGame<P>>(*world_.variant, *world_.config, *number);
      }
      if (game->gather(group.batch, *world_.counts)) {
        game->saw_network(steps);
        group.in_batch[i] = 1;
        return true;
      }
      if (!game->is_over()) return false;
      world_.sink(game->take_record());
      game.reset();
    }
  }

  ActorWorld<P> world_;
  std::vector<Group> groups_;
};

}  // namespace faultline
