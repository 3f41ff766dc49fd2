// The Searcher interface: limits, tree reuse between moves, and searchers without a tree.
#include "search/searcher.h"

#include <atomic>
#include <chrono>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/tree.h"
#include "tests/search/chess_search.h"
#include "tests/search/minimax_searcher.h"

namespace faultline {
namespace {

using Chess = ChessPosition;

using Bench = test::ChessSearch;
std::uint32_t total(const std::vector<std::uint32_t>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0U);
}

TEST(PuctSearcher, CountsTheVisitsOfTheRoot) {
  for (const std::uint32_t leaves : {1U, 4U, 16U}) {
    Bench b;
    const SearchResult result = b.search({.visits = 300, .leaves = leaves});
    EXPECT_EQ(result.visits, 300U);
    EXPECT_EQ(result.new_visits, 300U);
    EXPECT_EQ(total(result.policy), 299U) << "the root's own visit selects no move";
    EXPECT_LE(result.evaluations, 300U);
    ASSERT_FALSE(result.variation.empty());
    EXPECT_EQ(result.variation.front(), result.move);
  }
}

TEST(PuctSearcher, EndsWithTheBestMoveSoFarWhenItsTreeIsFull) {
  Bench b{.searcher = make_puct_searcher<Chess>(SearchParams{}, true, Tree::kLeastBytes)};
  for (int ply = 0; ply < 6; ++ply) {
    const SearchResult result = b.search({.visits = 100'000, .leaves = 3});
    EXPECT_TRUE(result.out_of_memory);
    EXPECT_GT(result.new_visits, 0U);
    EXPECT_LT(result.visits, 20'000U);
    EXPECT_EQ(total(result.policy) + 1, result.visits);
    EXPECT_LE(b.searcher->memory_bytes(), Tree::kLeastBytes);
    b.history.play(result.move);
  }
  EXPECT_FALSE(b.search({.new_visits = 1}).out_of_memory);
}

TEST(PuctSearcher, KeepsTheSubtreeOfTheMovesPlayed) {
  Bench b;
  const SearchResult first = b.search({.visits = 400});
  b.history.play(first.variation.at(0));
  b.history.play(first.variation.at(1));
  const SearchResult second = b.search({.visits = 500});
  EXPECT_EQ(second.visits, 500U);
  EXPECT_LT(second.new_visits, 500U);
  EXPECT_GT(second.new_visits, 100U);
  const SearchResult third = b.search({.visits = 500});
  EXPECT_EQ(third.new_visits, 0U) << "the same position needs no new visit";
  EXPECT_EQ(third.policy, second.policy);
}

TEST(PuctSearcher, MakesNewVisitsBesideThoseItKept) {
  Bench b;
  const SearchResult first = b.search({.visits = 400});
  b.history.play(first.variation.at(0));
  const SearchResult second = b.search({.visits = 50, .least_new_visits = 20});
  EXPECT_GT(second.visits, 50U) << "the kept ones alone are more";
  EXPECT_EQ(second.new_visits, 20U);
  const SearchResult third = b.search({.visits = second.visits + 90, .least_new_visits = 20});
  EXPECT_EQ(third.new_visits, 90U);
}

TEST(PickMove, MatesAtAnyTemperature) {
  Bench b;
  b.history = PositionHistory<Chess>(Chess::from_fen({}, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
  const SearchResult result = b.search({.visits = 60});
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(b.history.position().move_text(pick_move(result, 5.0F, b.rng)), "a1a8");
}

TEST(PuctSearcher, StartsAfreshForADifferentGame) {
  Bench b;
  b.search({.visits = 200});
  b.history = PositionHistory<Chess>(
      Chess::from_fen({}, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 40 30"));
  EXPECT_EQ(b.search({.visits = 200}).new_visits, 200U) << "other counters, though the same key";
  b.history = PositionHistory<Chess>(Chess::start({}));
  b.history.play(b.move("e2e4"));
  EXPECT_EQ(b.search({.visits = 200}).new_visits, 200U);
}

TEST(PuctSearcher, KeepsNothingWithoutTreeReuse) {
  Bench b;
  b.searcher = make_puct_searcher<Chess>(SearchParams{}, false);
  const Move move = b.search({.visits = 100}).move;
  b.history.play(move);
  EXPECT_EQ(b.search({.visits = 100}).new_visits, 100U);
}

TEST(PuctSearcher, CountsNewVisitsAndEvaluationsOfThisSearchAlone) {
  Bench b;
  b.history.play(b.search({.visits = 400}).move);
  const SearchResult by_visits = b.search({.new_visits = 50});
  EXPECT_EQ(by_visits.new_visits, 50U);
  EXPECT_GT(by_visits.visits, 50U);
  EXPECT_EQ(b.search({.evaluations = 30, .leaves = 4}).evaluations, 30U);
}

TEST(PuctSearcher, SearchesOnlyTheRequestedMoves) {
  Bench b;
  const std::vector<Move> asked = {b.move("a2a3"), b.move("h2h4")};
  const SearchResult result = b.search({.visits = 100, .search_moves = asked});
  for (const RootMove& move : result.root_moves)
    EXPECT_EQ(move.visits > 0, move.move == asked[0] || move.move == asked[1]);
  EXPECT_EQ(total(result.policy), 99U);
  EXPECT_NEAR(result.value.value(), mean_of_visits(result.root_moves)->value(), 1e-6F);
  const SearchResult free = b.search({.visits = 400});
  EXPECT_EQ(free.new_visits, 400U) << "a root with restricted moves is not kept";
  b.history.play(free.move);
  const std::vector<Move> reply = {b.move("a7a6")};
  const SearchResult restricted = b.search({.visits = 400, .search_moves = reply});
  EXPECT_EQ(restricted.move, reply[0]);
  EXPECT_EQ(total(restricted.policy), 399U);
}

TEST(PuctSearcher, SearchesOnlyTheRequestedOfMoreMovesThanAByteNumbers) {
  Bench b;
  b.history = PositionHistory<Chess>(
      Chess::from_fen({}, "knQQQQQQ/nnQ4Q/QQ5Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1"));
  std::vector<Move> legal;
  for (const RootMove& move : b.search({.visits = 1}).root_moves)
    legal.push_back(move.move);
  ASSERT_GT(legal.size(), 256U);
  for (const Move move : legal) {
    const SearchResult result = b.search({.visits = 20, .search_moves = {move}});
    ASSERT_EQ(result.variation.at(0), move);
    ASSERT_EQ(total(result.policy), 19U);
  }
  const SearchResult two = b.search({.visits = 50, .search_moves = {legal.front(), legal.back()}});
  EXPECT_EQ(two.policy.front() + two.policy.back(), 49U);
}

TEST(PuctSearcher, StopsByTheFlagAndByTheClockAfterAtLeastOneEvaluation) {
  Bench b;
  std::atomic<bool> stop = true;
  EXPECT_EQ(b.search({.visits = 1'000'000, .stop = &stop}).evaluations, 1U);
  b.history.play(b.move("e2e4"));
  EXPECT_EQ(b.search({.time = std::chrono::steady_clock::duration::zero()}).evaluations, 1U);
  stop = false;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  b.history.play(b.move("e7e5"));
  const SearchResult result = b.search({.stop = &stop});
  EXPECT_TRUE(stop);
  EXPECT_GE(result.visits, 1U);
  EXPECT_GT(result.seconds, 0);
}

TEST(PuctSearcher, AddsNoiseOnlyIfRequested) {
  const auto policy = [](std::uint64_t seed, bool noise) {
    Bench b;
    b.rng.seed(seed);
    return b.search({.visits = 200, .root_noise = noise}).policy;
  };
  EXPECT_EQ(policy(1, false), policy(2, false));
  EXPECT_NE(policy(1, true), policy(2, true));
  EXPECT_EQ(policy(1, true), policy(1, true));
}

TEST(PuctSearcher, WithOneVisitTheTargetIsTheNetworksPolicy) {
  Bench b;
  const SearchResult result = b.search({.visits = 1});
  for (std::size_t i = 0; i < result.policy.size(); ++i)
    EXPECT_NEAR(static_cast<float>(result.policy[i]) / 65535.0F, result.root_moves[i].prior, 1e-3F);
}

TEST(PuctSearcher, EndsWhereNothingIsLeftToEvaluate) {
  Bench b;
  b.history = PositionHistory<Chess>(Chess::from_fen({}, "7k/8/8/8/8/8/8/K7 w - - 99 80"));
  const SearchResult result = b.search({.evaluations = 30});
  EXPECT_EQ(result.evaluations, 1U) << "every move draws by the fifty-move rule";
  EXPECT_LE(result.visits, 30U * 64U);
}

TEST(PuctSearcher, GivesNoWeightToMovesThatWereNotAskedFor) {
  Bench b;
  const std::vector<Move> asked = {b.move("a2a3")};
  const SearchResult result = b.search({.visits = 1, .search_moves = asked});
  EXPECT_EQ(result.move, asked[0]);
  for (std::size_t i = 0; i < result.policy.size(); ++i)
    EXPECT_EQ(result.policy[i] > 0, result.root_moves[i].move == asked[0]);
}

TEST(PuctSearcher, TakesAnyNumberOfNewVisitsAsALimit) {
  Bench b;
  std::atomic<bool> stop = false;
  b.history.play(b.search({.visits = 200}).move);
  const SearchResult result = b.search({.visits = 300, .new_visits = 0xffffffff, .stop = &stop});
  EXPECT_EQ(result.visits, 300U);
}

TEST(PolicySearcher, PlaysTheMoveWithTheHighestPriorAfterOneEvaluation) {
  Bench b;
  b.searcher = make_policy_searcher<Chess>();
  const SearchResult result = b.search({.visits = 1000});
  EXPECT_EQ(result.evaluations, 1U);
  const auto best = std::ranges::max_element(result.root_moves, {}, &RootMove::prior);
  EXPECT_EQ(result.move, best->move);
  float priors = 0;
  for (std::size_t i = 0; i < result.policy.size(); ++i) {
    priors += result.root_moves[i].prior;
    EXPECT_NEAR(static_cast<float>(result.policy[i]) / 65536.0F, result.root_moves[i].prior, 1e-4F);
  }
  EXPECT_NEAR(priors, 1, 1e-4F);
  const std::vector<Move> asked = {b.move("h2h3")};
  EXPECT_EQ(b.search({.search_moves = asked}).move, asked[0]);
}

TEST(RandomSearcher, PlaysEveryMoveAboutAsOften) {
  Bench b;
  b.searcher = make_random_searcher<Chess>();
  std::map<std::uint32_t, int> picked;
  for (int i = 0; i < 2000; ++i) {
    const SearchResult result = b.search({});
    EXPECT_EQ(result.evaluations, 0U);
    ++picked[result.move.bits()];
  }
  EXPECT_EQ(picked.size(), 20U);
  for (const auto& [move, times] : picked)
    EXPECT_NEAR(times, 100, 60) << move;
}

TEST(Searcher, SupportsASearchThatEvaluatesItself) {
  Bench b;
  b.searcher = std::make_unique<test::MinimaxSearcher<Chess>>(2);
  b.history =
      PositionHistory<Chess>(Chess::from_fen({}, "6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 w - - 0 1"));
  const SearchResult result =
      run_search<Chess>(*b.searcher, nullptr, b.batch, b.history, {}, b.rng);
  EXPECT_EQ(b.history.position().move_text(result.move), "d2d5") << "takes the queen";
  EXPECT_GT(result.evaluations, 20U);
}

TEST(PickMove, FollowsThePolicyTargetOrTakesTheBestMove) {
  SearchResult result;
  for (const Square to : {Square{1}, Square{2}})
    result.root_moves.push_back(
        {.move = Move(0, to), .visits = 0, .prior = 0, .value = 0, .draw = 0, .moves_left = 0});
  result.policy = {1, 3};
  result.move = Move(0, 1);
  std::mt19937_64 rng(1);
  int second = 0;
  for (int i = 0; i < 4000; ++i)
    second += pick_move(result, 1, rng).to() == 2 ? 1 : 0;
  EXPECT_NEAR(second, 3000, 150);
  EXPECT_EQ(pick_move(result, 0, rng), result.move);
}

}  // namespace
}  // namespace faultline
