// The links between actors and learner: orders that replace each other, networks that change
// between batches, games that are stored before they arrive.
#include "selfplay/local_links.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "record/chunk.h"
#include "record/run_folder.h"
#include "selfplay/actor.h"
#include "selfplay/live_games.h"
#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using test::fake_config;

TEST(OrderBoard, EveryReplacementIsANewVersion) {
  OrderBoard board;
  const Orders first = board.current();
  EXPECT_FALSE(first.paused || first.ended);
  board.replace({.net = {5, 55}, .paused = true});
  const Orders second = board.current();
  EXPECT_GT(second.version, first.version);
  EXPECT_EQ(second.net, (NetworkIdentity{5, 55}));
  EXPECT_TRUE(second.paused);
  board.replace(first);  // whatever version they had
  EXPECT_GT(board.current().version, second.version);
  EXPECT_FALSE(board.current().paused);
}

TEST(OrderBoard, WhoeverWaitsIsWokenByTheNextOrders) {
  OrderBoard board;
  const std::uint64_t version = board.current().version;
  std::atomic<bool> woken{false};
  std::thread waiting([&] {
    board.wait_after(version);
    woken = true;
  });
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(woken);
  board.replace({.net = {}, .ended = true});
  waiting.join();
  board.wait_after(version);  // which are out of force already: returns at once
  EXPECT_TRUE(woken);
}

/// A number source that hands out the given ranges.
class Ranges final : public NumberSource {
 public:
  explicit Ranges(std::vector<NumberRange> ranges) : ranges_(std::move(ranges)) {}
  NumberRange take() override {
    return taken_ < ranges_.size() ? ranges_[taken_++] : NumberRange{};
  }

 private:
  std::vector<NumberRange> ranges_;
  std::size_t taken_ = 0;
};

TEST(Actor, PlaysItsRangesOut) {
  const Config config = fake_config();
  OrderBoard orders;
  Ranges numbers({{3, 6}, {10, 12}});
  NetBoard nets;
  std::set<std::uint64_t> played;
  FunctionSink games([&](GameRecord&& game) { played.insert(game.number); });
  ActorCounts counts;
  make_actor(config, {}, {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &games},
             counts)
      ->run();
  EXPECT_EQ(played, (std::set<std::uint64_t>{3, 4, 5, 10, 11}));
  EXPECT_EQ(counts.games, 5U);
}

TEST(Actor, GoesOverToTheNetworkThatItsOrdersName) {
  const Config config = fake_config();
  OrderBoard orders;
  NetBoard nets;
  std::vector<int> batches(2);  // by network
  const auto net = [&](std::int64_t steps) {
    return PlayingNet{.identity = {steps, 0},
                      .backend = std::make_shared<test::UniformBackend>(
                          [&, steps] { ++batches.at(static_cast<std::size_t>(steps)); })};
  };
  nets.replace(net(0));
  Ranges numbers({{0, 12}});
  std::vector<std::int64_t> steps;
  FunctionSink games([&](GameRecord&& game) {
    steps.push_back(game.net.steps);
    if (steps.size() != 4) return;
    EXPECT_EQ(batches[1], 0);
    nets.replace(net(1));
    orders.replace({.net = {1, 0}});
  });
  ActorCounts counts;
  make_actor(config, {}, {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &games},
             counts)
      ->run();
  ASSERT_EQ(steps.size(), 12U);
  EXPECT_EQ(steps[0], 0);
  EXPECT_EQ(steps[11], 1);
  EXPECT_GT(batches[0], 0);
  EXPECT_GT(batches[1], 0);
}

TEST(Actor, EvaluatesNothingWhileItIsPaused) {
  const Config config = fake_config();
  OrderBoard orders;
  orders.replace({.net = {}, .paused = true});
  NetBoard nets;
  Ranges numbers({{0, 1'000'000}});
  FunctionSink games;
  ActorCounts counts;
  std::thread playing([&] {
    make_actor(config, {}, {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &games},
               counts)
        ->run();
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(counts.batches, 0U);
  orders.replace({});
  while (counts.batches == 0)
    std::this_thread::sleep_for(1ms);
  orders.replace({.net = {}, .paused = true, .ended = true});  // ends actors that wait, too
  playing.join();
}

TEST(LocalArrivals, AreOnDiskBeforeTheyArriveAndInTheSameOrder) {
  const test::TemporaryFolder place;
  Config config = fake_config();
  std::ostringstream out;
  RunPersistence persistence(config, "escher", {.folder = place.path() / "run", .out = &out});
  const GameDecoder decoder("escher", {});
  LocalArrivals arrivals(persistence, decoder);
  EXPECT_TRUE(arrivals.take(1ms).empty());
  std::vector<std::thread> senders;
  for (std::uint64_t first : {0U, 10U})
    senders.emplace_back([&, first] {
      for (std::uint64_t n = first; n < first + 5; ++n)
        arrivals.put(test::random_game<EscherPosition>(test::escher(), n, 20));
    });
  std::vector<std::uint64_t> arrived;
  while (arrived.size() < 10)
    for (const ArrivedGame& game : arrivals.take(10s)) {
      EXPECT_EQ(game.samples.size(), game.game.target_count());
      arrived.push_back(game.game.number);
    }
  for (std::thread& sender : senders)
    sender.join();
  arrivals.keep();
  std::vector<std::uint64_t> stored;
  for (const StoredGame& game : all_games(scan_games(place.path() / "run/games", "escher")))
    stored.push_back(game.number);
  EXPECT_EQ(stored, arrived);
}

TEST(LiveGames, AreWrittenAsLongAsSomebodyWatches) {
  const test::TemporaryFolder place;
  const auto file = RunFolder::live_games(place.path());
  const auto watched = RunFolder::watched(place.path());
  {
    LiveGames live(place.path(), "escher", 1, 0ns);
    GameRecord game = test::random_game<EscherPosition>(test::escher(), 7, 20);
    game.outcome = Outcome::Ongoing;
    live.show(game);
    EXPECT_FALSE(std::filesystem::exists(file));
    std::ofstream(watched) << "";
    const std::vector<PlyRecord> plies = game.plies;
    game.plies.resize(5);
    live.show(game);
    game.plies = plies;
    live.show(game);
    live.show(game);  // writes what was shown before
    const auto written = list_games(file, "escher");
    ASSERT_EQ(written.size(), 1U);
    const GameRecord read = read_game(written[0]);
    EXPECT_EQ(read.number, 7U);
    EXPECT_EQ(read.plies, plies) << "with what the searches preferred";
    live.end(7);
    for (std::uint64_t number = 0; number < LiveGames::kMost + 5; ++number) {
      game.number = number;
      live.show(game);
    }
    live.show(game);
    EXPECT_EQ(list_games(file, "escher").size(), LiveGames::kMost);
    std::filesystem::last_write_time(watched, std::filesystem::file_time_type::clock::now() - 1h);
    live.show(game);
    EXPECT_FALSE(std::filesystem::exists(file));
    std::filesystem::last_write_time(watched, std::filesystem::file_time_type::clock::now());
    live.show(game);
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(file)) << "the run has ended";
}

TEST(LocalArrivals, AGameAgainstTheRulesIsNeitherStoredNorArrives) {
  const test::TemporaryFolder place;
  Config config = fake_config();
  std::ostringstream out;
  RunPersistence persistence(config, "escher", {.folder = place.path() / "run", .out = &out});
  const GameDecoder decoder("escher", {});
  LocalArrivals arrivals(persistence, decoder);
  GameRecord game = test::random_game<EscherPosition>(test::escher(), 1, 20);
  game.plies[1].move = game.plies[0].move;
  EXPECT_THROW(arrivals.put(std::move(game)), ReplayError);
  EXPECT_TRUE(arrivals.take({}).empty());
  EXPECT_EQ(scan_games(place.path() / "run/games", "escher").size(), 0U);
}

TEST(LocalArrivals, AWaitEndsWhenItIsWoken) {
  const test::TemporaryFolder place;
  Config config = fake_config();
  std::ostringstream out;
  RunPersistence persistence(config, "escher", {.folder = place.path() / "run", .out = &out});
  const GameDecoder decoder("escher", {});
  LocalArrivals arrivals(persistence, decoder);
  std::thread waker([&] { arrivals.wake(); });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(arrivals.take(60s).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  waker.join();
}

}  // namespace
}  // namespace faultline
