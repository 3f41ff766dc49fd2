// Runs that learn from another run's games first.
#include "selfplay/inherited_games.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selfplay/schedule.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using test::fake_config;
using test::FakeSession;
using test::TemporaryFolder;

std::vector<GameRecord> stored_games(const std::filesystem::path& run) {
  std::vector<GameRecord> games;
  for (const StoredGame& game : all_games(scan_games(run / "games", "escher")))
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
    session_.on_batch = [this] { ++batches_; };
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

TEST_F(InheritedGames, WhatAKilledStartHasCopiedIsDeleted) {
  { ReplayStore(second() / "games.tmp", "escher", 7).append(stored_games(first()).front()); }
  session_.run(config_, second());
  expect_all_games();
  EXPECT_FALSE(std::filesystem::exists(second() / "games.tmp"));
}

TEST_F(InheritedGames, WhatAStartKilledRightAfterItsFirstStateHasCopiedIsAdopted) {
  config_.run.steps = 5;
  EXPECT_EQ(session_.run(config_, second()).steps, 5);
  std::filesystem::rename(second() / "games", second() / "games.tmp");
  config_.run.steps = 0;
  session_.games_from.clear();
  session_.resume = true;
  const RunResult result = session_.run(config_, second());
  EXPECT_EQ(result.steps, due(result.positions));
  expect_all_games();
  EXPECT_FALSE(std::filesystem::exists(second() / "games.tmp"));
}

TEST_F(InheritedGames, AStartKilledBeforeItsFirstStateLeavesNoGames) {
  {
    RunPersistence killed(config_, "escher", {.folder = second(), .out = &session_.out});
    killed.inherit_games_of(first());
  }
  EXPECT_TRUE(chunks_in(second() / "games").empty());
  session_.run(config_, second());
  expect_all_games();
}

TEST_F(InheritedGames, AreNotLearnedFromAgainByARunThatPlays) {
  const RunResult result = session_.run(config_, second());
  session_.games_from.clear();
  session_.resume = true;
  std::vector<std::int64_t> steps;
  session_.on_step = [&](std::int64_t now) { steps.push_back(now); };
  config_.run.games = 52;
  config_.learner.replay_ratio *= 1.1;
  batches_ = 0;
  EXPECT_EQ(session_.run(config_, second()).games, 52U);
  EXPECT_GT(batches_, 0);
  EXPECT_EQ(steps.front(), result.steps + 1);
  const std::string& text = session_.out.str();
  EXPECT_EQ(text.find("Learning first"), text.rfind("Learning first"));
}

TEST_F(InheritedGames, ALimitThatEndsTheRunMeanwhileCanBeRaised) {
  config_.run.steps = 7;
  EXPECT_EQ(session_.run(config_, second()).steps, 7);
  EXPECT_EQ(batches_, 0);
  session_.games_from.clear();
  session_.resume = true;
  config_.run.steps = 0;
  const RunResult result = session_.run(config_, second());
  EXPECT_EQ(result.steps, due(result.positions));
  expect_all_games();
}

TEST_F(InheritedGames, DamagedOnesAreLeftOutWithAWarning) {
  const std::filesystem::path chunk = chunks_in(first() / "games").front();
  std::filesystem::resize_file(chunk, std::filesystem::file_size(chunk) - 3);
  config_.run.games = 40;
  session_.run(config_, second());
  EXPECT_EQ(state().inherited_games, 29U);
  EXPECT_NE(session_.out.str().find("warning: " + chunk.string()), std::string::npos)
      << session_.out.str();
  EXPECT_EQ(stored_games(second()).size(), 40U);
}

TEST_F(InheritedGames, AreThoseThatTheOtherRunCounts) {
  RunState theirs = run_state_from_json(test::read_text(first() / "state.json"), "state.json");
  theirs.games = 20;  // as if it had been killed before it counted the others
  test::write_text(first() / "state.json", to_json_text(theirs));
  config_.run.games = 25;
  session_.run(config_, second());
  EXPECT_EQ(state().inherited_games, 20U);
  EXPECT_EQ(stored_games(second()).size(), 25U);
}

TEST_F(InheritedGames, CountAlsoWhereTheirNumbersAreAboveTheLimit) {
  // The other run had many games under way when it was killed, and finished the later ones first.
  const std::vector<GameRecord> games = stored_games(first());
  std::filesystem::remove_all(first() / "games");
  RunState theirs = run_state_from_json(test::read_text(first() / "state.json"), "state.json");
  {
    ReplayStore store(first() / "games", "escher", 100, theirs.run_id);
    for (std::size_t i = 0; i < games.size(); ++i) {
      GameRecord game = games[i];
      game.number = games.size() - 1 - i;
      store.append(game);
    }
  }
  theirs.games = 20;
  test::write_text(first() / "state.json", to_json_text(theirs));
  config_.run.games = 25;
  session_.run(config_, second());
  EXPECT_EQ(state().inherited_games, 20U);
  EXPECT_EQ(stored_games(second()).size(), 25U);
}

TEST_F(InheritedGames, AreRefusedWhereThereAreNone) {
  const auto reason = [&](const std::filesystem::path& from, const std::filesystem::path& folder) {
    try {
      return fmt::format("{} games",
                         inheritance(config_, {.folder = folder, .games_from = from}).games);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(reason(first(), second()), "30 games");
  EXPECT_EQ(reason({}, second()), "0 games");
  EXPECT_PRED2(has, reason(first(), first()), "is the new run's own folder");
  EXPECT_PRED2(has, reason(place_.path(), second()), "contains no run");
  const std::filesystem::path empty = place_.path() / "empty";
  std::filesystem::create_directories(empty);
  test::write_text(empty / "config.toml", "\n");
  EXPECT_PRED2(has, reason(empty, second()), "no finished games");
  std::filesystem::create_directories(place_.path() / "lost");
  std::filesystem::copy(first() / "games", place_.path() / "lost" / "games",
                        std::filesystem::copy_options::recursive);
  EXPECT_PRED2(has, reason(first(), place_.path() / "lost"), "contains games already, but no run");
  std::filesystem::create_directories(empty / "games");
  std::filesystem::remove(empty / "config.toml");
  EXPECT_EQ(reason(first(), empty), "30 games");
  test::write_text(empty / "games" / "notes.txt", "\n");
  EXPECT_PRED2(has, reason(first(), empty), "must be absent or an empty folder");
  config_.run.games = 30;
  EXPECT_PRED2(has, reason(first(), second()), "run.games = 30 leaves none");
  config_.run.games = 0;
  config_.run.variant = "gardner";
  EXPECT_PRED2(has, reason(first(), second()), "of 'escher', not of 'gardner'");
  config_.run.variant = "escher";
  config_.run.deterministic = true;
  EXPECT_PRED2(has, reason(first(), second()), "run.deterministic must be false");
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
