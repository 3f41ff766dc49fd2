// The parts of a training session, and the operations that both schedules (free_schedule.h,
// round_schedule.h) share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/cpu_clock.h"
#include "record/config.h"
#include "record/stored_games.h"
#include "record/strength_point.h"
#include "selfplay/actor.h"
#include "selfplay/arrivals.h"
#include "selfplay/courier.h"
#include "selfplay/game_samples.h"
#include "selfplay/held_out.h"
#include "selfplay/learner.h"
#include "selfplay/local_links.h"
#include "selfplay/run_options.h"
#include "selfplay/run_persistence.h"
#include "selfplay/run_reporter.h"
#include "selfplay/run_trainer.h"
#include "selfplay/strength_monitor.h"
#include "strategy/strategy.h"

namespace faultline {

/// Used by the learner's thread, except for make_actor(). Everything passed to the constructor must
/// outlive it.
class TrainingLoop {
 public:
  /// `own_actors`: whether there are any in this process.
  TrainingLoop(const Config& config, RunTrainer& trainer, RunPersistence& persistence,
               RunReporter& reporter, const GameDecoder& decoder, Arrivals& arrivals,
               MeasureStrength measure_strength = {}, bool own_actors = true);

  const Config& config() const { return *config_; }
  /// Of actors in this process.
  int own_threads() const { return own_threads_; }
  RunPersistence& persistence() { return *persistence_; }
  RunReporter& reporter() { return *reporter_; }
  const Learner& learner() const { return learner_; }
  /// What the actors are told: publish() replaces the network, the schedule the rest.
  OrderBoard& orders() { return orders_; }
  NetSource& nets() { return nets_; }
  /// Thread-safe.
  std::unique_ptr<Actor> make_actor(const ActorLinks& links);

  /// To be called before the first game: writes the state, prints the first line, fills the window,
  /// starts the clock.
  void begin();
  /// Learns from the games of another run that this one begins with, in the order in which they
  /// were played, as if they arrived now; an interrupted run goes on where it was.
  void catch_up();

  RunProgress progress() const;
  bool must_stop() const;

  /// Adds a finished game to the window and the counters.
  void take(const GameRecord& game, GameSamples samples);
  /// Throws ReplayError, and adds nothing, if the game is inconsistent with the rules.
  void take(const GameRecord& game) { take(game, decoder_->decode(game)); }

  /// One optimiser step, and publishing and saving where due.
  void step();
  /// Gives the actors the current weights.
  void publish();
  /// Lets the courier begin with these numbers, and publishes networks through it, too, beginning
  /// with the current one. All must outlive the loop's last step. `arrivals`: the loop's.
  void serve(Courier& courier, GameNumbers& numbers, LocalArrivals& arrivals);
  /// Passes on what it says. Throws as Courier::check().
  void check_courier();

  void report_if_due() {
    if (reporter_->is_due()) report();
  }
  /// Saves, reports, and returns how the session ended.
  RunResult finish();

 private:
  using Clock = std::chrono::steady_clock;

  double done() const { return fraction_done(config_->run, progress()); }
  void save();
  void report(bool finished = false);
  void announce();
  /// Fills the window from the games on disk, as if the run had never stopped.
  void load_window();
  /// Counts the positions of the games that the run has learned from and returns how many these
  /// games are. While a run still learns from inherited games, those that its steps have not
  /// reached, and all after them, are left to catch_up(). The next step belongs to the first game
  /// with which more steps are due than were made: catch_up() goes on there as if it had never
  /// stopped.
  std::uint64_t set_aside_unlearned(StoredGames& games);
  /// Makes steps until no more than `lag` are due.
  void learn_until_due(std::int64_t lag);

  const Config* config_;
  RunTrainer* trainer_;
  RunPersistence* persistence_;
  RunReporter* reporter_;
  const GameDecoder* decoder_;
  Arrivals* arrivals_;
  int own_threads_;
  Courier* courier_ = nullptr;  // null: there is none
  Learner learner_;
  HeldOut held_out_;
  std::optional<StrategyText> strategy_;
  OrderBoard orders_;
  NetBoard nets_;
  // With inherited games still to be learned from: all games, and the first of those.
  std::optional<StoredGames> games_behind_;
  std::uint64_t first_behind_ = 0;
  bool catching_up_ = false;
  std::uint64_t games_ = 0;       // finished, over all sessions
  std::int64_t saved_steps_ = 0;  // of the newest checkpoint, if this session wrote it
  std::optional<Clock::time_point> start_;
  std::optional<CpuClock> cpu_start_;
  StrengthMonitor strength_;
};

}  // namespace faultline
