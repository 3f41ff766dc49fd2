// Derived from a run's counts so far: the fraction done, the number of steps due, the learning
// rate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "record/config.h"
#include "record/run_folder.h"

namespace faultline {

/// The run so far, over all sessions.
struct RunProgress {
  double seconds = 0;
  std::uint64_t games = 0;      // finished
  std::uint64_t positions = 0;  // training positions in them
  std::int64_t steps = 0;
  double cpu_seconds = 0;         // of all threads
  std::uint64_t evaluations = 0;  // positions sent to the network by the actors
};

/// The fraction of the run that is done by its nearest limit, 0 … 1; 0 without limits.
inline double fraction_done(const RunConfig& run, const RunProgress& now) {
  double fraction = 0;
  const auto count = [&fraction](double done, double limit) {
    if (limit > 0) fraction = std::max(fraction, done / limit);
  };
  count(now.seconds, 60 * run.minutes);
  count(now.cpu_seconds, 60 * run.cpu_minutes);
  count(static_cast<double>(now.games), static_cast<double>(run.games));
  count(static_cast<double>(now.steps), static_cast<double>(run.steps));
  count(static_cast<double>(now.evaluations), static_cast<double>(run.evaluations));
  return std::min(fraction, 1.0);
}

/// Whether a limit is reached that ends a run at once. A run with `run.games` ends when these games
/// are played and trained on.
inline bool limit_reached(const RunConfig& run, const RunProgress& now) {
  return (run.minutes > 0 && now.seconds >= 60 * run.minutes) ||
         (run.cpu_minutes > 0 && now.cpu_seconds >= 60 * run.cpu_minutes) ||
         (run.steps > 0 && now.steps >= run.steps) ||
         (run.evaluations > 0 && now.evaluations >= static_cast<std::uint64_t>(run.evaluations));
}

/// The steps that each new position allows.
inline double steps_per_position(const LearnerConfig& learner) {
  return learner.replay_ratio / learner.batch;
}

/// Steps due for the positions so far: each is trained on `replay_ratio` times on average, from
/// where the count begins.
inline std::int64_t steps_due(const LearnerConfig& learner, std::uint64_t positions,
                              const StepCount& from = {}) {
  if (positions < static_cast<std::uint64_t>(learner.min_positions)) return 0;
  const double counted = static_cast<double>(positions) - static_cast<double>(from.positions);
  return from.steps + static_cast<std::int64_t>(learner.replay_ratio * counted / learner.batch);
}

/// Steps that the learner may fall behind before the actors wait for it: the steps due when the
/// first one is allowed, plus two publish intervals.
inline std::int64_t largest_lag(const LearnerConfig& learner) {
  return steps_due(learner, static_cast<std::uint64_t>(learner.min_positions)) +
         2 * static_cast<std::int64_t>(learner.publish_interval);
}

/// A linear warm-up, then a half cosine from learning_rate to final_learning_rate (Loshchilov and
/// Hutter 2017) over decay_steps or, if that is 0, over the run.
inline double learning_rate(const LearnerConfig& learner, std::int64_t steps, double done) {
  const double decayed =
      learner.decay_steps > 0
          ? std::min(1.0, static_cast<double>(steps) / static_cast<double>(learner.decay_steps))
          : done;
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * decayed));
  const double rate = learner.final_learning_rate +
                      (learner.train.learning_rate - learner.final_learning_rate) * cosine;
  if (steps >= learner.warmup_steps) return rate;
  return rate * static_cast<double>(steps + 1) / static_cast<double>(learner.warmup_steps + 1);
}

}  // namespace faultline
