// Many games on one thread: batches, evaluators, ends.
#include "play/game_pool.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"

namespace faultline {
namespace {

using P = GardnerPosition;

struct TestGame {
  explicit TestGame(int game_number, const Player<P>& white, const Player<P>& black)
      : number(game_number),
        driver(PositionHistory<P>(P::start({})), {white, black}, {.max_plies = 40},
               std::mt19937_64(static_cast<std::uint64_t>(game_number)), nullptr) {}
  int number;
  GameDriver<P> driver;
};

/// Records its batch sizes, and checks that each batch is waited for.
class CountingEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    hash_.submit(batch);
    sizes.push_back(batch.size());
    ++in_flight;
  }
  void wait(EvalBatch<P>&) override { --in_flight; }
  std::vector<std::size_t> sizes;
  int in_flight = 0;

 private:
  HashEvaluator<P> hash_;
};

Player<P> puct(Evaluator<P>& evaluator, std::uint32_t visits) {
  return {.searcher = make_puct_searcher<P>(SearchParams{}),
          .evaluator = &evaluator,
          .budget = {.full = {.visits = visits}}};
}

/// Plays `count` games between new players; returns the numbers of those that ended, in order.
template <class White, class Black>
std::vector<int> play(const std::vector<Evaluator<P>*>& evaluators, int count, const PoolSize& size,
                      White&& white, Black&& black) {
  int next = 0;
  std::vector<int> ended;
  PoolHooks<P, TestGame> hooks;
  hooks.next_game = [&]() -> std::unique_ptr<TestGame> {
    if (next == count) return nullptr;
    return std::make_unique<TestGame>(next++, white(), black());
  };
  hooks.finished = [&](TestGame& game) {
    EXPECT_TRUE(game.driver.is_over());
    ended.push_back(game.number);
  };
  hooks.go_on = [] { return true; };
  GamePool<P, TestGame>(evaluators, size, std::move(hooks)).run();
  return ended;
}

void expect_all_once(const std::vector<int>& ended, int count) {
  EXPECT_EQ(ended.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(std::set<int>(ended.begin(), ended.end()).size(), ended.size());
}

TEST(GamePool, PlaysEveryGameOnceWithFullBatches) {
  CountingEvaluator evaluator;
  const auto player = [&] { return puct(evaluator, 20); };
  expect_all_once(play({&evaluator}, 40, {.games = 12, .batch = 8}, player, player), 40);
  const auto full = std::ranges::count(evaluator.sizes, 8U);
  EXPECT_GT(full, static_cast<std::ptrdiff_t>(evaluator.sizes.size()) * 3 / 4);
  EXPECT_EQ(*std::ranges::max_element(evaluator.sizes), 8U);
  EXPECT_EQ(evaluator.in_flight, 0);
}

TEST(GamePool, KeepsTheLeavesOfDifferentEvaluatorsApart) {
  CountingEvaluator first, second;
  const auto ended = play(
      {&first, &second}, 20, {.games = 6, .batch = 6}, [&] { return puct(first, 30); },
      [&] { return puct(second, 10); });
  expect_all_once(ended, 20);
  const auto sum = [](const CountingEvaluator& e) {
    std::size_t total = 0;
    for (const std::size_t size : e.sizes)
      total += size;
    return total;
  };
  EXPECT_GT(sum(first), 2 * sum(second)) << "three times the visits";
  EXPECT_GT(sum(second), 0U);
}

TEST(GamePool, PlaysGamesThatNeedNoEvaluator) {
  const auto player = [] { return Player<P>{.searcher = make_random_searcher<P>()}; };
  expect_all_once(play({}, 30, {.games = 4, .batch = 4}, player, player), 30);
}

TEST(GamePool, PlaysARandomPlayerAgainstASearchInEveryNumberOfGroups) {
  for (const std::size_t groups : {1U, 2U, 3U}) {
    CountingEvaluator evaluator;
    const auto ended = play(
        {&evaluator}, 15, {.games = 5, .batch = 4, .groups = groups},
        [&] { return puct(evaluator, 10); },
        [] { return Player<P>{.searcher = make_random_searcher<P>()}; });
    expect_all_once(ended, 15);
    EXPECT_EQ(evaluator.in_flight, 0);
  }
}

TEST(GamePool, StopsBetweenBatchesAndLeavesNothingInFlight) {
  CountingEvaluator evaluator;
  int asked = 0;
  PoolHooks<P, TestGame> hooks;
  hooks.next_game = [&] {
    return std::make_unique<TestGame>(0, puct(evaluator, 50), puct(evaluator, 50));
  };
  hooks.finished = [](TestGame&) {};
  hooks.go_on = [&] { return ++asked <= 10; };
  GamePool<P, TestGame>({&evaluator}, {.games = 8, .batch = 4, .groups = 2}, std::move(hooks))
      .run();
  EXPECT_EQ(asked, 11);
  EXPECT_EQ(evaluator.in_flight, 0);
  EXPECT_EQ(evaluator.sizes.size(), 10U);
}

TEST(GamePool, GamesWithoutEvaluatorStopToo) {
  int asked = 0;
  PoolHooks<P, TestGame> hooks;
  hooks.next_game = [&] {
    const Player<P> random{.searcher = make_random_searcher<P>()};
    return std::make_unique<TestGame>(0, random, random);
  };
  int ended = 0;
  hooks.finished = [&](TestGame&) { ++ended; };
  hooks.go_on = [&] { return ++asked <= 10; };
  GamePool<P, TestGame>({}, {.games = 3, .batch = 4}, std::move(hooks)).run();
  EXPECT_EQ(ended, 10);
}

}  // namespace
}  // namespace faultline
