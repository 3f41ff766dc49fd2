// A learner, actors and a server between them that are killed at any moment: ten times, or
// FAULTLINE_CLUSTER_KILLS times.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
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
#ifdef FAULTLINE_NATS
#include "tests/cluster/nats_server.h"
#include "tests/outsiders.h"
#endif

namespace faultline {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// A learner or an actor in a child process.
class Child {
 public:
  /// `arguments`: test_cluster_child's.
  Child(std::vector<std::string> arguments, const fs::path& log)
      : arguments_(std::move(arguments)), log_(log) {
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
    std::string program = FAULTLINE_CLUSTER_CHILD;
    std::vector<char*> words{program.data()};
    for (std::string& argument : arguments_)
      words.push_back(argument.data());
    words.push_back(nullptr);
    execv(FAULTLINE_CLUSTER_CHILD, words.data());
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
  std::vector<std::string> arguments_;
  fs::path log_;
  pid_t pid_ = -1;
};

/// The numbers of games in actors' parts.
std::set<std::uint64_t> numbers_in_parts(const fs::path& post) {
  std::set<std::uint64_t> numbers;
  for (const fs::path& actor : names_in(post / "actors"))
    for (const fs::path& part : names_in(actor, ".part"))
      try {
        for (const StoredGame& game : list_games(part, "escher"))
          numbers.insert(game.number);
      } catch (const ReplayError&) {  // it was taken meanwhile
      }
  return numbers;
}

int rounds_of_kills() {
  const char* const wanted = std::getenv("FAULTLINE_CLUSTER_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : 10;
}

/// Kills processes of these at random, and starts them anew; in the end all are killed. Returns the
/// numbers of the games that were sent on, which `numbers` finds. `also`: called once a round.
std::set<std::uint64_t> kill_at_random(const fs::path& run, const fs::path& log,
                                       const std::vector<std::vector<std::string>>& processes,
                                       const std::function<std::set<std::uint64_t>()>& numbers,
                                       const std::function<void(std::mt19937&)>& also = {}) {
  std::mt19937 rng(std::random_device{}());
  std::set<std::uint64_t> sent;
  std::vector<std::unique_ptr<Child>> children;
  for (const auto& arguments : processes)
    children.push_back(std::make_unique<Child>(arguments, log));
  EXPECT_TRUE(test::soon([&] { return fs::exists(run / "post/orders.json"); }))
      << test::read_text(log);
  for (int round = 0; round < rounds_of_kills(); ++round) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20 + rng() % 300);
    while (std::chrono::steady_clock::now() < end)
      sent.merge(numbers());
    if (also) also(rng);
    Child& child = *children[rng() % children.size()];
    // One that was asked to stop before it listened dies of it, too.
    const int status = child.end(rng() % 4 == 0 ? SIGTERM : SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0)
        << WEXITSTATUS(status) << test::read_text(log);
    child.start();
  }
  EXPECT_TRUE(test::soon([&] {
    sent.merge(numbers());
    return sent.size() > 50 && fs::exists(run / "state.json");
  })) << test::read_text(log);
  return sent;
}

/// Lets others take what is left, and play what is missing.
void expect_nothing_lost(const fs::path& run, std::set<std::uint64_t> sent,
                         const std::function<RunResult(const Config&)>& finish) {
  const std::set<std::uint64_t> before = test::stored_numbers(run);
  Config config = test::fake_config();
  config.run.games = static_cast<std::int64_t>(std::max(before.size(), sent.size()) + 40);
  const RunResult result = finish(config);
  const std::set<std::uint64_t> after = test::stored_numbers(run);
  EXPECT_GE(after.size(), static_cast<std::size_t>(config.run.games));
  EXPECT_EQ(result.games, after.size());
  sent.insert(before.begin(), before.end());
  for (const std::uint64_t number : sent)
    EXPECT_TRUE(after.contains(number)) << number;
  EXPECT_TRUE(fs::is_empty(run / "post/aside"));
}

/// What was killed goes on in one process, and equals a run that always was one.
void expect_one_run(const fs::path& run) {
  const std::uint64_t after = 1 + *test::stored_numbers(run).rbegin();
  const Config config =
      test::deterministic_config(static_cast<std::int64_t>(12 * (after / 12 + 2)));
  test::deterministic_session(true).run(config, run);
  EXPECT_EQ(test::deterministic_in(run), test::by_one_process(config));
}

TEST(KilledCluster, ADeterministicRunIsThatOfOneProcessWhoeverIsKilled) {
  const TemporaryFolder place;
  const fs::path run = place.path() / "run", log = place.path() / "log";
  kill_at_random(run, log, {{"rounds", run}, {"actor", run}, {"actor", run}},
                 [&] { return numbers_in_parts(run / "post"); });
  expect_one_run(run);
}

TEST(KilledCluster, EveryGameThatWasSentIsStoredOnceWhoeverIsKilled) {
  const TemporaryFolder place;
  const fs::path run = place.path() / "run", log = place.path() / "log";
  auto sent = kill_at_random(run, log, {{"learner", run}, {"actor", run}, {"actor", run}},
                             [&] { return numbers_in_parts(run / "post"); });
  expect_nothing_lost(run, std::move(sent), [&](const Config& config) {
    test::ActorThread actor(run);
    const RunResult result = test::serve(config, run, true, true);
    EXPECT_EQ(actor.join(), ActorEnd::Run);
    return result;
  });
}

#ifdef FAULTLINE_NATS
std::set<std::uint64_t> numbers_in_spools(const std::vector<fs::path>& spools) {
  std::set<std::uint64_t> all;
  for (const fs::path& spool : spools)
    for (const fs::path& process : names_in(spool))
      all.merge(numbers_in_parts(process));
  return all;
}

TEST(KilledCluster, EveryGameThatWasSentIsStoredOnceWhateverBecomesOfTheServer) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const TemporaryFolder place;
  const fs::path run = place.path() / "run", log = place.path() / "log";
  const fs::path here = place.path() / "here", there = place.path() / "there";
  test::NatsServer server;
  const std::string url = server.url();
  const auto numbers = [&] { return numbers_in_spools({here, there}); };
  const auto hurt_server = [&](std::mt19937& rng) {
    if (rng() % 4 != 0) return;
    server.stop(SIGKILL);
    if (rng() % 2 == 0) server.delete_store();
    server.start();
  };
  auto sent = kill_at_random(
      run, log,
      {{"learner", run, url, here}, {"actor", run, url, here}, {"actor", run, url, there}}, numbers,
      hurt_server);
  expect_nothing_lost(run, std::move(sent), [&](const Config& config) {
    test::JoinedActor first(server.place(), here), second(server.place(), there);
    const RunResult result = test::serve_nats(config, run, server.place(), true);
    first.join();
    second.join();
    return result;
  });
}

TEST(KilledCluster, ADeterministicRunIsThatOfOneProcessAlsoOverNats) {
  FAULTLINE_NEEDS_NATS_SERVER();
  const TemporaryFolder place;
  const fs::path run = place.path() / "run", log = place.path() / "log";
  const fs::path here = place.path() / "here", there = place.path() / "there";
  const test::NatsServer server;
  const std::string url = server.url();
  const auto numbers = [&] { return numbers_in_spools({here, there}); };
  kill_at_random(
      run, log, {{"rounds", run, url, here}, {"actor", run, url, here}, {"actor", run, url, there}},
      numbers);
  expect_one_run(run);
}
#endif

}  // namespace
}  // namespace faultline
