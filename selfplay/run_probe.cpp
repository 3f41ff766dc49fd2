// Measures what a run's games are like and how fast its parts are.
#include "selfplay/run_probe.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/machine_memory.h"
#include "base/stop_signals.h"
#include "rules/families.h"
#include "selfplay/actor.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/game_numbers.h"
#include "selfplay/learner.h"
#include "selfplay/local_links.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_passed(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Actors that play until `go_on` says no; the first exception of any is thrown.
void play_for_a_while(const Config& config, PlayingNet net, std::uint64_t games, GameSink& sink,
                      ActorCounts& counts, const RunThreads& threads,
                      const std::function<bool()>& go_on) {
  const auto strategy = followed_strategy(config, {});
  std::atomic<bool> failed{false};
  PlayWhile orders(net.identity, [&] { return !failed && !StopSignals::requested() && go_on(); });
  GameNumbers numbers({}, games);
  NetBoard nets;
  nets.replace(std::move(net));
  std::mutex mutex;
  std::exception_ptr failure;
  threads(
      actor_threads(config),
      [&] {
        try {
          make_actor(config, strategy,
                     {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &sink},
                     counts)
              ->run();
        } catch (...) {
          const std::scoped_lock lock(mutex);
          if (!failure) failure = std::current_exception();
          failed = true;
        }
      },
      [] {});
  if (failure) std::rethrow_exception(failure);
}

/// Samples finished games, and dropped ones as far as they were played.
class GameSampler final : public GameSink {
 public:
  GameSampler(const Config& config, ProbedGames& probed)
      : decoder_(config.run.variant, {}), probed_(&probed) {}

  void put(GameRecord&& game) override {
    const std::scoped_lock lock(mutex_);
    probed_->sample.plies.push_back(static_cast<int>(game.plies.size()));
    add(game);
  }
  void drop(const GameRecord& game) override {
    const std::scoped_lock lock(mutex_);
    if (game.plies.empty() || !game.plies.back().searched) return;  // still in its random plies
    probed_->sample.plies.push_back(static_cast<int>(game.plies.size()));
    ++probed_->sample.unfinished;
    GameRecord cut = game;
    cut.outcome = Outcome::Adjudicated;
    add(cut);
  }

  /// Fills in the sample's means, once all games are there. `targets_per_ply`: of the run.
  void finish(double targets_per_ply) {
    std::size_t positions = 0, bytes = 0;
    for (const GameSamples& game : probed_->games) {
      positions += game.size();
      bytes += game.bytes();
    }
    SampleGames& sample = probed_->sample;
    if (searched_ > 0) {
      sample.legal_moves = legal_ / searched_;
      sample.targets_per_ply = targets_per_ply;
    }
    if (positions > 0)
      sample.window_bytes = static_cast<double>(bytes) / static_cast<double>(positions);
  }

 private:
  void add(const GameRecord& game) {
    for (const PlyRecord& ply : game.plies) {
      if (!ply.searched) continue;
      ++searched_;
      legal_ += static_cast<double>(ply.policy.size());  // every searched ply is a target here
    }
    probed_->games.push_back(decoder_.decode(game));
  }

  GameDecoder decoder_;
  ProbedGames* probed_;
  std::mutex mutex_;
  double legal_ = 0, searched_ = 0;
};

}  // namespace

ProbedGames probe_games(const Config& run, const ProbeLimits& limits, const RunThreads& threads,
                        std::function<bool()> in_time) {
  constexpr int kVisits = 40;
  Config config = run;
  config.search = {};
  config.search.visits = kVisits;
  config.search.full_search_probability = 1;
  config.search.tree_reuse = false;
  config.selfplay = {};
  config.selfplay.threads = actor_threads(run);
  config.selfplay.random_plies = run.selfplay.random_plies;
  config.selfplay.strategy = run.selfplay.strategy;
  config.selfplay.one_level_games = run.selfplay.one_level_games;
  const FamilyInfo& family = family_info(parse_variant_name(run.run.variant).family);
  config.selfplay.max_plies = std::max(most_plies(run.selfplay, family), family.most_plies);
  const auto per_thread =
      static_cast<int>((limits.games + static_cast<std::size_t>(config.selfplay.threads) - 1) /
                       static_cast<std::size_t>(config.selfplay.threads));
  config.selfplay.games_per_thread = per_thread;
  config.selfplay.batch = per_thread;

  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.games_seconds));
  if (!in_time) in_time = [deadline] { return Clock::now() < deadline; };
  ProbedGames probed;
  GameSampler sampler(config, probed);
  ActorCounts counts;
  play_for_a_while(config, {}, limits.games, sampler, counts, threads, in_time);
  sampler.finish(run.search.full_search_probability);
  return probed;
}

RunSpeeds speeds_between(const ActorMark& begin, const ActorMark& end, const Config& config,
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

RunSpeeds probe_speeds(const Config& config, RunTrainer& trainer, const ProbedGames& probed,
                       const ProbeLimits& limits, const RunThreads& threads) {
  const PlayingNet net = trainer.publish();
  ActorCounts counts;
  const auto mark = [&] {
    return ActorMark{Clock::now(), static_cast<double>(counts.evaluations),
                     static_cast<double>(counts.moves), static_cast<double>(counts.targets)};
  };
  // The first batches of all threads allocate, on a GPU also record, and are not timed.
  const auto warm =
      static_cast<std::uint64_t>((net.is_asynchronous() ? 8 : 2) * actor_threads(config));
  std::mutex mutex;
  std::optional<ActorMark> begin, end;
  FunctionSink sink;
  play_for_a_while(config, net, 0, sink, counts, threads, [&] {
    const std::scoped_lock lock(mutex);
    if (end) return false;
    if (!begin && counts.batches >= warm) begin = mark();
    if (begin && seconds_passed(begin->time) >= limits.actors_seconds) end = mark();
    return !end;
  });
  RunSpeeds speeds;
  if (begin && end)
    speeds = speeds_between(*begin, *end, config,
                            static_cast<double>(actor_threads(config)) *
                                static_cast<double>(config.selfplay.games_per_thread),
                            probed.sample.targets_per_ply);
  speeds.shares_cores = !net.is_asynchronous();

  Learner learner(config, trainer);
  std::uint64_t positions = 0;
  for (const GameSamples& game : probed.games) {
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
    } while (seconds_passed(first) < limits.steps_seconds && !StopSignals::requested());
    speeds.step_seconds = seconds_passed(first) / steps;
  }
  speeds.process_bytes = most_process_memory();
  return speeds;
}

}  // namespace faultline
