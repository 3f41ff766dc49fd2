// A learner and actors that are killed at any moment: ten times, or FAULTLINE_CLUSTER_KILLS times.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/chunk.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// A learner or an actor in a child process.
class Child {
 public:
  Child(const std::string& role, const fs::path& folder, const fs::path& log)
      : role_(role), folder_(folder), log_(log) {
    start();
  }
  ~Child() {
    if (pid_ > 0) end(SIGKILL);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void start() {
    pid_ = fork();
    if (pid_ != 0) return;
    const int out = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl(FAULTLINE_CLUSTER_CHILD, FAULTLINE_CLUSTER_CHILD, role_.c_str(), folder_.c_str(), "0",
          nullptr);
    _exit(127);
  }
  /// Sends the signal and waits for the end; the wait status.
  int end(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  std::string role_;
  fs::path folder_, log_;
  pid_t pid_ = -1;
};

/// The numbers of games in actors' parts.
std::set<std::uint64_t> numbers_in_parts(const fs::path& run) {
  std::set<std::uint64_t> numbers;
  for (const fs::path& actor : names_in(run / "post/actors"))
    for (const fs::path& part : names_in(actor, ".part"))
      for (const StoredGame& game : list_games(part, "escher"))
        numbers.insert(game.number);
  return numbers;
}

TEST(KilledCluster, EveryGameThatWasSentIsStoredOnceWhoeverIsKilled) {
  const char* const wanted = std::getenv("FAULTLINE_CLUSTER_KILLS");
  const int rounds = wanted != nullptr ? std::atoi(wanted) : 10;
  const TemporaryFolder place;
  const fs::path run = place.path() / "run", log = place.path() / "log";
  std::mt19937 rng(std::random_device{}());
  std::set<std::uint64_t> sent;
  {
    std::vector<std::unique_ptr<Child>> children;
    for (const char* role : {"learner", "actor", "actor"})
      children.push_back(std::make_unique<Child>(role, run, log));
    ASSERT_TRUE(test::soon([&] { return fs::exists(run / "post/orders.json"); }))
        << test::read_text(log);
    for (int round = 0; round < rounds; ++round) {
      const auto end =
          std::chrono::steady_clock::now() + std::chrono::milliseconds(20 + rng() % 300);
      while (std::chrono::steady_clock::now() < end)
        sent.merge(numbers_in_parts(run));
      Child& child = *children[rng() % children.size()];
      // One that was asked to stop before it listened dies of it, too.
      const int status = child.end(rng() % 4 == 0 ? SIGTERM : SIGKILL);
      EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0)
          << WEXITSTATUS(status) << test::read_text(log);
      child.start();
    }
    ASSERT_TRUE(test::soon([&] {
      sent.merge(numbers_in_parts(run));
      return sent.size() > 50 && fs::exists(run / "state.json");
    })) << test::read_text(log);
  }  // all are killed

  // What is left is taken, and what is missing played, by other processes.
  const std::set<std::uint64_t> before = test::stored_numbers(run);
  Config config = test::fake_config();
  config.run.games = static_cast<std::int64_t>(std::max(before.size(), sent.size()) + 40);
  test::ActorThread actor(run);
  const RunResult result = test::serve(config, run, true, true);
  EXPECT_EQ(actor.join(), ActorEnd::Run);
  const std::set<std::uint64_t> after = test::stored_numbers(run);
  EXPECT_GE(after.size(), static_cast<std::size_t>(config.run.games));
  EXPECT_EQ(result.games, after.size());
  sent.insert(before.begin(), before.end());
  for (const std::uint64_t number : sent)
    EXPECT_TRUE(after.contains(number)) << number;
  EXPECT_TRUE(fs::is_empty(run / "post/aside"));
}

}  // namespace
}  // namespace faultline
