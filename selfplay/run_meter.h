// What happened in a run since its last report.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "model/training/train_batch.h"
#include "record/game_record.h"
#include "selfplay/actor_counts.h"
#include "selfplay/progress.h"
#include "selfplay/run_warnings.h"

namespace faultline {

/// Used only by the learner's thread; reads the actors' counters.
class RunMeter {
 public:
  using Clock = std::chrono::steady_clock;

  /// `now`: the clock; tests pass their own.
  explicit RunMeter(const ActorCounts& actors, std::function<Clock::time_point()> now = &Clock::now)
      : actors_(&actors), now_(std::move(now)) {}

  void start() { last_report_ = now_(); }
  double seconds_since_report() const { return seconds_between(last_report_, now_()); }

  void add(const GameRecord& game) {
    ++games_;
    plies_ += game.plies.size();
    if (game.outcome == Outcome::WhiteWins) ++white_wins_;
    if (game.outcome == Outcome::BlackWins) ++black_wins_;
    const bool cut = game.outcome == Outcome::Adjudicated;
    if (cut) ++cut_;
    recent_.games.add(cut, !cut && score_for(game.outcome, Colour::White) == 0);
  }
  void add(const HeldOutLosses& losses) { recent_.held_out.add(losses); }
  const RecentPlay& recent() const { return recent_; }
  void add(const StepLosses& l) {
    ++steps_;
    losses_.total += l.total;
    losses_.policy += l.policy;
    losses_.policy_entropy += l.policy_entropy;
    losses_.value += l.value;
    losses_.moves_left += l.moves_left;
    losses_.policy_accuracy += l.policy_accuracy;
    losses_.value_accuracy += l.value_accuracy;
    losses_.grad_norm += l.grad_norm;
  }
  void actors_paused() { paused_since_ = now_(); }
  void actors_resumed() {
    if (paused_since_) paused_seconds_ += seconds_between(*paused_since_, now_());
    paused_since_.reset();
  }

  /// Fills in the second half of the report and starts the next interval.
  void finish_interval(RunReport& r) {
    const Clock::time_point now = now_();
    r.interval = seconds_between(last_report_, now);
    r.games = std::exchange(games_, 0);
    r.plies = std::exchange(plies_, 0);
    r.white_wins = std::exchange(white_wins_, 0);
    r.black_wins = std::exchange(black_wins_, 0);
    r.cut = std::exchange(cut_, 0);
    r.moves = since(actors_->moves, moves_);
    r.visits = since(actors_->visits, visits_);
    r.evaluations = since(actors_->evaluations, evaluations_);
    r.batches = since(actors_->batches, batches_);
    r.searches_cut = since(actors_->searches_cut, searches_cut_);
    r.evaluator_seconds =
        1e-9 * static_cast<double>(since(actors_->evaluator_nanoseconds, evaluator_nanoseconds_));
    r.held_out = recent_.held_out;
    r.resign_tests = since(actors_->resign_tests, resign_tests_);
    r.resign_errors = since(actors_->resign_errors, resign_errors_);
    r.steps = std::exchange(steps_, 0);
    r.losses = std::exchange(losses_, {});
    if (r.steps > 0) {
      StepLosses& l = r.losses;
      for (double* sum : {&l.total, &l.policy, &l.policy_entropy, &l.value, &l.moves_left,
                          &l.policy_accuracy, &l.value_accuracy, &l.grad_norm})
        *sum /= static_cast<double>(r.steps);
      recent_.training_loss = l.policy + l.value;
    }
    if (paused_since_) {  // still paused; the time until now belongs to this interval
      paused_seconds_ += seconds_between(*paused_since_, now);
      paused_since_ = now;
    }
    r.actors_paused = r.interval > 0 ? std::exchange(paused_seconds_, 0) / r.interval : 0;
    last_report_ = now;
  }

 private:
  /// How much a counter has grown since it was last read.
  static std::uint64_t since(const std::atomic<std::uint64_t>& counter, std::uint64_t& seen) {
    const std::uint64_t now = counter.load();
    return now - std::exchange(seen, now);
  }

  static double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  const ActorCounts* actors_;
  std::function<Clock::time_point()> now_;
  Clock::time_point last_report_;
  std::uint64_t games_ = 0;
  std::uint64_t plies_ = 0;
  std::uint64_t white_wins_ = 0;
  std::uint64_t black_wins_ = 0;
  std::uint64_t cut_ = 0;
  std::int64_t steps_ = 0;
  StepLosses losses_;  // sums
  RecentPlay recent_;
  double paused_seconds_ = 0;
  std::optional<Clock::time_point> paused_since_;  // nullopt: the actors are playing
  // The actors' counters at the last report.
  std::uint64_t moves_ = 0;
  std::uint64_t visits_ = 0;
  std::uint64_t evaluations_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t searches_cut_ = 0;
  std::uint64_t evaluator_nanoseconds_ = 0;
  std::uint64_t resign_tests_ = 0;
  std::uint64_t resign_errors_ = 0;
};

}  // namespace faultline
