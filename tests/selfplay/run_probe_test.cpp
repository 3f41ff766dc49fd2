// Trying a run on plain threads with a trainer that learns nothing. Runs under the thread
// sanitizer.
#include "selfplay/run_probe.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using test::fake_config;

constexpr ProbeLimits kShort = {
    .games = 6, .games_seconds = 60, .actors_seconds = 0.3, .steps_seconds = 0.05};

TEST(RunProbe, SamplesWholeGamesWhateverTheRunWouldCut) {
  Config config = fake_config();
  config.selfplay.max_plies = 3;
  const auto probed = probe_games(config, kShort, run_on_plain_threads, [] { return true; });
  ASSERT_EQ(probed.sample.plies.size(), 6U);
  ASSERT_EQ(probed.games.size(), 6U);
  for (const int plies : probed.sample.plies)
    EXPECT_GT(plies, 3);
  EXPECT_GT(probed.sample.legal_moves, 5);
  EXPECT_LT(probed.sample.legal_moves, 100);
  EXPECT_GT(probed.sample.targets_per_ply, 0.4);  // half of the searches are full ones
  EXPECT_LE(probed.sample.targets_per_ply, 0.5);
  EXPECT_GT(probed.sample.window_bytes, sizeof(EscherPosition));
}

TEST(RunProbe, PlaysTheLevelsOfTheConfiguration) {
  Config config = fake_config();
  config.run.variant = "inferno:levels=3";
  std::vector<double> legal_moves;
  for (const int one_level_games : {1'000, 0}) {
    config.selfplay.one_level_games = one_level_games;
    std::atomic<int> batches{0};
    const auto probed =
        probe_games(config, kShort, run_on_plain_threads, [&] { return ++batches < 200; });
    ASSERT_GT(probed.games.size(), 0U);
    for (const auto& game : probed.games)
      EXPECT_GT(game.size(), 0U);
    legal_moves.push_back(probed.sample.legal_moves);
  }
  EXPECT_LT(legal_moves[0], 0.7 * legal_moves[1]) << "one level against three";
}

TEST(RunProbe, MeasuresActorsAndSteps) {
  const Config config = fake_config();
  const auto probed = probe_games(config, kShort, run_on_plain_threads);
  test::FakeTrainer trainer(0);
  const RunSpeeds speeds = probe_speeds(config, trainer, probed, kShort, run_on_plain_threads);
  EXPECT_GT(speeds.evaluations, speeds.moves);
  EXPECT_GT(speeds.moves, speeds.targets);
  EXPECT_GT(speeds.targets, 0);
  EXPECT_GT(speeds.step_seconds, 0);
  EXPECT_GT(trainer.steps(), 1);
  EXPECT_TRUE(speeds.shares_cores);
}

TEST(RunProbe, GamesThatDoNotEndInTimeAreSampledAsFarAsTheyWerePlayed) {
  // Each thread plays two games in batches of two: some ten plies.
  std::atomic<int> batches{0};
  const auto probed =
      probe_games(fake_config(), kShort, run_on_plain_threads, [&] { return ++batches < 3 * 400; });
  const SampleGames& sample = probed.sample;
  EXPECT_GT(sample.unfinished, 0U);
  EXPECT_EQ(probed.games.size(), sample.plies.size());
  EXPECT_GT(sample.legal_moves, 5);
  EXPECT_GT(sample.targets_per_ply, 0);
  EXPECT_GT(sample.window_bytes, sizeof(EscherPosition));
}

TEST(RunProbe, SpeedsAreThoseOfSearchesThatHaveEnded) {
  Config config;
  config.search.visits = 100;
  config.search.reduced_visits = 20;
  config.search.full_search_probability = 0.25;
  const ActorMark begin{{}, 1'000, 10, 4};
  // Ten games have made no move in two seconds: 40 visits per move.
  RunSpeeds speeds = speeds_between(
      begin, {ActorMark{}.time + std::chrono::seconds(2), 9'000, 10, 4}, config, 10, 0.2);
  EXPECT_NEAR(speeds.evaluations, 4'000, 1e-9);
  EXPECT_NEAR(speeds.moves, 100, 1e-9);
  EXPECT_NEAR(speeds.targets, 20, 1e-9);
  // Each has made eight.
  speeds = speeds_between(begin, {ActorMark{}.time + std::chrono::seconds(2), 3'000, 90, 24},
                          config, 10, 0.2);
  EXPECT_NEAR(speeds.moves, 40, 1e-9);
  EXPECT_NEAR(speeds.targets, 10, 1e-9);
}

TEST(RunProbe, AnEvaluatorThatFailsEndsIt) {
  test::FakeTrainer trainer(
      0, {}, std::make_shared<test::UniformBackend>([] { throw std::runtime_error("broken"); }));
  EXPECT_THROW(probe_speeds(fake_config(), trainer, ProbedGames{}, kShort, run_on_plain_threads),
               std::runtime_error);
}

}  // namespace
}  // namespace faultline
