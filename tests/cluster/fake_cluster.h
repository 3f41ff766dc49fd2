// A learner that learns nothing and its actors, with a post between them whose times are short.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/folder_courier.h"
#include "cluster/post.h"
#include "cluster/spool_actor.h"
#include "cluster/terms.h"
#include "record/run_folder.h"
#include "record/stored_games.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline::test {

inline PostSettings quick_settings() {
  using std::chrono::milliseconds;
  return {.tick = milliseconds(4),
          .beat = milliseconds(40),
          .silent = milliseconds(600),
          .part = milliseconds(15),
          .part_games = 16,
          .farewell = milliseconds(5'000),
          .range = 8};
}

/// Reads what FakeTrainer::playing_file() writes.
inline PlayingNet load_fake_net(const std::filesystem::path& file) {
  const std::int64_t steps = std::stoll(read_text(file));
  if (const std::uint64_t weights = FakeTrainer::weights_in(file); weights != 0)
    return FakeTrainer::net_of(steps, weights);
  return {.identity = {steps, FakeTrainer::hash_of(steps)}, .backend = nullptr, .batch = 4};
}

/// A session of FakeTrainer that serves actors.
inline RunResult serve(const Config& config, const std::filesystem::path& folder,
                       bool learn_only = true, bool resume = false, FakeSession session = {},
                       const PostSettings& settings = quick_settings()) {
  session.resume = resume;
  session.learn_only = learn_only;
  session.make_courier = [&](RunPersistence& persistence) {
    return std::make_unique<FolderCourier>(config, persistence, load_fake_net, settings);
  };
  return session.run(config, folder);
}

/// Waits until the condition holds; false after `most`.
inline bool soon(const std::function<bool()>& condition,
                 std::chrono::seconds most = std::chrono::seconds(30)) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// Plays for the post on a thread of its own, from when there are terms until the run is done.
class ActorThread {
 public:
  explicit ActorThread(const std::filesystem::path& run,
                       const PostSettings& settings = quick_settings(), int threads = 2)
      : thread_([this, run, settings, threads] {
          const Post post = find_post(run);
          std::optional<RunTerms> terms;
          EXPECT_TRUE(soon([&] { return (terms = read_terms({run / "post"})).has_value(); }));
          if (!terms) return;
          SpoolActor actor({run / "post"}, *terms, load_fake_net, out_, false, settings);
          end_ = actor.run(threads, run_on_plain_threads);
        }) {}
  ~ActorThread() {
    if (thread_.joinable()) thread_.join();
  }
  ActorThread(const ActorThread&) = delete;
  ActorThread& operator=(const ActorThread&) = delete;

  ActorEnd join() {
    thread_.join();
    return end_.value();
  }
  /// After join().
  std::string out() const { return out_.str(); }

 private:
  std::ostringstream out_;
  std::optional<ActorEnd> end_;
  std::thread thread_;  // last: it uses the others
};

/// A deterministic run of rounds of `round` games, for a session with weights.
inline Config deterministic_config(std::int64_t games, int round = 12) {
  Config config = fake_config();
  config.run.deterministic = true;
  config.run.games = games;
  config.selfplay.threads = 1;
  config.selfplay.games_per_thread = round;
  config.learner.decay_steps = 30;
  return config;
}
inline FakeSession deterministic_session(bool resume = false) {
  FakeSession session;
  session.resume = resume;
  session.weights = 7;
  return session;
}

/// What a deterministic run must have in common with another one: its games by their numbers, and
/// the weights that it has come to.
struct Deterministic {
  std::map<std::uint64_t, GameRecord> games = {};
  std::int64_t steps = 0;
  std::uint64_t weights = 0;
  friend bool operator==(const Deterministic&, const Deterministic&) = default;
};
inline Deterministic deterministic_in(const std::filesystem::path& run) {
  const RunState state = RunFolder::state_in(run).value();
  Deterministic result{.steps = state.steps,
                       .weights = FakeTrainer::weights_in(run / state.checkpoint)};
  for (const StoredGame& game : all_games(scan_games(run / "games", "escher")))
    EXPECT_TRUE(result.games.emplace(game.number, read_game(game)).second) << game.number;
  EXPECT_EQ(result.games.size(), state.games);
  return result;
}
/// The same run of one process.
inline Deterministic by_one_process(const Config& config) {
  const TemporaryFolder place;
  deterministic_session().run(config, place.path());
  return deterministic_in(place.path());
}

/// The numbers of a run's games; each must be there once.
inline std::set<std::uint64_t> stored_numbers(const std::filesystem::path& run) {
  std::set<std::uint64_t> numbers;
  const GamesOnDisk found = scan_games(run / "games", "escher");
  for (const std::string& message : found.messages)
    EXPECT_EQ(message.find("duplicate"), std::string::npos) << message;
  for (const StoredGame& game : all_games(found)) {
    read_game(game);
    EXPECT_TRUE(numbers.insert(game.number).second) << game.number;
  }
  return numbers;
}

inline std::set<std::uint64_t> numbers_below(std::uint64_t end) {
  std::set<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < end; ++number)
    numbers.insert(numbers.end(), number);
  return numbers;
}

}  // namespace faultline::test
