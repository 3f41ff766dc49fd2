// What follows from measured figures: speeds, times, memory, warnings and refusals.
#include "selfplay/run_forecast.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A run of gardner without anything to complain about: 1,000 positions per second alone, of which
/// each costs a millisecond of training.
Config sound_config() {
  Config config;
  config.run.variant = "gardner";
  config.run.minutes = 60;
  config.selfplay.threads = 2;
  config.selfplay.games_per_thread = 50;
  config.search.params.gumbel.enabled = false;
  config.search.visits = 160;
  config.search.full_search_probability = 0.5;
  config.learner.batch = 100;
  config.learner.replay_ratio = 4;
  config.learner.min_positions = 2'000;
  config.replay.window = 100'000;
  return config;
}
SampleGames sound_games() {
  return {
      .plies = {30, 50, 40, 40}, .legal_moves = 10, .targets_per_ply = 0.5, .window_bytes = 200};
}
RunSpeeds sound_speeds() {
  return {.evaluations = 50'000,
          .moves = 2'000,
          .targets = 1'000,
          .step_seconds = 0.025,
          .process_bytes = 100'000'000,
          .shares_cores = true};
}
const RunMachine kMachine = {
    .cores = 2, .memory_bytes = 8'000'000'000, .free_disk_bytes = 100'000'000'000};

RunForecast forecast(const Config& config, const RunSpeeds& speeds = sound_speeds()) {
  return forecast_run(config, sound_games(), speeds, 10'000, kMachine);
}

TEST(RunForecast, ActorsAndTrainingDivideTheCores) {
  // A position costs both actors' threads 1 ms each, and one core 1 ms of training.
  const RunForecast found = forecast(sound_config());
  EXPECT_NEAR(found.positions, 2 / 0.003, 1e-6);
  EXPECT_NEAR(found.steps, found.positions * 4 / 100, 1e-9);
  EXPECT_NEAR(found.evaluations, 50'000 * 2 / 3.0, 1e-6);
  EXPECT_THAT(found.warnings, IsEmpty());
  EXPECT_THAT(found.refusals, IsEmpty());
}

TEST(RunForecast, InheritedGamesAreLearnedFromFirst) {
  // 40,000 positions are worth 1,600 steps of 25 ms.
  const auto found = [](const Config& config) {
    return forecast_run(config, sound_games(), sound_speeds(), 10'000, kMachine,
                        {.games = 2'000, .positions = 40'000});
  };
  Config config = sound_config();
  EXPECT_NEAR(found(config).inherited_seconds, 40, 1e-9);
  EXPECT_EQ(found(config).first_step_seconds, 0);
  EXPECT_THAT(found(config).warnings, IsEmpty());
  config.run.minutes = 0;
  config.run.steps = 400;
  EXPECT_TRUE(found(config).has_limit);
  EXPECT_FALSE(found(config).seconds);
}

TEST(RunForecast, GamesWithOneLevelComeFirst) {
  FirstGames first{.games = sound_games(), .speeds = sound_speeds()};
  for (int& plies : first.games.plies)
    plies /= 4;
  first.speeds.targets *= 2;
  first.speeds.step_seconds /= 2;
  Config config = sound_config();
  config.run.evaluations = 1'000'000;
  const RunForecast found =
      forecast_run(config, sound_games(), sound_speeds(), 10'000, kMachine, {}, first);
  EXPECT_NEAR(found.positions, forecast(config).positions, 1e-6);
  ASSERT_TRUE(found.first_games);
  EXPECT_NEAR(found.first_games->positions, 2 * found.positions, 1e-6);
  // All 100 are over after 12 plies; then the rest of 2,000 positions arrives at an even rate.
  EXPECT_NEAR(found.first_step_seconds, 12 / 20.0 + (2'000 - 100 * 9.75 / 2) / 1'000, 1e-6);
  EXPECT_EQ(found.limit, "run.minutes") << "the levels change the speed of evaluations";
}

TEST(RunForecast, OneActorLeavesTheOtherCoreToTheTraining) {
  Config config = sound_config();
  config.selfplay.threads = 1;
  EXPECT_NEAR(forecast(config).positions, 1'000, 1e-6);
}

TEST(RunForecast, ADeviceDoesOneAfterTheOther) {
  RunSpeeds speeds = sound_speeds();
  speeds.shares_cores = false;
  EXPECT_NEAR(forecast(sound_config(), speeds).positions, 500, 1e-6);
}

TEST(RunForecast, TheFirstStepWaitsForFinishedGames) {
  // 100 games at 20 plies per second each. The shortest quarter has 375 positions after 30 plies,
  // half of the rest another 1,000 after 40: not enough. All have 2,000 after 50.
  EXPECT_NEAR(seconds_to_positions(sound_games(), 1000, 100, 2'000, 300), 30 / 20.0, 1e-9);
  EXPECT_NEAR(seconds_to_positions(sound_games(), 1000, 100, 2'000, 1'375), 40 / 20.0, 1e-9);
  EXPECT_NEAR(seconds_to_positions(sound_games(), 1000, 100, 2'000, 2'000), 50 / 20.0, 1e-9);
  // A second round at 1,000 positions per second.
  EXPECT_NEAR(seconds_to_positions(sound_games(), 1000, 100, 2'000, 5'000), 2.5 + 3, 1e-9);
  // Games that are cut end sooner.
  EXPECT_NEAR(seconds_to_positions(sound_games(), 30, 100, 2'000, 1'500), 1.5, 1e-9);
}

TEST(RunForecast, TheNearestLimitEndsTheRun) {
  Config config = sound_config();
  config.run.steps = 1'000'000;
  EXPECT_EQ(forecast(config).limit, "run.minutes");
  EXPECT_NEAR(forecast(config).seconds.value_or(0), 3600, 1e-9);
  config.run.evaluations = 1'000'000;
  const RunForecast found = forecast(config);
  EXPECT_EQ(found.limit, "run.evaluations");
  EXPECT_NEAR(found.seconds.value_or(0), 30, 1e-6);
  config.run.minutes = 0;
  config.run.steps = 0;
  config.run.evaluations = 0;
  EXPECT_FALSE(forecast(config).seconds.has_value());
}

TEST(RunForecast, MemoryIsTheProcessWithAFullWindowAndFullTrees) {
  Config config = sound_config();
  config.search.visits = 1'000;
  // A tree of 1,000 nodes with ten moves each for each of two times 51 games.
  const double trees = 102 * 1'000 * (40 + 4 * 10.0);
  EXPECT_NEAR(forecast(config).memory_bytes, 100'000'000 + 100'000 * 200.0 + trees, 1e-3);
  config.selfplay.tree_memory = 4;
  EXPECT_NEAR(forecast(config).memory_bytes, 100'000'000 + 100'000 * 200.0 + (4 << 20), 1e-3);
}

TEST(RunForecast, ADeterministicRunDoesOneAfterTheOther) {
  Config config = sound_config();
  config.run.deterministic = true;
  config.selfplay.threads = 1;
  EXPECT_NEAR(forecast(config).positions, 500, 1e-6);
  config.learner.replay_ratio = 40;
  EXPECT_EQ(forecast(config).actors_wait, 0);
}

TEST(RunForecast, WhatCouldNotBeMeasuredIsNotJudged) {
  Config config = sound_config();
  config.run.minutes = 0.02;
  config.run.steps = 100;
  const RunForecast stuck = forecast(config, [] {
    RunSpeeds speeds;
    speeds.step_seconds = 0.025;
    return speeds;
  }());
  EXPECT_THAT(stuck.refusals, IsEmpty());
  EXPECT_THAT(stuck.warnings, IsEmpty());
  EXPECT_NEAR(stuck.seconds.value_or(0), 1.2, 1e-9);
  config.run.minutes = 0;
  const RunForecast unknown = forecast(config, {});
  EXPECT_TRUE(unknown.has_limit);
  EXPECT_FALSE(unknown.seconds.has_value());
  EXPECT_THAT(unknown.refusals, IsEmpty());
  const RunForecast nothing_played =
      forecast_run(sound_config(), SampleGames{}, sound_speeds(), 10'000, kMachine);
  EXPECT_THAT(nothing_played.refusals, IsEmpty());
  EXPECT_THAT(nothing_played.warnings, IsEmpty());
}

TEST(RunForecast, GamesThatHaveNotEndedAreCutOnlyWhereTheyCameThatFar) {
  Config config = sound_config();
  SampleGames games = sound_games();
  games.unfinished = 4;
  EXPECT_THAT(settings_warnings(config, games), IsEmpty());
  config.selfplay.max_plies = 40;
  EXPECT_THAT(settings_warnings(config, games), Contains(HasSubstr("selfplay.max_plies = 63")));
}

TEST(RunForecast, ManyGamesThatBeginTogetherFillASmallWindowWithShortOnes) {
  Config config = sound_config();
  config.replay.min_window = 10'000;
  config.selfplay.games_per_thread = 1'000;  // 2,000 games of 20 positions
  EXPECT_THAT(settings_warnings(config, sound_games()), IsEmpty());
  config.selfplay.games_per_thread = 1'500;
  EXPECT_THAT(settings_warnings(config, sound_games()),
              Contains(AllOf(HasSubstr("3000 games begin together"),
                             HasSubstr("a window of 10000 (replay.min_window)"),
                             HasSubstr("; 15000 or more"))));
}

TEST(RunForecast, KeptCheckpointsAndAllGamesFillTheDisk) {
  Config config = sound_config();
  config.learner.keep_checkpoints = 3;
  config.learner.keep_every = 0;
  const RunForecast found = forecast(config);
  EXPECT_NEAR(found.checkpoint_bytes, 4 * 3 * 10'000, 1e-9);
  // Ten moves and two plies per position.
  EXPECT_NEAR(found.disk_bytes_per_day,
              86'400 * found.positions * (10 * 2 + 2 * 12) + 3 * found.checkpoint_bytes, 1e-3);
}

TEST(RunForecast, WhatNeverReachesItsFirstStepIsRefused) {
  Config config = sound_config();
  config.run.minutes = 0.02;
  const RunForecast found = forecast(config);
  ASSERT_EQ(found.refusals.size(), 1U);
  EXPECT_THAT(found.refusals[0], HasSubstr("run.minutes"));
  // 2.5 s until the first step are an estimate.
  config.run.minutes = 2 / 60.0;
  EXPECT_THAT(forecast(config).refusals, IsEmpty());
  EXPECT_THAT(forecast(config).warnings, Contains(HasSubstr("the first step comes after")));
}

TEST(RunForecast, MoreMemoryThanTheMachineHasIsRefused) {
  Config config = sound_config();
  config.run.minutes = 0;
  config.replay.window = 100'000'000;
  const RunForecast found = forecast(config);
  ASSERT_EQ(found.refusals.size(), 1U);
  EXPECT_THAT(found.refusals[0], HasSubstr("replay.window (100000000)"));
}

TEST(RunForecast, ALearnerThatHoldsTheActorsUpIsNamedWithTheRatioThatWouldNot) {
  Config config = sound_config();
  // One core trains and the other plays, each 500 positions per second.
  config.learner.replay_ratio = 8;
  EXPECT_THAT(forecast(config).warnings, IsEmpty());
  config.learner.replay_ratio = 12;
  EXPECT_NEAR(forecast(config).actors_wait, 1 / 3.0, 1e-9);
  EXPECT_THAT(forecast(config).warnings, Contains(HasSubstr("learner.replay_ratio = 8 ")));
}

TEST(RunForecast, ALastMomentStartIsWarnedOf) {
  Config config = sound_config();
  config.run.minutes = 0.1;
  EXPECT_THAT(forecast(config).warnings, Contains(HasSubstr("steps until run.minutes")));
}

TEST(SettingsWarnings, ALimitBelowTheGamesLengthIsNamedWithOneThatWouldDo) {
  Config config = sound_config();
  config.selfplay.max_plies = 40;
  EXPECT_THAT(settings_warnings(config, sound_games()),
              Contains(HasSubstr("selfplay.max_plies = 63")));
  config.selfplay.max_plies = 51;
  EXPECT_THAT(settings_warnings(config, sound_games()), IsEmpty());
}

TEST(SettingsWarnings, SearchesWithFewerVisitsThanMovesAreNamedUnlessGumbelChooses) {
  Config config = sound_config();
  config.search.visits = 15;
  config.search.reduced_visits = 9;
  const std::vector<std::string> found = settings_warnings(config, sound_games());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], HasSubstr("search.visits = 20"));
  EXPECT_THAT(found[1], HasSubstr("search.reduced_visits = 10"));
  config.search.params.gumbel.enabled = true;
  EXPECT_THAT(settings_warnings(config, sound_games()), IsEmpty());
}

TEST(SettingsWarnings, ARunThatEndsBeforeItsFirstGameWithAllLevelsIsNamed) {
  Config config = sound_config();
  config.selfplay.one_level_games = 50'000;
  config.selfplay.rising_level_games = 10'000;
  EXPECT_THAT(settings_warnings(config, sound_games()), IsEmpty());
  config.run.games = 60'000;
  EXPECT_THAT(
      settings_warnings(config, sound_games()),
      Contains(AllOf(HasSubstr("run.games ends the run before its first game with all levels"),
                     HasSubstr("after 60,000 games"))));
  config.run.games = 60'001;
  EXPECT_THAT(settings_warnings(config, sound_games()), IsEmpty());
}

TEST(SettingsWarnings, AWindowOfFewGamesAndAHighReplayRatioAreNamed) {
  Config config = sound_config();
  config.replay.window = 2'000;  // 100 games of 20 positions
  EXPECT_THAT(settings_warnings(config, sound_games()),
              Contains(HasSubstr("replay.window = 4000")));
  config = sound_config();
  config.learner.replay_ratio = 30;
  EXPECT_THAT(settings_warnings(config, sound_games()), Contains(HasSubstr("30 times")));
}

}  // namespace
}  // namespace faultline
