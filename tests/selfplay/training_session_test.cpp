// The training loop on plain threads with a trainer that learns nothing: what is played, trained on
// and stored, who waits for whom, and how failures end it. Runs under the thread sanitizer.
#include "selfplay/training_session.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/text.h"
#include "selfplay/schedule.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using test::fake_config;
using test::FakeSession;
using test::metrics_of;
using test::TemporaryFolder;

using Trainer = test::FakeTrainer;

std::map<std::uint64_t, GameRecord> games_in(const std::filesystem::path& folder) {
  std::map<std::uint64_t, GameRecord> games;
  const GamesOnDisk found = scan_games(folder / "games", "escher");
  EXPECT_TRUE(found.messages.empty()) << found.messages.front();
  for (const StoredGame& game : all_games(found))
    games.emplace(game.number, read_game(game));
  return games;
}

TEST(TrainingSession, PlaysEveryGameOnceAndDoesEveryStepThatIsDue) {
  const TemporaryFolder place;
  const Config config = fake_config();
  FakeSession session;
  const RunResult result = session.run(config, place.path());
  EXPECT_EQ(result.end, RunEnd::LimitReached);
  EXPECT_EQ(result.games, 60U);
  const auto games = games_in(place.path());
  ASSERT_EQ(games.size(), 60U);
  EXPECT_EQ(games.rbegin()->first, 59U);
  std::uint64_t positions = 0;
  for (const auto& [number, game] : games) {
    positions += game.target_count();
    EXPECT_EQ(game.net.hash, Trainer::hash_of(game.net.steps));
    EXPECT_EQ(game.net.steps % config.learner.publish_interval, 0);
  }
  EXPECT_EQ(result.positions, positions);
  EXPECT_EQ(result.steps, steps_due(config.learner, positions));
  EXPECT_GT(result.steps, 5);
  const auto last = metrics_of(place.path()).back();
  EXPECT_EQ(last.at("games"), 60);
  EXPECT_EQ(last.at("lag"), 0);
}

TEST(TrainingSession, ActorsResumeOnceTheLearnerHasCaughtUp) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.report_seconds = 0.005;
  config.run.games = 0;
  config.run.steps = 200;
  config.learner.replay_ratio = 4;
  FakeSession session;
  // Each step takes longer than a game does.
  session.on_step = [](auto) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  EXPECT_EQ(session.run(config, place.path()).steps, 200);
  double paused = 0;
  for (const auto& line : metrics_of(place.path()))
    paused = std::max(paused, line.at("actors_paused").get<double>());
  EXPECT_GT(paused, 0);
}

TEST(TrainingSession, ItsStrengthIsInMetricsAndInTheLastLine) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.report_seconds = 0.005;
  config.run.strength_minutes = 1e-6;
  config.learner.replay_ratio = 4;
  FakeSession session;
  session.on_step = [](auto) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  session.measure_strength = [&](const StrengthRequest& request) {
    EXPECT_EQ(request.run, place.path());
    EXPECT_TRUE(std::filesystem::is_regular_file(request.checkpoint));
    return StrengthPoint{
        .steps = request.steps, .elo = 25, .elo_95 = {-10, 60}, .games = 8, .zero = "random"};
  };
  const RunResult result = session.run(config, place.path());
  const auto last = metrics_of(place.path()).back();
  ASSERT_TRUE(last.contains("strength")) << last;
  const auto steps = last["strength"]["steps"].get<std::int64_t>();
  EXPECT_GT(steps, 0);
  EXPECT_LE(steps, result.steps);
  EXPECT_EQ(last["strength"]["elo_95"], (std::array{-10.0, 60.0}));
  EXPECT_NE(
      session.out.str().rfind("\nStrength: +25 Elo (-10 to +60) over random after " +
                              grouped(static_cast<std::uint64_t>(steps)) + " steps (8 games)"),
      std::string::npos)
      << session.out.str();
}

TEST(TrainingSession, ActorsNeverWaitForALearnerThatKeepsUp) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.report_seconds = 0.005;
  config.learner.replay_ratio = 0.1;
  FakeSession session;
  session.run(config, place.path());
  for (const auto& line : metrics_of(place.path()))
    EXPECT_EQ(line.at("actors_paused"), 0.0);
}

TEST(TrainingSession, SaysOnceThatTreesAreFullAndCountsTheSearches) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 2;
  config.run.report_seconds = 0.1;
  config.search.visits = 20'000;
  config.search.full_search_probability = 1;
  config.selfplay.threads = 1;
  config.selfplay.games_per_thread = 1;
  config.selfplay.max_plies = 12;
  config.selfplay.tree_memory = 2;
  FakeSession session;
  session.run(config, place.path());
  const std::string warning =
      "warning: searches end before their visits because their trees are "
      "full: selfplay.tree_memory is 2 MiB, 1.0 MiB for each of 2 trees";
  const auto found = session.out.str().find(warning);
  EXPECT_NE(found, std::string::npos) << session.out.str();
  EXPECT_EQ(session.out.str().find(warning, found + 1), std::string::npos);
  std::uint64_t cut = 0;
  for (const auto& line : metrics_of(place.path()))
    cut += line.value("searches_cut", std::uint64_t{0});
  EXPECT_GT(cut, 0U);
}

TEST(TrainingSession, TheLearnerWaitsForPositions) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 10;
  config.learner.min_positions = 100'000;
  FakeSession session;
  session.on_step = [](auto) { ADD_FAILURE() << "a step before there were positions for it"; };
  const RunResult result = session.run(config, place.path());
  EXPECT_EQ(result.games, 10U);
  EXPECT_EQ(result.steps, 0);
}

TEST(TrainingSession, StepsAreNeverAheadOfTheGames) {
  const TemporaryFolder place;
  const Config config = fake_config();
  FakeSession session;
  session.on_step = [&](std::int64_t steps) {
    std::uint64_t positions = 0;
    for (const StoredGame& game : all_games(scan_games(place.path() / "games", "escher")))
      positions += game.targets;
    EXPECT_LE(steps, steps_due(config.learner, positions));
  };
  EXPECT_GT(session.run(config, place.path()).steps, 5);
}

TEST(TrainingSession, StopsAtItsStepLimitAlthoughActorsCouldPlayForever) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  config.run.steps = 11;
  FakeSession session;
  EXPECT_EQ(session.run(config, place.path()).steps, 11);
}

std::string failure_of(FakeSession& session, const Config& config,
                       const std::filesystem::path& folder) {
  try {
    session.run(config, folder);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

/// Whether `condition` becomes true within ten seconds.
template <class F>
bool comes_true(F&& condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(TrainingSession, ActorsPauseWhileTheLearnerLags) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  config.run.report_seconds = 0.005;
  config.learner.replay_ratio = 4;
  std::atomic<int> batches{0};
  FakeSession session;
  session.on_batch = [&] { ++batches; };
  // A step during which the actors play puts the learner so far behind that they must not play
  // during any of the next ones.
  int busy = 0;
  session.on_step = [&](std::int64_t steps) {
    if (steps > 20) throw std::runtime_error("seen enough");  // actors would play forever
    const int before = batches;
    bool still = false;
    EXPECT_TRUE(comes_true([&] {
      const int now = batches;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      still = batches == now;
      return still || batches > before + 3'000;
    }));
    if (!still) ++busy;
  };
  EXPECT_EQ(failure_of(session, config, place.path()), "seen enough");
  EXPECT_LE(busy, 1);
  double most = 0;
  for (const auto& line : metrics_of(place.path())) {
    most = std::max(most, line.at("actors_paused").get<double>());
    EXPECT_LE(line.at("actors_paused"), 1.0);
  }
  EXPECT_GT(most, 0.9);
}

TEST(TrainingSession, AnActorsFailureEndsTheSessionAndIsRethrown) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  FakeSession session;
  std::atomic<int> batches{0};
  session.on_batch = [&] {
    if (++batches > 100) throw std::runtime_error("the device is gone");
  };
  EXPECT_EQ(failure_of(session, config, place.path()), "the device is gone");
}

TEST(TrainingSession, ALearnersFailureEndsActorsThatWaitForIt) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 0;
  config.run.report_seconds = 0.005;
  config.learner.replay_ratio = 64;  // soon far behind
  FakeSession session;
  session.on_step = [](std::int64_t steps) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (steps > 100) throw std::runtime_error("the loss is not finite");
  };
  EXPECT_EQ(failure_of(session, config, place.path()), "the loss is not finite");
  EXPECT_GT(metrics_of(place.path()).back().at("actors_paused"), 0.0);  // they did wait
}

TEST(TrainingSession, ALaterSessionContinuesWithTheRunsGamesAndId) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.games = 20;
  FakeSession first;
  first.run(config, place.path());
  const auto before = games_in(place.path());
  const std::uint64_t id = scan_games(place.path() / "games", "escher").run_id;
  EXPECT_NE(id, 0U);
  config.run.games = 30;
  FakeSession second;
  second.resume = true;
  const RunResult result = second.run(config, place.path());
  EXPECT_EQ(result.games, 30U);
  EXPECT_EQ(result.steps, steps_due(config.learner, result.positions));
  const auto after = games_in(place.path());
  ASSERT_EQ(after.size(), 30U);
  for (const auto& [number, game] : before)
    EXPECT_EQ(after.at(number), game);
  EXPECT_EQ(scan_games(place.path() / "games", "escher", id).size(), 30U);
  EXPECT_EQ(run_state_from_json(test::read_text(place.path() / "state.json"), "s").run_id, id);
}

TEST(TrainingSession, ADeterministicSessionPlaysEachRoundWithOneNetwork) {
  const TemporaryFolder place;
  Config config = fake_config();
  config.run.deterministic = true;
  config.run.games = 22;
  config.selfplay.threads = 1;
  FakeSession session;
  const RunResult result = session.run(config, place.path());
  EXPECT_EQ(result.steps, steps_due(config.learner, result.positions));
  const auto games = games_in(place.path());
  ASSERT_EQ(games.size(), 22U);
  std::int64_t last = -1;
  for (std::uint64_t round = 0; round < 22; round += 4) {  // games_per_thread
    const std::int64_t steps = games.at(round).net.steps;
    for (std::uint64_t number = round; number < std::min<std::uint64_t>(round + 4, 22); ++number)
      EXPECT_EQ(games.at(number).net.steps, steps);
    EXPECT_GE(steps, last);
    last = steps;
  }
  EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace faultline
