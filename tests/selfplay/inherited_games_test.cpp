// Runs that learn from another run's games first.
#include "selfplay/inherited_games.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "selfplay/schedule.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using test::CountingEvaluator;
using test::fake_config;
using test::FakeSession;
using test::TemporaryFolder;

std::vector<GameRecord> stored_games(const std::filesystem::path& run) {
  std::vector<GameRecord> games;
  for (const StoredGame& game : scan_games(run / "games", "escher").games)
    games.push_back(read_game(game));
  return games;
}

/// A run of 30 games, and one that begins with them and has 50.
class InheritedGames : public testing::Test {
 protected:
  InheritedGames() {
    config_.run.games = 30;
    positions_ = FakeSession{}.run(config_, first()).positions;
    config_.run.games = 50;
    config_.run.seed = 7;
    session_.games_from = first();
    session_.make_evaluator = [this] { return std::make_unique<CountingEvaluator>(batches_); };
  }
  std::filesystem::path first() const { return place_.path() / "first"; }
  std::filesystem::path second() const { return place_.path() / "second"; }
  std::int64_t due(std::uint64_t positions) const { return steps_due(config_.learner, positions); }
  RunState state() const {
    return run_state_from_json(test::read_text(second() / "state.json"), "state.json");
  }
  /// Runs until `steps` are made, then fails.
  void run_until(std::int64_t steps) {
    session_.on_step = [steps](std::int64_t now) {
      if (now == steps) throw std::runtime_error("killed");
    };
    EXPECT_THROW(session_.run(config_, second()), std::runtime_error);
    session_.on_step = {};
    session_.resume = true;
    session_.games_from.clear();
  }
  void expect_all_games() const {
    const std::vector<GameRecord> theirs = stored_games(first());
    const std::vector<GameRecord> games = stored_games(second());
    ASSERT_EQ(games.size(), 50U);
    EXPECT_TRUE(std::equal(theirs.begin(), theirs.end(), games.begin()));
    std::set<std::uint64_t> numbers;
    for (const GameRecord& game : games)
      numbers.insert(game.number);
    EXPECT_EQ(numbers.size(), 50U);
  }

  TemporaryFolder place_;
  Config config_ = fake_config();
  std::uint64_t positions_ = 0;
  std::atomic<int> batches_{0};
  FakeSession session_;
};

TEST_F(InheritedGames, AreLearnedFromBeforeTheRunPlays) {
  ASSERT_GT(due(positions_), 10);
  std::int64_t before_playing = 0;
  session_.on_step = [&](std::int64_t steps) {
    if (batches_ == 0) before_playing = steps;
  };
  const RunResult result = session_.run(config_, second());
  EXPECT_GE(before_playing, due(positions_));
  EXPECT_EQ(result.games, 50U);
  EXPECT_GT(result.positions, positions_);
  EXPECT_EQ(result.steps, due(result.positions));
  expect_all_games();
  EXPECT_EQ(state().inherited_games, 30U);
  EXPECT_EQ(state().games_from, first().string());
  EXPECT_NE(session_.out.str().find("Learning first from 30 games of " + first().string()),
            std::string::npos)
      << session_.out.str();
}

TEST_F(InheritedGames, AreLearnedFromOnceByARunThatIsInterrupted) {
  run_until(8);  // the last checkpoint has 5
  EXPECT_EQ(state().steps, 5);
  EXPECT_EQ(batches_, 0);
  std::filesystem::rename(first(), place_.path() / "moved");  // a resumed run needs it no longer
  std::vector<std::int64_t> steps;
  session_.on_step = [&](std::int64_t now) {
    if (batches_ == 0) steps.push_back(now);
  };
  const RunResult result = session_.run(config_, second());
  std::filesystem::rename(place_.path() / "moved", first());
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.front(), 6);
  EXPECT_GE(steps.back(), due(positions_));
  EXPECT_EQ(result.steps, due(result.positions));
  expect_all_games();
}

TEST_F(InheritedGames, AreLearnedFromAgainWhereTheLastCheckpointIsFromBeforeTheEnd) {
  config_.learner.checkpoint_interval = 1'000;
  run_until(due(positions_) + 3);  // the run has played games of its own
  EXPECT_EQ(state().steps, 0);
  EXPECT_GT(stored_games(second()).size(), 30U);
  const RunResult result = session_.run(config_, second());
  EXPECT_EQ(result.steps, due(result.positions));
  expect_all_games();
}

TEST_F(InheritedGames, AStartThatWasKilledWhileCopyingGoesOn) {
  {
    ReplayStore store(second() / "games", "escher", 7);
    store.append(stored_games(first()).front());
  }
  session_.run(config_, second());
  expect_all_games();
}

TEST_F(InheritedGames, AreRefusedWhereThereAreNone) {
  const auto reason = [&](const RunOptions& options) {
    try {
      require_inheritable_games(config_, options);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto options = [&](const std::filesystem::path& from) {
    return RunOptions{.folder = second(), .games_from = from};
  };
  EXPECT_EQ(reason(options(first())), "accepted");
  EXPECT_EQ(reason(options({})), "accepted");
  EXPECT_EQ(reason({.folder = first(), .games_from = first()}),
            "--games-from " + first().string() + ": is the new run's own folder");
  EXPECT_NE(reason(options(place_.path())).find("contains no run"), std::string::npos);
  std::filesystem::create_directories(place_.path() / "empty");
  std::ofstream(place_.path() / "empty" / "config.toml") << "\n";
  EXPECT_NE(reason(options(place_.path() / "empty")).find("no finished games"), std::string::npos);
  config_.run.variant = "gardner";
  EXPECT_NE(reason(options(first())).find("'escher'"), std::string::npos)
      << reason(options(first()));
  config_.run.variant = "escher";
  config_.run.deterministic = true;
  EXPECT_NE(reason(options(first())).find("run.deterministic must be false"), std::string::npos);
}

TEST_F(InheritedGames, AnExistingRunIsRefused) {
  session_.run(config_, second());
  try {
    session_.run(config_, second());
    FAIL() << "accepted";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("--games-from starts a new one"), std::string::npos);
  }
}

}  // namespace
}  // namespace faultline
