// Steps due, learning rate and fraction done, from a run's counts.
#include "selfplay/schedule.h"

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
  EXPECT_EQ(fraction_done(run, {100, 100, 100, 100}), 0);
  run.minutes = 10;
  run.games = 400;
  EXPECT_EQ(fraction_done(run, {60, 100, 0, 0}), 0.25);
  EXPECT_EQ(fraction_done(run, {300, 100, 0, 0}), 0.5);
  EXPECT_EQ(fraction_done(run, {900, 100, 0, 0}), 1);
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
