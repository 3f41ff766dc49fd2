// Runs in a process of their own that is killed or asked to stop, and what is left of them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/checkpoint.h"
#include "record/chunk.h"
#include "selfplay/schedule.h"
#include "tests/selfplay/tiny_runs.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::games_in;
using test::read_text;
using test::run;
using test::state_in;
using test::TemporaryFolder;
using test::tiny_config;
using test::write_text;

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

TEST(KilledRun, AKilledRunLosesNoFinishedGameAndRepeatsNone) {
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

TEST(KilledRun, ATermSignalStopsCleanly) {
  const TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "run";
  Config config = tiny_config("escher");
  config.run.games = 10'000;
  config.learner.checkpoint_interval = 100'000;
  Child child(config, place, folder);
  ASSERT_TRUE(comes_true([&] { return chunk_games(folder, "escher") >= 60; }))
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

TEST(KilledRun, ADeterministicRunResumesAsIfNeverKilled) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.deterministic = true;
  config.run.games = 44;  // five rounds of eight and one of four
  config.selfplay.threads = 1;
  config.learner.value_lambda = 0.9;
  config.search.params.gumbel.enabled = true;
  const RunResult whole = run(config, place.path() / "whole");
  const auto games = games_in(place.path() / "whole", "escher");
  ASSERT_EQ(games.size(), 44U);

  const std::filesystem::path folder = place.path() / "killed";
  for (std::size_t wanted : {1, 17, 25}) {
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

}  // namespace
}  // namespace faultline
