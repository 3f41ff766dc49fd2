// Measures what a run's games are like and how fast its parts are, in a few seconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/machine_memory.h"
#include "base/stop_signals.h"
#include "rules/position.h"
#include "search/evaluator.h"
#include "selfplay/actor.h"
#include "selfplay/chunk.h"
#include "selfplay/config.h"
#include "selfplay/game_numbers.h"
#include "selfplay/learner.h"
#include "selfplay/run_forecast.h"
#include "selfplay/run_setup.h"
#include "selfplay/run_threads.h"
#include "selfplay/run_trainer.h"
#include "selfplay/window.h"

namespace faultline {

/// Actors that play until `go_on` says no; the first exception of any is thrown. `world`: without
/// sink and go_on, which are added. `sink` is called by one thread at a time.
template <Position P>
void play_for_a_while(ActorWorld<P> world, int groups, const RunThreads& threads,
                      const std::function<bool()>& go_on,
                      const std::function<void(GameRecord&&)>& sink) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  world.go_on = [&] { return !failed && !StopSignals::requested() && go_on(); };
  world.sink = [&](GameRecord&& game) {
    const std::scoped_lock lock(mutex);
    sink(std::move(game));
  };
  threads(
      actor_threads(*world.config),
      [&] {
        try {
          Actor<P>(world, groups).run();
        } catch (...) {
          const std::scoped_lock lock(mutex);
          if (!failure) failure = std::current_exception();
          failed = true;
        }
      },
      [] {});
  if (failure) std::rethrow_exception(failure);
}

/// What probe_games() found: figures, and the games with their training positions.
template <Position P>
struct ProbedGames {
  SampleGames sample;
  std::vector<GameSamples<P>> games;
};

/// Games of a search without a network, with few visits, from where the run's games start. They
/// are not cut where the run's would be, but where those of the family are, if that is later. When
/// the time is over, games that have not ended are sampled as far as they are. `in_time`: instead
/// of the time of `limits`; called by all threads.
template <Position P>
ProbedGames<P> probe_games(const typename P::Variant& variant, const Config& run,
                           const ProbeLimits& limits, const RunThreads& threads,
                           std::function<bool()> in_time = {}) {
  using Clock = std::chrono::steady_clock;
  constexpr int kVisits = 40;
  Config config = run;
  config.search = {};
  config.search.visits = kVisits;
  config.search.full_search_probability = 1;
  config.search.tree_reuse = false;
  config.selfplay = {};
  config.selfplay.threads = actor_threads(run);
  config.selfplay.random_plies = run.selfplay.random_plies;
  config.selfplay.one_level_games = run.selfplay.one_level_games;
  config.selfplay.max_plies = std::max(most_plies(run.selfplay, P::info()), P::info().most_plies);
  const auto per_thread =
      static_cast<int>((limits.games + static_cast<std::size_t>(config.selfplay.threads) - 1) /
                       static_cast<std::size_t>(config.selfplay.threads));
  config.selfplay.games_per_thread = per_thread;

  UniformEvaluator<P> evaluator;
  ActorCounts counts;
  GameNumbers numbers({}, limits.games);
  ActorWorld<P> world;
  world.variant = &variant;
  world.config = &config;
  world.evaluator = &evaluator;
  world.batch = static_cast<std::size_t>(per_thread);
  world.numbers = &numbers;
  world.counts = &counts;
  world.strategy = followed_bias<P>(variant, run, {});
  world.network = [] { return NetworkIdentity{}; };

  ProbedGames<P> probed;
  SampleGames& sample = probed.sample;
  double legal = 0, searched = 0, stored = 0;
  const auto add = [&](const GameRecord& game) {
    for (const PlyRecord& ply : game.plies) {
      if (!ply.searched) continue;
      ++searched;
      legal += static_cast<double>(ply.policy.size());  // every searched ply is a target here
    }
    stored += static_cast<double>(chunk_frame(game).size());
    probed.games.emplace_back(variant, game, ValueTargets{});
  };
  std::mutex mutex;
  world.dropped = [&](const GameRecord& game) {
    const std::scoped_lock lock(mutex);
    if (game.plies.empty() || !game.plies.back().searched) return;  // still in its random plies
    sample.plies.push_back(static_cast<int>(game.plies.size()));
    ++sample.unfinished;
    GameRecord cut = game;
    cut.outcome = Outcome::Adjudicated;
    add(cut);
  };
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.games_seconds));
  if (!in_time) in_time = [deadline] { return Clock::now() < deadline; };
  play_for_a_while<P>(world, 1, threads, in_time, [&](GameRecord&& game) {
    const std::scoped_lock lock(mutex);
    sample.plies.push_back(static_cast<int>(game.plies.size()));
    add(game);
  });
  std::size_t positions = 0, bytes = 0;
  for (const GameSamples<P>& game : probed.games) {
    positions += game.size();
    bytes += game.bytes();
  }
  if (searched > 0) {
    sample.legal_moves = legal / searched;
    sample.targets_per_ply = run.search.full_search_probability;
  }
  if (positions > 0) {
    sample.window_bytes = static_cast<double>(bytes) / static_cast<double>(positions);
    // Of a run's plies, too, those without a target are stored, but they take little.
    sample.stored_bytes = stored / static_cast<double>(positions);
  }
  return probed;
}

/// What the actors have done by a time.
struct ActorMark {
  std::chrono::steady_clock::time_point time;
  double evaluations = 0;
  double moves = 0;
  double targets = 0;
};

/// The speeds between two marks. Searches that have just begun have made no move yet: unless every
/// one of `games` has made several, moves and targets are derived from the evaluations and the
/// visits of a search. Subtrees that are kept make that a lower bound.
inline RunSpeeds speeds_between(const ActorMark& begin, const ActorMark& end, const Config& config,
                                double games, double targets_per_ply) {
  constexpr double kMovesOfEach = 5;
  RunSpeeds speeds;
  const double seconds = std::chrono::duration<double>(end.time - begin.time).count();
  if (seconds <= 0) return speeds;
  speeds.evaluations = (end.evaluations - begin.evaluations) / seconds;
  if (end.moves - begin.moves >= kMovesOfEach * games) {
    speeds.moves = (end.moves - begin.moves) / seconds;
    speeds.targets = (end.targets - begin.targets) / seconds;
    return speeds;
  }
  const SearchConfig& search = config.search;
  const double full = search.full_search_probability;
  speeds.moves = speeds.evaluations / (full * search.visits + (1 - full) * search.reduced_visits);
  speeds.targets = speeds.moves * (targets_per_ply > 0 ? targets_per_ply : full);
  return speeds;
}

/// Plays with the trainer's evaluator as the run would, and makes steps on `probed`'s games. The
/// trainer's weights change. `threads`: how the run starts its actors.
template <Position P>
RunSpeeds probe_speeds(const typename P::Variant& variant, const Config& config,
                       RunTrainer<P>& trainer, const ProbedGames<P>& probed,
                       const ProbeLimits& limits, const RunThreads& threads) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const NetworkIdentity network = trainer.publish();
  ActorCounts counts;
  GameNumbers numbers({}, 0);
  ActorWorld<P> world;
  world.variant = &variant;
  world.config = &config;
  world.evaluator = &trainer.evaluator();
  world.batch = trainer.batch();
  world.numbers = &numbers;
  world.counts = &counts;
  world.strategy = followed_bias<P>(variant, config, {});
  world.network = [&] { return network; };
  const auto mark = [&] {
    return ActorMark{Clock::now(), static_cast<double>(counts.evaluations),
                     static_cast<double>(counts.moves), static_cast<double>(counts.targets)};
  };
  // The first batches of all threads allocate, on a GPU also record, and are not timed.
  const auto warm =
      static_cast<std::uint64_t>((trainer.is_asynchronous() ? 8 : 2) * actor_threads(config));
  std::mutex mutex;
  std::optional<ActorMark> begin, end;
  play_for_a_while<P>(
      world, trainer.is_asynchronous() ? 2 : 1, threads,
      [&] {
        const std::scoped_lock lock(mutex);
        if (end) return false;
        if (!begin && counts.batches >= warm) begin = mark();
        if (begin && since(begin->time) >= limits.actors_seconds) end = mark();
        return !end;
      },
      [](GameRecord&&) {});
  RunSpeeds speeds;
  if (begin && end)
    speeds = speeds_between(*begin, *end, config,
                            static_cast<double>(actor_threads(config)) *
                                static_cast<double>(config.selfplay.games_per_thread),
                            probed.sample.targets_per_ply);
  speeds.shares_cores = !trainer.is_asynchronous();

  Learner<P> learner(config, trainer);
  std::uint64_t positions = 0;
  for (const GameSamples<P>& game : probed.games) {
    positions += game.size();
    learner.add(game, game.size());
  }
  if (positions > 0 && !StopSignals::requested()) {
    learner.step(0);  // the first one allocates
    const auto first = Clock::now();
    int steps = 0;
    do {
      learner.step(0);
      ++steps;
    } while (since(first) < limits.steps_seconds && !StopSignals::requested());
    speeds.step_seconds = since(first) / steps;
  }
  speeds.process_bytes = most_process_memory();
  return speeds;
}

}  // namespace faultline
