// Steps due, learning rate and fraction done, from a run's counts.
#include "selfplay/schedule.h"

#include <utility>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Schedule, StepsFollowTheReplayRatio) {
  LearnerConfig learner;
  learner.batch = 100;
  learner.replay_ratio = 4;
  learner.min_positions = 1000;
  EXPECT_EQ(steps_due(learner, 999), 0);
  EXPECT_EQ(steps_due(learner, 1000), 40);
  EXPECT_EQ(steps_due(learner, 2000), 80);
  EXPECT_EQ(steps_due(learner, 3000, {.positions = 2000, .steps = 500}), 540);
}

TEST(Schedule, TheLearningRateWarmsUpAndFallsToItsEnd) {
  LearnerConfig learner;
  learner.train.learning_rate = 0.1;
  learner.final_learning_rate = 0.01;
  learner.warmup_steps = 9;
  EXPECT_NEAR(learning_rate(learner, 0, 0), 0.01, 1e-12);
  EXPECT_NEAR(learning_rate(learner, 4, 0), 0.05, 1e-12);
  EXPECT_NEAR(learning_rate(learner, 9, 0), 0.1, 1e-12);
  EXPECT_NEAR(learning_rate(learner, 50, 0.5), 0.055, 1e-12);
  EXPECT_NEAR(learning_rate(learner, 50, 1), 0.01, 1e-12);
  learner.decay_steps = 100;
  EXPECT_NEAR(learning_rate(learner, 50, 0), 0.055, 1e-12);
  EXPECT_NEAR(learning_rate(learner, 500, 0), 0.01, 1e-12);
}

TEST(Schedule, TheNearestLimitDeterminesTheFractionDone) {
  RunConfig run;
  EXPECT_EQ(fraction_done(run, {.seconds = 100, .games = 100, .positions = 100, .steps = 100}), 0);
  run.minutes = 10;
  run.games = 400;
  EXPECT_EQ(fraction_done(run, {.seconds = 60, .games = 100}), 0.25);
  EXPECT_EQ(fraction_done(run, {.seconds = 300, .games = 100}), 0.5);
  EXPECT_EQ(fraction_done(run, {.seconds = 900, .games = 100}), 1);
}

TEST(Schedule, CpuTimeAndEvaluationsLimitARunToo) {
  RunConfig run;
  const RunProgress now{.seconds = 1e9, .games = 1000, .cpu_seconds = 90, .evaluations = 500};
  EXPECT_EQ(fraction_done(run, now), 0);
  EXPECT_FALSE(limit_reached(run, now));
  run.cpu_minutes = 3;
  EXPECT_EQ(fraction_done(run, now), 0.5);
  EXPECT_FALSE(limit_reached(run, now));
  run.evaluations = 625;
  EXPECT_EQ(fraction_done(run, now), 0.8);
  EXPECT_FALSE(limit_reached(run, now));
  run.evaluations = 500;
  EXPECT_TRUE(limit_reached(run, now));
  run.evaluations = 0;
  run.cpu_minutes = 1.5;
  EXPECT_TRUE(limit_reached(run, now));
}

TEST(Schedule, TheLearnerMayLagByTheInitialStepsAndTwoPublishIntervals) {
  LearnerConfig learner;
  learner.batch = 100;
  learner.replay_ratio = 4;
  learner.min_positions = 1000;
  learner.publish_interval = 50;
  EXPECT_EQ(largest_lag(learner), 40 + 2 * 50);
}

}  // namespace
}  // namespace faultline
