// Tiny complete runs: from scratch to checkpoints, stopped, killed and resumed.
#include "selfplay/run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/training/trainer.h"
#include "selfplay/replay_store.h"
#include "selfplay/schedule.h"
#include "selfplay/window.h"
#include "tests/selfplay/games.h"

namespace faultline {
namespace {

using test::read_text;
using test::TemporaryFolder;
using test::write_text;

Config tiny_config(const std::string& variant) {
  Config config;
  config.run.variant = variant;
  config.run.games = 24;
  config.run.report_seconds = 0.5;
  config.net.blocks = 2;
  config.net.channels = 16;
  config.search.visits = 12;
  config.search.reduced_visits = 4;
  config.search.full_search_probability = 0.5;
  config.selfplay.threads = 2;
  config.selfplay.games_per_thread = 8;
  config.selfplay.batch = 8;
  config.selfplay.max_plies = 40;
  config.replay.window = 400;
  config.replay.min_window = 100;
  config.replay.chunk_games = 7;
  config.learner.batch = 16;
  config.learner.replay_ratio = 1;
  config.learner.min_positions = 40;
  config.learner.warmup_steps = 3;
  config.learner.publish_interval = 4;
  config.learner.checkpoint_interval = 5;
  config.learner.train.precision = TrainingPrecision::Fp32;  // timing both takes a second
  config.device = {.device = "cpu", .backend = "cpu", .precision = PrecisionChoice::Fp32};
  return config;
}

RunResult run(const Config& config, const std::filesystem::path& folder, bool resume = false) {
  std::ostringstream out;
  return run_training(config, {.folder = folder, .resume = resume, .out = &out});
}

/// All games in the folder by number; a duplicate number is an error.
std::map<std::uint64_t, GameRecord> games_in(const std::filesystem::path& folder,
                                             const std::string& variant) {
  std::map<std::uint64_t, GameRecord> games;
  const ReplayStore store(folder / "games", variant, 1);
  for (const StoredGame& game : store.games())
    EXPECT_TRUE(games.emplace(game.number, read_game(game)).second);
  // Besides torn games, the store reports duplicate games; there must be none.
  for (const std::string& message : store.messages())
    EXPECT_EQ(message.find("is a duplicate"), std::string::npos) << message;
  return games;
}

RunState state_in(const std::filesystem::path& folder) {
  return run_state_from_json(read_text(folder / "state.json"), "state.json");
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

/// A run in a child process.
class Child {
 public:
  Child(const Config& config, const TemporaryFolder& place, const std::filesystem::path& folder) {
    const std::filesystem::path file = place.path() / "child.toml";
    write_text(file, to_toml(config));
    const std::string log = (place.path() / "child.log").string();
    pid_ = fork();
    if (pid_ == 0) {
      const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(out, STDOUT_FILENO);
      dup2(out, STDERR_FILENO);
      execl(FAULTLINE_RUN_CHILD, FAULTLINE_RUN_CHILD, file.c_str(), folder.c_str(), nullptr);
      _exit(127);
    }
  }
  ~Child() {
    if (pid_ > 0) end(SIGKILL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Sends the signal and waits for the end; the wait status.
  int end(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
};

/// Waits until the condition holds; false after three minutes.
bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 18000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::size_t chunk_games(const std::filesystem::path& folder, const std::string& variant) {
  std::size_t games = 0;
  if (!std::filesystem::exists(folder / "games")) return 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "games"))
    games += scan_chunk(entry.path(), variant).games.size();
  return games;
}

void expect_complete_run(const std::string& variant) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config(variant);
  config.run.games = 60;  // more steps than the learner may fall behind
  const RunResult result = run(config, folder);

  EXPECT_EQ(result.end, RunEnd::LimitReached);
  EXPECT_EQ(result.games, 60U);
  const auto games = games_in(folder, variant);
  ASSERT_EQ(games.size(), 60U);
  EXPECT_EQ(games.rbegin()->first, 59U);
  std::uint64_t positions = 0;
  for (const auto& [number, game] : games)
    positions += game.target_count();
  EXPECT_EQ(result.positions, positions);
  EXPECT_GT(result.steps, 5);
  EXPECT_EQ(result.steps, steps_due(config.learner, positions));

  const RunState state = state_in(folder);
  EXPECT_EQ(state.games, 60U);
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
  EXPECT_EQ(last.at("games"), 60);
  EXPECT_EQ(last.at("done"), 1.0);
  // Some network after the first has played.
  EXPECT_GT(std::max_element(games.begin(), games.end(),
                             [](const auto& a, const auto& b) {
                               return a.second.net.steps < b.second.net.steps;
                             })
                ->second.net.steps,
            0);
}

TEST(Run, TheLimitsOfEvaluationsAndCpuTimeCountAllSessions) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("chess");
  config.run.games = 0;
  config.run.evaluations = 2'000;
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

TEST(Run, ATinyEscherRunGoesFromScratchToACheckpoint) {
  expect_complete_run("escher");
}
TEST(Run, ATinyChessRunGoesFromScratchToACheckpoint) {
  expect_complete_run("chess");
}

TEST(Run, ACheckpointThatCannotBeWrittenLeavesNoFile) {
  const TemporaryFolder place;
  const std::filesystem::path file = place.path() / "000005.pt";
  std::filesystem::create_symlink("/dev/full", file.string() + ".tmp");
  try {
    CheckpointFile().write(file);
    FAIL() << "a checkpoint was written to a full disk";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(Run, StopsAtItsLimitOfSteps) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 0;
  config.run.steps = 7;
  EXPECT_EQ(run(config, place.path() / "run").steps, 7);
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

TEST(Run, AKilledRunLosesNoFinishedGameAndRepeatsNone) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.games = 10'000;
  for (std::size_t wanted : {10, 40}) {  // killed twice
    Child child(config, place, folder);
    ASSERT_TRUE(comes_true([&] { return chunk_games(folder, "escher") >= wanted; }))
        << read_text(place.path() / "child.log");
    const int status = child.end(SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  const auto before = games_in(folder, "escher");
  ASSERT_LT(before.size(), 10'000U);
  const auto limit = before.rbegin()->first + 10;  // numbers in between are still missing
  config.run.games = static_cast<std::int64_t>(limit);
  const RunResult result = run(config, folder, true);
  EXPECT_EQ(result.games, limit);
  const auto after = games_in(folder, "escher");
  ASSERT_EQ(after.size(), limit);
  EXPECT_EQ(after.rbegin()->first, limit - 1);
  std::uint64_t positions = 0;
  for (const auto& [number, game] : after)
    positions += game.target_count();
  for (const auto& [number, game] : before)
    EXPECT_EQ(after.at(number), game) << number;
  EXPECT_EQ(result.positions, positions);
  EXPECT_EQ(result.steps, steps_due(config.learner, positions));
}

std::string precision_of(const std::filesystem::path& checkpoint) {
  return CheckpointFile::read(checkpoint).header.at("train").at("precision");
}

TEST(Run, KeepsThePrecisionOfTrainingThatItBeganWith) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 10;
  config.learner.train.precision = TrainingPrecision::Bf16;
  EXPECT_EQ(precision_of(run(config, place.path() / "run").checkpoint), "bf16");
  config.run.games = 20;
  config.learner.train.precision = TrainingPrecision::Auto;
  EXPECT_EQ(precision_of(run(config, place.path() / "run", true).checkpoint), "bf16");
  config.run.games = 24;
  config.learner.train.precision = TrainingPrecision::Fp32;
  EXPECT_EQ(precision_of(run(config, place.path() / "run", true).checkpoint), "fp32");
}

TEST(Run, MeasuresBothPrecisionsOnlyWhenItBeginsAndIsNotDeterministic) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 4;
  config.learner.train.precision = TrainingPrecision::Auto;
  const auto output = [&](const char* name, bool resume) {
    std::ostringstream out;
    run_training(config, {.folder = place.path() / name, .resume = resume, .out = &out});
    return out.str();
  };
  EXPECT_NE(output("free", false).find("a step in bf16 takes"), std::string::npos);
  config.run.games = 8;
  EXPECT_EQ(output("free", true).find("a step in bf16 takes"), std::string::npos);
  config.run.deterministic = true;
  EXPECT_EQ(output("deterministic", false).find("a step in bf16 takes"), std::string::npos);
  EXPECT_EQ(precision_of(place.path() / "deterministic" / RunFolder::checkpoint_name(0)), "fp32");
}

TEST(Run, ATermSignalStopsCleanly) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.games = 10'000;
  config.learner.checkpoint_interval = 100'000;
  Child child(config, place, folder);
  ASSERT_TRUE(comes_true([&] { return chunk_games(folder, "escher") >= 20; }))
      << read_text(place.path() / "child.log");
  const int status = child.end(SIGTERM);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << read_text(place.path() / "child.log");
  const auto games = games_in(folder, "escher");
  const RunState state = state_in(folder);
  EXPECT_EQ(state.games, games.size());
  EXPECT_GT(state.steps, 0);
  EXPECT_EQ(read_checkpoint_info(folder / state.checkpoint).steps, state.steps);
}

TEST(Run, ADeterministicRunResumesAsIfNeverKilled) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.run.games = 44;  // five rounds of eight and one of four
  config.selfplay.threads = 1;
  const RunResult whole = run(config, place.path() / "whole");
  const auto games = games_in(place.path() / "whole", "escher");
  ASSERT_EQ(games.size(), 44U);

  const std::filesystem::path folder = place.path() / "killed";
  for (std::size_t wanted : {1, 17, 33}) {
    Child child(config, place, folder);
    ASSERT_TRUE(comes_true([&] { return chunk_games(folder, "escher") >= wanted; }))
        << read_text(place.path() / "child.log");
    EXPECT_TRUE(WIFSIGNALED(child.end(SIGKILL)));  // it was not done yet
  }
  const RunResult killed = run(config, folder, true);
  EXPECT_EQ(killed.steps, whole.steps);
  EXPECT_EQ(games_in(folder, "escher"), games);
  EXPECT_EQ(read_checkpoint_info(killed.checkpoint).hash,
            read_checkpoint_info(whole.checkpoint).hash);
}

TEST(Run, ADeterministicRunWithARaisedLimitSkipsNoGame) {
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

TEST(Run, ADeterministicRunRaisedAfterWholeRoundsEqualsOneThatWasNot) {
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

TEST(Run, DeterministicRunsOfOneSeedAreEqualAndOfTwoDiffer) {
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

TEST(Run, RecordsNameTheWeightsThatPlayed) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.run.games = 24;
  config.selfplay.threads = 1;
  config.learner.checkpoint_interval = 1;  // so that every network that played is saved
  config.learner.train.ema = 0.9;
  run(config, place.path() / "run");
  std::set<std::int64_t> steps;
  for (const auto& [number, game] : games_in(place.path() / "run", "escher")) {
    const auto file = place.path() / "run" / RunFolder::checkpoint_name(game.net.steps);
    EXPECT_EQ(read_checkpoint_info(file).weights_hash, game.net.hash) << number;
    steps.insert(game.net.steps);
  }
  EXPECT_GT(steps.size(), 1U);
}

/// A run of escher, and one that starts from its last network.
class InitFrom : public testing::Test {
 protected:
  InitFrom() {
    config_.run.games = 10;
    config_.learner.train.ema = 0.9;
    net_ = run(config_, place_.path() / "first").checkpoint;
    second_ = config_;
    second_.run.games = 4;
    second_.run.seed = 99;
  }
  RunResult begin(const Config& config, bool resume = false) {
    return run_training(config, {.folder = folder(),
                                 .resume = resume,
                                 .out = &out_,
                                 .init_from = resume ? std::filesystem::path() : net_});
  }
  std::filesystem::path folder() const { return place_.path() / "second"; }

  TemporaryFolder place_;
  Config config_ = tiny_config("escher");
  Config second_;
  std::filesystem::path net_;
  std::ostringstream out_;
};

TEST_F(InitFrom, ANewRunStartsWithTheAveragedWeightsAndNothingElse) {
  const RunResult result = begin(second_);
  const CheckpointInfo first = read_checkpoint_info(net_);
  const CheckpointInfo begun = read_checkpoint_info(result.first_checkpoint);
  ASSERT_GT(first.steps, 0);
  EXPECT_EQ(begun.steps, 0);
  EXPECT_EQ(begun.weights_hash, first.weights_hash);
  const CheckpointFile file = CheckpointFile::read(result.first_checkpoint);
  EXPECT_EQ(file.arrays.at("weights/parameters"),
            CheckpointFile::read(net_).arrays.at("ema/parameters"));
  for (const auto& [name, values] : file.arrays)
    if (name.starts_with("optimizer/")) {
      EXPECT_TRUE(std::ranges::all_of(values, [](float v) { return v == 0; })) << name;
    }
  EXPECT_NE(state_in(folder()).init_from.find(net_.string()), std::string::npos);
  EXPECT_NE(out_.str().find(net_.string()), std::string::npos);
}

TEST_F(InitFrom, AResumedRunDoesNotNeedItAndRecordsIt) {
  const RunResult first = begin(second_);
  second_.run.games = 16;
  std::filesystem::remove(net_);
  const RunResult second = begin(second_, true);
  EXPECT_EQ(second.games, 16U);
  EXPECT_GT(second.steps, first.steps);
  EXPECT_NE(state_in(folder()).init_from.find(net_.string()), std::string::npos);
}

TEST_F(InitFrom, AnExistingRunIsRefused) {
  begin(second_);
  EXPECT_NE(refusal([&] { begin(second_); }).find("--init-from starts a new one"),
            std::string::npos);
}

TEST_F(InitFrom, AnotherFamilyIsRefusedByNameBeforeTheFolderIsCreated) {
  second_.run.variant = "chess";
  try {
    begin(second_);
    FAIL() << "accepted";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("'encoding.family' is 'escher'; expected 'chess'"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(InitFrom, KeysOfTheNetAreTakenFromItUnlessTheyContradict) {
  Config adopting = parse_config("[net]\nblocks = 2\n", "x.toml");
  adopt_net(adopting, net_);
  EXPECT_EQ(adopting.net, config_.net);
  Config contradicting = parse_config("[net]\n\nchannels = 24\n", "x.toml");
  try {
    adopt_net(contradicting, net_);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()), "x.toml:3: 'net.channels' is 24, but " + net_.string() +
                                             " has 16; leave the key out to take the net's");
  }
}

TEST(Run, TimesWhatIsLeftToAutoOnceAndStoresIt) {
  const TemporaryFolder place;
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("XDG_CACHE_HOME", place.path().c_str(), 1);
  Config config = tiny_config("escher");
  config.run.games = 8;
  config.selfplay.batch = 0;
  config.device = {.device = "cpu"};
  const auto output = [&](const std::string& folder, bool resume) {
    std::ostringstream out;
    run_training(config, {.folder = place.path() / folder, .resume = resume, .out = &out});
    return out.str();
  };
  EXPECT_NE(output("first", false).find("(timed: "), std::string::npos);
  EXPECT_NE(output("first", true).find("(stored in the run)"), std::string::npos);
  EXPECT_NE(output("second", false).find("(timed before: "), std::string::npos);
  const RunState first = state_in(place.path() / "first");
  ASSERT_EQ(first.inference.size(), 1U);
  EXPECT_LE(first.inference.front().choice.batch, 8U) << "eight games cannot fill more";
  EXPECT_EQ(first.inference.front().choice,
            state_in(place.path() / "second").inference.front().choice);
  if (before == nullptr)
    ::unsetenv("XDG_CACHE_HOME");
  else
    ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
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

}  // namespace
}  // namespace faultline
