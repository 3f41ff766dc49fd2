// A training run: actors, replay store and learner in one process and one folder.
//
// Threads: the actors run as tasks in a TBB arena; the calling thread is the learner, and also
// looks after the reports, the limits and the stop signals. Finished games go from an actor to the
// disk and, decoded, into `arrived_`, where the learner picks them up. The replay ratio ties the
// two: without new positions the learner waits, and when it lies far behind the actors wait.
#include "selfplay/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "base/stop_signals.h"
#include "model/encoding/encoders.h"
#include "model/inference/network_evaluator.h"
#include "model/training/trainer.h"
#include "rules/families.h"
#include "selfplay/actor.h"
#include "selfplay/learner.h"
#include "selfplay/progress.h"
#include "selfplay/replay_store.h"
#include "selfplay/run_meter.h"
#include "selfplay/run_setup.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// "1 game", "2 games".
std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

template <Position P>
class TrainingRun {
 public:
  TrainingRun(const typename P::Variant& variant, const Config& config, const RunOptions& options)
      : variant_(&variant),
        config_(config),
        folder_(options.folder),
        store_((check_folder(config, folder_, options.resume), folder_.games()),
               variant.canonical_name(), config.replay.chunk_games),
        state_(folder_.read_state().value_or(RunState{})),
        resumed_(folder_.holds_run()),
        learner_(config_, make_trainer(config_, folder_, state_, Encoder<P>::info(variant))),
        evaluator_(variant,
                   learner_.trainer().inference_backend(parse_precision(config_.device.precision))),
        published_(learner_.trainer().steps()),
        printer_(*options.out, options.terminal, folder_.metrics_file()) {
    if (!resumed_) write_file_atomically(folder_.config_file(), to_toml(config_));
    if (state_.checkpoint.empty()) save();
    if (resumed_) write_file_atomically(folder_.config_file(), to_toml(config_));
  }

  RunResult go() {
    announce();
    const StopSignals signals;
    load_window();
    start_ = Clock::now();
    meter_.start();
    if (config_.run.deterministic)
      play_rounds();
    else
      play_freely();
    save();
    report(true);
    return finish();
  }

 private:
  bool on_cpu() const { return learner_.trainer().device().starts_with("cpu"); }

  void announce() {
    const Trainer& trainer = learner_.trainer();
    printer_.message(fmt::format(
        "{} {} in {}: net {} ({} parameters), {}, {} of {}",
        resumed_ ? "Going on with" : "Training", variant_->canonical_name(),
        folder_.path().string(), describe(config_.net), trainer.parameter_count(),
        evaluator_.backend()->describe(),
        counted(static_cast<std::uint64_t>(actor_threads(config_)), "actor thread"),
        counted(static_cast<std::uint64_t>(config_.selfplay.games_per_thread), "game")));
    for (const std::string& text : store_.messages())
      printer_.message("warning: " + text);
    if (resumed_)
      printer_.message(fmt::format("The run has {}; the last checkpoint is {}",
                                   counted(store_.games().size(), "game"), state_.checkpoint));
  }

  // ---- the learner's thread -------------------------------------------------------------------

  /// Fills the window from the games on disk as if the run had never stopped.
  void load_window() {
    std::vector<StoredGame> games = store_.games();
    if (config_.run.deterministic) {  // later rounds come again, in their turn
      std::sort(games.begin(), games.end(),
                [](const StoredGame& a, const StoredGame& b) { return a.number < b.number; });
      std::erase_if(games, [&](const StoredGame& g) { return g.number >= round_begin(); });
    }
    std::uint64_t positions = 0;
    for (const StoredGame& game : games)
      positions += game.targets;
    learner_.count_positions(positions);
    games_ = games.size();
    std::uint64_t loaded = 0;
    auto first = games.end();
    while (first != games.begin() && loaded < learner_.window_capacity())
      loaded += (--first)->targets;
    for (; first != games.end(); ++first) {
      try {
        learner_.add(decode(read_game(*first)), 0);
      } catch (const ReplayError& error) {
        printer_.message(fmt::format("warning: {}; left out", error.what()));
      }
    }
  }

  GameSamples<P> decode(const GameRecord& game) const {
    return GameSamples<P>(*variant_, game, static_cast<float>(config_.learner.root_value_share));
  }

  RunProgress progress() const {
    return {state_.seconds + (start_ ? seconds_since(*start_) : 0.0), games_, learner_.positions(),
            learner_.trainer().steps()};
  }
  double done() const { return fraction_done(config_.run, progress()); }
  bool out_of_time() const {
    return config_.run.minutes > 0 && progress().seconds >= 60 * config_.run.minutes;
  }
  bool steps_reached() const {
    return config_.run.steps > 0 && learner_.trainer().steps() >= config_.run.steps;
  }
  bool must_stop() const { return StopSignals::requested() || out_of_time() || steps_reached(); }

  void step() {
    meter_.add(learner_.step(done()));
    const std::int64_t steps = learner_.trainer().steps();
    if (!config_.run.deterministic && steps % config_.learner.publish_interval == 0) publish();
    if (steps % config_.learner.checkpoint_interval == 0) save();
  }

  /// Gives the actors the present weights.
  void publish() {
    evaluator_.set_backend(
        learner_.trainer().inference_backend(parse_precision(config_.device.precision)));
    published_ = learner_.trainer().steps();
  }

  /// Makes the present point one that a restart can go on from: first the games are synced, then
  /// the network is written, then the state that names it. Only then may older networks go.
  void save() {
    {
      const std::scoped_lock lock(mutex_);
      store_.sync();
    }
    const Trainer& trainer = learner_.trainer();
    RunState state = state_;
    state.variant = variant_->canonical_name();
    state.checkpoint = RunFolder::checkpoint_name(trainer.steps());
    const std::filesystem::path file = folder_.path() / state.checkpoint;
    if (state.checkpoint != state_.checkpoint || !std::filesystem::exists(file)) trainer.save(file);
    const RunProgress now = progress();
    state.steps = now.steps;
    state.games = now.games;
    state.positions = now.positions;
    state.seconds = now.seconds;
    folder_.write_state(state);
    state_.checkpoint = state.checkpoint;  // seconds stay those before this session
    const LearnerConfig& learner = config_.learner;
    for (const std::string& failure :
         folder_.prune_checkpoints(state, learner.keep_checkpoints, learner.keep_every))
      if (warned_.insert(failure).second) printer_.message("warning: " + failure);
  }

  void report_if_due() {
    if (meter_.seconds_since_report() >= config_.run.report_seconds) report();
  }

  void report(bool finished = false) {
    RunReport r;
    r.finished = finished;
    r.now = progress();
    r.done = done();
    r.window = learner_.window().size();
    r.window_capacity = learner_.window_capacity();
    r.lag = learner_.lag();
    r.learning_rate = learner_.trainer().learning_rate();
    meter_.finish_interval(r);
    printer_.report(r);
  }

  /// Into the window and the report's counters.
  void take(GameSamples<P> samples, const GameRecord& game) {
    const std::uint64_t positions = samples.size();
    learner_.add(std::move(samples), positions);
    ++games_;
    meter_.add(game);
  }

  RunResult finish() {
    RunResult result;
    result.end = StopSignals::requested() ? RunEnd::Stopped : RunEnd::LimitReached;
    result.games = games_;
    result.positions = learner_.positions();
    result.steps = learner_.trainer().steps();
    result.first_checkpoint = folder_.path() / RunFolder::checkpoint_name(0);
    result.checkpoint = folder_.path() / state_.checkpoint;
    printer_.message(fmt::format(
        "{} after {}: {}, {}, {}; the network is {}",
        result.end == RunEnd::Stopped ? "Stopped" : "Done", clock_text(progress().seconds),
        counted(result.games, "game"), counted(result.positions, "position"),
        counted(static_cast<std::uint64_t>(result.steps), "step"), result.checkpoint.string()));
    return result;
  }

  // ---- actors and learner side by side --------------------------------------------------------

  struct Arrived {
    GameSamples<P> samples;
    GameRecord game;
  };

  void play_freely() {
    std::vector<std::uint64_t> finished;
    for (const StoredGame& game : store_.games())
      finished.push_back(game.number);
    GameNumbers numbers(std::move(finished), static_cast<std::uint64_t>(config_.run.games));
    ActorWorld<P> world = make_world(numbers);
    world.sink = [this](GameRecord&& game) { take_from_actor(std::move(game)); };
    world.go_on = [this] { return may_play(); };

    const int threads = actor_threads(config_);
    playing_ = threads;
    // TBB starts no more workers than there are cores unless told so.
    const tbb::global_control workers(tbb::global_control::max_allowed_parallelism,
                                      static_cast<std::size_t>(threads) + 1);
    tbb::task_arena arena(threads, 0);
    tbb::task_group actors;
    for (int i = 0; i < threads; ++i)
      arena.enqueue(actors.defer([this, &world] { act(world); }));
    try {
      learn_while_playing();
    } catch (...) {
      end_actors();
      arena.execute([&] { actors.wait(); });
      throw;
    }
    end_actors();
    arena.execute([&] { actors.wait(); });
    collect_arrived();
    if (failure_) std::rethrow_exception(failure_);
  }

  ActorWorld<P> make_world(GameNumbers& numbers) {
    ActorWorld<P> world;
    world.variant = variant_;
    world.config = &config_;
    world.evaluator = &evaluator_;
    world.numbers = &numbers;
    world.counts = &counts_;
    world.network = [this] { return NetworkIdentity{published_.load(), 0}; };
    return world;
  }

  /// An actor thread's whole life.
  void act(const ActorWorld<P>& world) {
    std::exception_ptr failure;
    try {
      Actor<P>(world, on_cpu() ? 1 : 2).run();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    --playing_;
    learner_wakes_.notify_one();
  }

  void take_from_actor(GameRecord&& game) {
    GameSamples<P> samples = decode(game);
    const std::scoped_lock lock(mutex_);
    store_.append(game);
    arrived_.push_back({std::move(samples), std::move(game)});
    learner_wakes_.notify_one();
  }

  bool may_play() {
    if (!paused_) return !ending_;
    std::unique_lock lock(mutex_);
    actors_wake_.wait(lock, [this] { return !paused_ || ending_; });
    return !ending_;
  }

  void pause_actors(bool pause) {
    if (pause == paused_) return;
    if (pause)
      meter_.actors_paused();
    else
      meter_.actors_resumed();
    {
      const std::scoped_lock lock(mutex_);
      paused_ = pause;
    }
    actors_wake_.notify_all();
  }

  void end_actors() {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    actors_wake_.notify_all();
  }

  /// Moves finished games into the window; false when the actors have ended.
  bool collect_arrived() {
    std::vector<Arrived> arrived;
    bool playing = true;
    {
      const std::scoped_lock lock(mutex_);
      arrived.swap(arrived_);
      playing = playing_ > 0 && !failure_;
    }
    for (Arrived& one : arrived)
      take(std::move(one.samples), one.game);
    return playing;
  }

  void learn_while_playing() {
    while (!must_stop()) {
      const bool playing = collect_arrived();
      if (failed()) return;
      pause_actors(playing && learner_.lag() > largest_lag(config_.learner));
      if (learner_.may_step()) {
        step();
      } else if (!playing) {
        return;  // all games are played and learned from
      } else {
        std::unique_lock lock(mutex_);
        // Wakes for signals, limits and reports as well, which nobody announces.
        learner_wakes_.wait_for(lock, std::chrono::milliseconds(50),
                                [this] { return !arrived_.empty() || playing_ == 0; });
      }
      report_if_due();
    }
  }

  bool failed() {
    const std::scoped_lock lock(mutex_);
    return failure_ != nullptr;
  }

  // ---- deterministic: actors and learner by turns -----------------------------------------------

  std::uint64_t round_begin() const { return state_.in_rounds; }
  std::uint64_t round_end() const {
    const std::uint64_t end =
        round_begin() + static_cast<std::uint64_t>(config_.selfplay.games_per_thread);
    return config_.run.games > 0 ? std::min(end, static_cast<std::uint64_t>(config_.run.games))
                                 : end;
  }

  /// Rounds of games by one network, each followed by the steps that are due. What a round plays
  /// depends on the weights at its begin alone, so a round whose games are on disk, all or some,
  /// can be read, or played again without storing those once more. A limit that cuts a round short
  /// ends it all the same: with the limit raised, the next round begins behind it.
  void play_rounds() {
    while (!must_stop() && round_begin() < round_end()) {
      publish();
      if (!play_round()) return;
      while (learner_.may_step()) {
        if (must_stop()) return;
        step();
        report_if_due();
      }
      state_.in_rounds = round_end();
    }
  }

  /// False if the round was interrupted: it will be played again.
  bool play_round() {
    std::map<std::uint64_t, StoredGame> stored;
    for (const StoredGame& game : store_.games())
      if (game.number >= round_begin() && game.number < round_end())
        stored.emplace(game.number, game);
    std::map<std::uint64_t, GameRecord> games;
    if (stored.size() == round_end() - round_begin()) {
      for (const auto& [number, game] : stored)
        games.emplace(number, read_game(game));
    } else {
      GameNumbers numbers({}, round_end(), round_begin());
      ActorWorld<P> world = make_world(numbers);
      world.sink = [&](GameRecord&& game) {
        const std::uint64_t number = game.number;
        games.emplace(number, std::move(game));
      };
      world.go_on = [this] {
        report_if_due();
        return !must_stop();
      };
      Actor<P>(world, 1).run();
      if (games.size() != round_end() - round_begin()) return false;
      for (auto& [number, game] : games)
        if (const auto there = stored.find(number); there != stored.end())
          game = read_game(there->second);
        else
          store_.append(game);
    }
    for (const auto& [number, game] : games)
      take(decode(game), game);
    return true;
  }

  const typename P::Variant* variant_;
  const Config config_;
  RunFolder folder_;
  ReplayStore store_;  // while actors run: guarded by mutex_
  RunState state_;     // as read, but for checkpoint and in_rounds, which move on
  bool resumed_;
  Learner<P> learner_;
  NetworkEvaluator<P> evaluator_;
  std::atomic<std::int64_t> published_;  // steps of the evaluator's network
  ProgressPrinter printer_;

  // The learner's thread alone uses these.
  std::uint64_t games_ = 0;       // finished, over all sessions
  std::set<std::string> warned_;  // failures to delete that were told
  std::optional<Clock::time_point> start_;
  ActorCounts counts_;
  RunMeter meter_{counts_};

  std::mutex mutex_;
  std::condition_variable learner_wakes_;
  std::condition_variable actors_wake_;
  std::vector<Arrived> arrived_;     // guarded by mutex_
  int playing_ = 0;                  // actors that run; guarded by mutex_
  std::exception_ptr failure_;       // an actor's; guarded by mutex_
  std::atomic<bool> paused_{false};  // written under mutex_
  std::atomic<bool> ending_{false};  // written under mutex_
};

}  // namespace

RunResult run_training(const Config& config, const RunOptions& options) {
  require_device(config);  // before the folder is made
  return with_family(parse_variant_name(config.run.variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       return TrainingRun<P>(variant, config, options).go();
                     });
}

}  // namespace faultline
