// A learner and actors as commands: a whole run with networks, what it shows, and what is refused.
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kNetworkRun =
    "[run]\nvariant = 'gardner'\ngames = 40\nreport_seconds = 0.1\n[net]\nblocks = 1\n"
    "channels = 8\n[search]\nvisits = 8\n[selfplay]\ngames_per_thread = 3\nbatch = 3\n"
    "max_plies = 40\n[learner]\nprecision = 'fp32'\nmin_positions = 20\nbatch = 16\n"
    "publish_interval = 5\n";
constexpr const char* kFastRun =
    "[run]\nvariant = 'gardner'\ngames = 40\n[fast]\nnetwork = 'alone'\nnodes = 30\n"
    "aside_nodes = 10\n[selfplay]\nmax_plies = 40\n[learner]\nmin_positions = 20\nbatch = 16\n"
    "publish_interval = 5\n";

/// Trains with a learner that plays no games and one actor. Returns what the actor printed.
std::string train_with_actor(const TemporaryFolder& place, const std::string& config) {
  const std::string run = place.path() / "run";
  std::filesystem::create_directories(run);
  ProgramResult actor;
  std::thread playing([&] {
    actor = run_faultline({"actor", "--spool", run, "--threads", "2", "--device", "cpu"});
  });
  const ProgramResult learner = run_faultline({"train", place.write("mine.toml", config), "--run",
                                               run, "--serve", "--learn-only", "--device", "cpu"});
  if (learner.exit_code != 0) run_faultline({"cluster", "stop", run});
  playing.join();
  EXPECT_EQ(learner.exit_code, 0) << learner.err << learner.out;
  EXPECT_EQ(actor.exit_code, 0) << actor.err << actor.out;
  const auto state = nlohmann::json::parse(test::read_text(run + "/state.json"));
  EXPECT_EQ(state["games"], 40);
  EXPECT_GT(state["steps"], 5);
  return actor.out;
}

#ifdef FAULTLINE_WITH_TORCH
TEST(ClusterCommand, ARunWithAnActorElsewhereEndsWithItsGames) {
  const TemporaryFolder place;
  EXPECT_THAT(train_with_actor(place, kNetworkRun),
              AllOf(HasSubstr("Plays gardner for the learner of"), HasSubstr("Ended after ")));
  const std::string run = place.path() / "run";
  const ProgramResult text = run_faultline({"cluster", "status", run});
  EXPECT_THAT(text.out, AllOf(HasSubstr("has ended on"), HasSubstr("40")));
  const auto json = nlohmann::json::parse(run_faultline({"cluster", "status", run, "--json"}).out);
  EXPECT_EQ(json["kind"], "cluster");
}

TEST(ClusterCommand, AFastNetworkIsTrainedInTheSameWay) {
  const TemporaryFolder place;
  train_with_actor(place, kFastRun);
}

/// The games and the last checkpoint of the run in this folder.
struct Result {
  std::vector<nlohmann::json> games;
  std::string checkpoint;
  explicit Result(const std::string& run) {
    std::istringstream lines(run_faultline({"games", run, "--json"}).out);
    for (std::string line; std::getline(lines, line);) {
      games.push_back(nlohmann::json::parse(line));
      games.back().erase("run_id");
    }
    const auto state = nlohmann::json::parse(test::read_text(run + "/state.json"));
    checkpoint = test::read_text(run + "/" + state["checkpoint"].get<std::string>());
  }
};

TEST(ClusterCommand, ADeterministicRunIsTheSameWithActorsElsewhere) {
  for (std::string config : {kNetworkRun, kFastRun}) {
    config.insert(config.find("[run]\n") + 6, "deterministic = true\n");
    if (const auto games = config.find("games_per_thread = 3\n"); games != std::string::npos)
      config.erase(games, 21);
    config.insert(config.find("[selfplay]\n") + 11, "games_per_thread = 10\n");
    const TemporaryFolder together, alone;
    const std::string run = alone.path() / "run";
    const ProgramResult one = run_faultline(
        {"train", alone.write("mine.toml", config), "--run", run, "--device", "cpu", "--no-check"});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    std::filesystem::create_directories(together.path() / "run");
    std::thread another([&] {
      run_faultline({"actor", "--spool", together.path() / "run", "--threads", "1"});
    });
    train_with_actor(together, config);
    another.join();
    const Result expected(run), found(together.path() / "run");
    EXPECT_EQ(expected.games.size(), 40U);
    EXPECT_EQ(found.games, expected.games);
    EXPECT_TRUE(found.checkpoint == expected.checkpoint);
  }
}

TEST(ClusterCommand, WhatIsNoPlaceOnAServerIsRefused) {
  const TemporaryFolder place;
  const std::string config = place.write("mine.toml", kNetworkRun);
  EXPECT_THAT(run_faultline({"train", "--run", place.path() / "run", "--serve", config}).err,
              HasSubstr("give nats://HOST:PORT/NAME"));
  EXPECT_THAT(run_faultline({"actor"}).err, HasSubstr("--join URL over NATS"));
  EXPECT_THAT(run_faultline({"actor", "--join", "nats://far/x", "--creds", "no"}).err,
              HasSubstr("USER:PASSWORD"));
  EXPECT_THAT(run_faultline({"cluster", "stop", "nats://far/x"}).err,
              HasSubstr("give the run's folder"));
}

TEST(ClusterCommand, ALearnerAloneNeedsActors) {
  const TemporaryFolder place;
  const std::string config = place.write("mine.toml", kNetworkRun);
  EXPECT_THAT(run_faultline({"train", config, "--learn-only"}).err, HasSubstr("give --serve, too"));
}
#endif

TEST(ClusterCommand, AFolderThatNobodyServesIsNamed) {
  const TemporaryFolder place;
  const ProgramResult actor = run_faultline({"actor", "--spool", place.path() / "no"});
  EXPECT_EQ(actor.exit_code, 2);
  EXPECT_THAT(actor.err, HasSubstr("there is no such folder"));
  for (const char* command : {"status", "drain", "resume", "stop"}) {
    const ProgramResult result = run_faultline({"cluster", command, place.path()});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("no learner has served here"));
  }
}

}  // namespace
}  // namespace faultline
