// The parts of a training session, and the operations that both schedules (free_schedule.h,
// round_schedule.h) share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/cpu_clock.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "rules/position.h"
#include "selfplay/actor.h"
#include "selfplay/config.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/held_out.h"
#include "selfplay/learner.h"
#include "selfplay/run_persistence.h"
#include "selfplay/run_reporter.h"
#include "selfplay/run_setup.h"
#include "selfplay/run_trainer.h"
#include "selfplay/run_warnings.h"
#include "selfplay/strength_monitor.h"
#include "selfplay/tree_memory.h"

namespace faultline {

/// Used by the learner's thread, except for what world() gives to the actors. Everything passed to
/// the constructor must outlive it.
template <Position P>
class TrainingLoop {
 public:
  TrainingLoop(const typename P::Variant& variant, const Config& config, RunTrainer<P>& trainer,
               RunPersistence& persistence, RunReporter& reporter,
               MeasureStrength measure_strength = {})
      : variant_(&variant),
        config_(&config),
        trainer_(&trainer),
        persistence_(&persistence),
        reporter_(&reporter),
        learner_(config, trainer, persistence.state().step_count),
        held_out_(trainer.encoding(), static_cast<std::size_t>(config.learner.batch)),
        strategy_(followed_bias<P>(variant, config, persistence.folder().path())),
        strength_(60 * config.run.strength_minutes, std::move(measure_strength)) {}

  const Config& config() const { return *config_; }
  RunPersistence& persistence() { return *persistence_; }
  RunReporter& reporter() { return *reporter_; }
  const Learner<P>& learner() const { return learner_; }

  /// To be called before the first game: writes the state, prints the first line, fills the window,
  /// starts the clock.
  void begin() {
    // The checkpoint and the state come first: a run that is killed before both are written, and
    // with them its initial weights, has not started.
    if (persistence_->state().checkpoint.empty()) save();
    write_file_atomically(persistence_->folder().config_file(), to_toml(*config_));
    keep_followed_strategy(*config_, persistence_->folder().path());
    publish();
    strength_.set_workers(trainer_->is_asynchronous() ? 1 : actor_threads(*config_));
    announce();
    if (persistence_->resumed()) reporter_->resumed_at(trainer_->steps());
    load_window();
    start_ = Clock::now();
    cpu_start_.emplace();
    reporter_->meter().start();
  }

  /// Learns from the games of another run that this one begins with, in the order in which they
  /// were played, as if they arrived now; an interrupted run goes on where it was.
  void catch_up() {
    if (!games_behind_) return;
    StoredGames& games = *games_behind_;
    const std::uint64_t inherited = persistence_->state().inherited_games;
    reporter_->message(
        fmt::format("Learning first from {} of {}",
                    counted(std::min(inherited, games.size()) - first_behind_, "game"),
                    persistence_->state().games_from));
    catching_up_ = true;
    for (std::uint64_t i = first_behind_; i < games.size() && !must_stop(); ++i) {
      std::uint32_t targets = 0;
      try {
        targets = games[i].targets;
        const GameRecord record = games.read(i);
        take(decode(record), record);
      } catch (const ReplayError& error) {
        reporter_->warn(fmt::format("{}; skipped", error.what()));
        learner_.count_positions(targets);
        ++games_;
      }
      learn_until_due(1);  // where two steps are due, the second batch is built beside the first
      report_if_due();
    }
    learn_until_due(0);
    catching_up_ = false;
    games_behind_.reset();
    publish();
  }

  RunProgress progress() const {
    const RunState& before = persistence_->state();
    return {.seconds = before.seconds + (start_ ? seconds_since(*start_) : 0.0),
            .games = games_,
            .positions = learner_.positions(),
            .steps = trainer_->steps(),
            .cpu_seconds = before.cpu_seconds + (cpu_start_ ? cpu_start_->seconds() : 0.0),
            .evaluations = before.evaluations + reporter_->counts().evaluations.load()};
  }
  bool must_stop() const {
    return StopSignals::requested() || limit_reached(config_->run, progress());
  }

  GameSamples<P> decode(const GameRecord& game) const {
    const LearnerConfig& learner = config_->learner;
    return GameSamples<P>(*variant_, game,
                          {.root_value_share = static_cast<float>(learner.root_value_share),
                           .lambda = static_cast<float>(learner.value_lambda),
                           .cut_as_draws = learner.cut_as_draws});
  }
  /// Adds a finished game to the window and the counters.
  void take(GameSamples<P> samples, const GameRecord& game) {
    const std::uint64_t positions = samples.size();
    if (const auto losses = held_out_.add(samples, *trainer_)) reporter_->meter().add(*losses);
    learner_.add(std::move(samples), positions);
    ++games_;
    reporter_->meter().add(game);
  }

  /// One optimiser step, and publishing and saving where due.
  void step() {
    reporter_->meter().add(learner_.step(done()));
    const std::int64_t steps = trainer_->steps();
    if (!config_->run.deterministic && !catching_up_ &&
        steps % config_->learner.publish_interval == 0)
      publish();
    if (steps % config_->learner.checkpoint_interval == 0) save();
  }
  /// Gives the actors the current weights.
  void publish() {
    const NetworkIdentity network = trainer_->publish();
    const std::scoped_lock lock(published_mutex_);
    published_ = network;
  }
  void save() {
    for (const std::string& failure :
         persistence_->save(progress(), [&](const std::filesystem::path& file) {
           trainer_->save(file, playing_search(config_->search));
         }))
      reporter_->warn(failure);
    saved_steps_ = trainer_->steps();
  }

  void report_if_due() {
    if (reporter_->is_due()) report();
  }
  void report(bool finished = false) {
    RunReport r;
    r.finished = finished;
    r.now = progress();
    r.done = done();
    r.window = learner_.window().size();
    r.window_capacity = learner_.window_capacity();
    r.lag = learner_.lag();
    r.learning_rate = trainer_->learning_rate();
    r.actor_threads = actor_threads(*config_);
    r.strength = strength_.latest();
    if (reporter_->counts().searches_cut > 0) reporter_->warn(tree_memory_warning(*config_));
    reporter_->report(r);
    for (const std::string& text : run_warnings(most_plies(config_->selfplay, P::info()),
                                                reporter_->meter().recent(), r.now.steps))
      reporter_->warn(text);
    if (const std::string failure = strength_.failure(); !failure.empty())
      reporter_->warn("the run's strength is no longer measured: " + failure);
    const RunState& state = persistence_->state();
    if (!finished)
      strength_.consider(persistence_->folder().path(),
                         persistence_->folder().path() / state.checkpoint, saved_steps_);
  }

  /// The actors' environment; the caller adds sink and go_on.
  ActorWorld<P> world(GameNumbers& numbers) {
    ActorWorld<P> world;
    world.variant = variant_;
    world.config = config_;
    world.evaluator = &trainer_->evaluator();
    world.batch = trainer_->batch();
    world.numbers = &numbers;
    world.strategy = strategy_;
    world.counts = &reporter_->counts();
    world.network = [this] {
      const std::scoped_lock lock(published_mutex_);
      return published_;
    };
    return world;
  }
  /// Batches that an actor keeps in flight.
  int groups() const { return trainer_->is_asynchronous() ? 2 : 1; }

  /// Saves, reports, and returns how the session ended.
  RunResult finish() {
    save();
    strength_.stop();
    report(true);
    const RunFolder& folder = persistence_->folder();
    RunResult result;
    result.end = StopSignals::requested() ? RunEnd::Stopped : RunEnd::LimitReached;
    result.games = games_;
    result.positions = learner_.positions();
    result.steps = trainer_->steps();
    result.first_checkpoint = folder.path() / RunFolder::checkpoint_name(0);
    result.checkpoint = folder.path() / persistence_->state().checkpoint;
    reporter_->message(fmt::format(
        "{} after {}: {}, {}, {}; the network is {}",
        result.end == RunEnd::Stopped ? "Stopped" : "Done", clock_text(progress().seconds),
        counted(result.games, "game"), counted(result.positions, "position"),
        counted(static_cast<std::uint64_t>(result.steps), "step"), result.checkpoint.string()));
    if (const auto strength = strength_.latest())
      reporter_->message("Strength: " + text_of(*strength));
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  double done() const { return fraction_done(config_->run, progress()); }
  void announce() {
    const RunState& state = persistence_->state();
    reporter_->message(fmt::format(
        "{} {} in {}: {}, {} of {}", persistence_->resumed() ? "Resuming" : "Training",
        variant_->canonical_name(), persistence_->folder().path().string(), trainer_->describe(),
        counted(static_cast<std::uint64_t>(actor_threads(*config_)), "actor thread"),
        counted(static_cast<std::uint64_t>(config_->selfplay.games_per_thread), "game")));
    for (const std::string& text : persistence_->inference_messages())
      reporter_->message(text);
    if (!state.init_from.empty())
      reporter_->message("The initial weights are those of " + state.init_from);
    if (!state.games_from.empty())
      reporter_->message(fmt::format("Its first {} are those of {}",
                                     counted(state.inherited_games, "game"), state.games_from));
    if (const std::string& text = persistence_->step_count_message(); !text.empty())
      reporter_->message(text);
    for (const std::string& text : persistence_->warnings())
      reporter_->warn(text);
    if (persistence_->resumed())
      reporter_->message(fmt::format("The run has {}; the last checkpoint is {}",
                                     counted(persistence_->games().size(), "game"),
                                     state.checkpoint));
  }

  /// Fills the window from the games on disk, as if the run had never stopped.
  void load_window() {
    StoredGames games = persistence_->earlier_games();
    const std::uint64_t end = games_ = set_aside_unlearned(games);
    std::uint64_t loaded = 0;
    std::uint64_t first = end;
    while (first > 0 && loaded < learner_.window_capacity())
      loaded += games[--first].targets;
    for (std::uint64_t i = first; i < end; ++i) {
      try {
        learner_.add(decode(games.read(i)), 0);
      } catch (const ReplayError& error) {
        reporter_->warn(fmt::format("{}; skipped", error.what()));
      }
    }
  }

  /// Counts the positions of the games that the run has learned from and returns how many these
  /// games are. While a run still learns from inherited games, those that its steps have not
  /// reached, and all after them, are left to catch_up(). The next step belongs to the first game
  /// with which more steps are due than were made: catch_up() goes on there as if it had never
  /// stopped.
  std::uint64_t set_aside_unlearned(StoredGames& games) {
    const RunState& state = persistence_->state();
    std::uint64_t end = games.size();
    std::uint64_t positions = games.targets();
    if (state.games <= state.inherited_games) {  // else it had learned from all of them
      std::uint64_t before = 0;
      for (std::uint64_t i = 0; i < std::min(state.inherited_games, games.size()); ++i) {
        const std::uint64_t with = before + games[i].targets;
        if (trainer_->steps() == 0 || learner_.steps_due(with) > trainer_->steps()) {
          first_behind_ = end = i;
          positions = before;
          games_behind_.emplace(games);
          break;
        }
        before = with;
      }
    }
    learner_.count_positions(positions);
    return end;
  }
  /// Makes steps until no more than `lag` are due.
  void learn_until_due(std::int64_t lag) {
    while (learner_.may_step() && learner_.lag() > lag && !must_stop()) {
      step();
      report_if_due();
    }
  }

  const typename P::Variant* variant_;
  const Config* config_;
  RunTrainer<P>* trainer_;
  RunPersistence* persistence_;
  RunReporter* reporter_;
  Learner<P> learner_;
  HeldOut<P> held_out_;
  std::shared_ptr<const MoveBias<P>> strategy_;  // null: none
  // With inherited games still to be learned from: all games, and the first of those.
  std::optional<StoredGames> games_behind_;
  std::uint64_t first_behind_ = 0;
  bool catching_up_ = false;
  std::uint64_t games_ = 0;       // finished, over all sessions
  std::int64_t saved_steps_ = 0;  // of the newest checkpoint, if this session wrote it
  std::optional<Clock::time_point> start_;
  std::optional<CpuClock> cpu_start_;
  std::mutex published_mutex_;
  NetworkIdentity published_;  // the evaluator's network; guarded by published_mutex_
  StrengthMonitor strength_;
};

}  // namespace faultline
