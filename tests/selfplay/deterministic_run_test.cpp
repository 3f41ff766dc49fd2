// Deterministic runs: equal for one seed, however their limit was raised.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "model/checkpoint.h"
#include "selfplay/schedule.h"
#include "tests/selfplay/tiny_runs.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::games_in;
using test::run;
using test::TemporaryFolder;
using test::tiny_config;

TEST(DeterministicRun, ADeterministicRunWithARaisedLimitSkipsNoGame) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.selfplay.threads = 1;
  RunResult last;
  for (const int limit : {12, 20, 21, 40}) {  // rounds of eight, some cut short
    config.run.games = limit;
    last = run(config, folder, limit > 12);
    EXPECT_EQ(last.games, static_cast<std::uint64_t>(limit));
    const auto games = games_in(folder, "escher");
    ASSERT_EQ(games.size(), static_cast<std::size_t>(limit));
    EXPECT_EQ(games.rbegin()->first, static_cast<std::uint64_t>(limit - 1));
    EXPECT_EQ(last.steps, steps_due(config.learner, last.positions));
  }
  config.selfplay.games_per_thread = 5;  // a later session may play other rounds
  config.run.games = 47;
  EXPECT_EQ(run(config, folder, true).games, 47U);
  EXPECT_EQ(games_in(folder, "escher").size(), 47U);
}

TEST(DeterministicRun, ADeterministicRunRaisedAfterWholeRoundsEqualsOneThatWasNot) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.selfplay.threads = 1;
  config.learner.decay_steps = 30;
  config.run.games = 28;
  const RunResult whole = run(config, place.path() / "whole");
  config.run.games = 16;
  run(config, place.path() / "raised");
  config.run.games = 28;
  const RunResult raised = run(config, place.path() / "raised", true);
  EXPECT_EQ(games_in(place.path() / "raised", "escher"),
            games_in(place.path() / "whole", "escher"));
  EXPECT_EQ(read_checkpoint_info(raised.checkpoint).hash,
            read_checkpoint_info(whole.checkpoint).hash);
}

TEST(DeterministicRun, DeterministicRunsOfOneSeedAreEqualAndOfTwoDiffer) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.run.games = 16;
  config.selfplay.threads = 1;
  const auto hash = [&](const char* name) {
    return read_checkpoint_info(run(config, place.path() / name).checkpoint).hash;
  };
  const auto one = hash("one");
  EXPECT_EQ(hash("two"), one);
  config.run.seed = 2;
  EXPECT_NE(hash("three"), one);
}

TEST(DeterministicRun, RecordsNameTheWeightsThatPlayed) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.run.games = 24;
  config.selfplay.threads = 1;
  config.learner.checkpoint_interval = 1;  // so that every network that played is saved
  run(config, place.path() / "run");
  std::set<std::int64_t> steps;
  for (const auto& [number, game] : games_in(place.path() / "run", "escher")) {
    const auto file = place.path() / "run" / RunFolder::checkpoint_name(game.net.steps);
    EXPECT_EQ(read_checkpoint_info(file).weights_hash, game.net.hash) << number;
    steps.insert(game.net.steps);
  }
  EXPECT_GT(steps.size(), 1U);
}

}  // namespace
}  // namespace faultline
