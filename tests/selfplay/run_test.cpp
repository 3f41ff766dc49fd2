// Tiny complete runs: from scratch to checkpoints, their limits, and what is refused.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/checkpoint.h"
#include "selfplay/schedule.h"
#include "tests/selfplay/tiny_runs.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::games_in;
using test::read_text;
using test::refusal;
using test::run;
using test::state_in;
using test::TemporaryFolder;
using test::tiny_config;

void expect_complete_run(const std::string& variant) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config(variant);
  // More steps than the learner may fall behind.
  constexpr std::uint64_t kGames = 120;
  config.run.games = kGames;
  config.learner.publish_interval = 1;
  const RunResult result = run(config, folder);

  EXPECT_EQ(result.end, RunEnd::LimitReached);
  EXPECT_EQ(result.games, kGames);
  const auto games = games_in(folder, variant);
  ASSERT_EQ(games.size(), kGames);
  EXPECT_EQ(games.rbegin()->first, kGames - 1);
  std::uint64_t positions = 0;
  for (const auto& [number, game] : games)
    positions += game.target_count();
  EXPECT_EQ(result.positions, positions);
  EXPECT_GT(result.steps, 5);
  EXPECT_EQ(result.steps, steps_due(config.learner, positions));

  const RunState state = state_in(folder);
  EXPECT_EQ(state.games, kGames);
  EXPECT_EQ(state.positions, positions);
  EXPECT_EQ(state.steps, result.steps);
  EXPECT_EQ(folder / state.checkpoint, result.checkpoint);
  EXPECT_EQ(read_checkpoint_info(result.checkpoint).steps, result.steps);
  EXPECT_EQ(read_checkpoint_info(result.first_checkpoint).steps, 0);
  EXPECT_NE(read_checkpoint_info(result.checkpoint).hash,
            read_checkpoint_info(result.first_checkpoint).hash);
  EXPECT_TRUE(std::filesystem::exists(folder / RunFolder::checkpoint_name(5)));

  EXPECT_EQ(to_toml(load_config(folder / "config.toml")), to_toml(config));
  std::istringstream metrics(read_text(folder / "metrics.jsonl"));
  nlohmann::json last;
  for (std::string line; std::getline(metrics, line);)
    last = nlohmann::json::parse(line);
  EXPECT_EQ(last.at("games"), kGames);
  EXPECT_EQ(last.at("done"), 1.0);
  // Some network after the first has played.
  EXPECT_GT(std::max_element(games.begin(), games.end(),
                             [](const auto& a, const auto& b) {
                               return a.second.net.steps < b.second.net.steps;
                             })
                ->second.net.steps,
            0);
}

TEST(Run, ATinyEscherRunGoesFromScratchToACheckpoint) {
  expect_complete_run("escher");
}

TEST(Run, ATinyChessRunGoesFromScratchToACheckpoint) {
  expect_complete_run("chess");
}

TEST(Run, StopsAtItsLimitOfSteps) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 0;
  config.run.steps = 7;
  EXPECT_EQ(run(config, place.path() / "run").steps, 7);
}

TEST(Run, TheLimitsOfEvaluationsAndCpuTimeCountAllSessions) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("chess");
  config.run.games = 0;
  config.run.evaluations = 2'000;
  config.learner.min_positions = 1'000'000;  // no steps, for which the actors would wait
  EXPECT_EQ(run(config, folder).end, RunEnd::LimitReached);
  const RunState first = state_in(folder);
  EXPECT_GE(first.evaluations, 2'000U);
  EXPECT_GT(first.cpu_seconds, 0);

  config.run.evaluations = 0;
  config.run.cpu_minutes = (first.cpu_seconds + 0.2) / 60;
  EXPECT_EQ(run(config, folder, true).end, RunEnd::LimitReached);
  const RunState second = state_in(folder);
  EXPECT_GE(second.cpu_seconds, first.cpu_seconds + 0.2);
  EXPECT_GT(second.evaluations, first.evaluations);
}

TEST(Run, AFinishedRunContinuesWhenItsLimitIsRaised) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.games = 10;
  const RunResult first = run(config, folder);
  const auto before = games_in(folder, "escher");
  config.run.games = 20;
  const RunResult second = run(config, folder, true);
  EXPECT_EQ(second.games, 20U);
  EXPECT_GT(second.steps, first.steps);
  EXPECT_EQ(second.steps, steps_due(config.learner, second.positions));
  const auto after = games_in(folder, "escher");
  ASSERT_EQ(after.size(), 20U);
  for (const auto& [number, game] : before)
    EXPECT_EQ(after.at(number), game);
}

TEST(Run, KeepsTheConfiguredNumberOfCheckpoints) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.games = 0;
  config.run.steps = 17;
  config.learner.keep_checkpoints = 2;
  config.learner.keep_every = 0;
  run(config, folder);
  const auto steps_left = [&] {
    std::vector<std::int64_t> steps;
    for (const NamedCheckpoint& checkpoint : checkpoints_in(folder / "nets"))
      steps.push_back(checkpoint.steps);
    return steps;
  };
  EXPECT_EQ(steps_left(), (std::vector<std::int64_t>{0, 15, 17}));
  config.run.steps = 23;
  config.learner.keep_every = 5;
  run(config, folder, true);
  EXPECT_EQ(steps_left(), (std::vector<std::int64_t>{0, 15, 20, 23}));
}

TEST(Run, AMissingDeviceIsRefusedWithItsLocation) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  set_option(config, "device.device=cuda:900");
  try {
    run(config, place.path() / "run");
    FAIL() << "a missing device was accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("--set device.device=cuda:900: 'device.device'", 0),
              0U)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(place.path() / "run"));
}

TEST(Run, AnUnknownBackendIsRefusedWithItsPlace) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  set_option(config, "device.backend=onednm");
  try {
    run(config, place.path());
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(
        std::string(error.what())
            .rfind("--set device.backend=onednm: 'device.backend': unknown backend 'onednm'", 0),
        0U)
        << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(Run, AFolderWithARunIsRefusedWithoutResume) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 2;
  run(config, place.path() / "run");
  const auto before = games_in(place.path() / "run", "escher");
  EXPECT_NE(refusal([&] { run(config, place.path() / "run"); }).find("--resume"),
            std::string::npos);
  EXPECT_EQ(games_in(place.path() / "run", "escher"), before);
}

TEST(Run, AnotherVariantOrNetworkIsRefused) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 2;
  run(config, place.path() / "run");
  Config other = config;
  set_option(other, "run.variant=chess");
  EXPECT_NE(refusal([&] {
              run(other, place.path() / "run", true);
            }).find(R"(run.variant = "escher", not "chess" (--set run.variant=chess))"),
            std::string::npos);
  other = config;
  other.net.channels = 24;
  EXPECT_NE(
      refusal([&] { run(other, place.path() / "run", true); }).find("net.channels = 16, not 24"),
      std::string::npos);
}

TEST(Run, TwoProcessesCannotShareAFolder) {
  const TemporaryFolder place;
  const RunFolder first(place.path() / "run");
  EXPECT_NE(
      refusal([&] { run(tiny_config("escher"), place.path() / "run"); }).find("another process"),
      std::string::npos);
}

}  // namespace
}  // namespace faultline
