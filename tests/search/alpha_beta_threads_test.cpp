// Alpha-beta searches by several threads: legal moves, mates and limits are as those of one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "search/node_budget.h"
#include "search/searcher.h"
#include "search/transposition_table.h"
#include "tests/families.h"
#include "tests/search/mates.h"

namespace faultline::test {
namespace {

using std::chrono::milliseconds;

template <Position P>
SearchResult search(Searcher<P>& searcher, const PositionHistory<P>& history,
                    const SearchLimits& limits) {
  std::mt19937_64 rng(1);
  EvalBatch<P> no_leaves;
  UniformEvaluator<P> unused;
  return run_search<P>(searcher, &unused, no_leaves, history, limits, rng);
}
SearchResult search_start(int threads, const SearchLimits& limits) {
  const auto searcher = make_alpha_beta_searcher<ChessPosition>({.threads = threads});
  return search<ChessPosition>(*searcher, PositionHistory<ChessPosition>(ChessPosition::start({})),
                               limits);
}

TEST(NodeBudget, IsSpentToTheLastNodeAndNotExceeded) {
  for (const std::uint64_t nodes : {1U, 7U, 1000U, 100'000U}) {
    NodeBudget budget;
    budget.start(nodes, 3);
    std::atomic<std::uint64_t> taken = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
          while (const std::uint64_t portion = budget.take())
            taken += portion;
        });
    }
    EXPECT_EQ(taken, nodes);
  }
}

TEST(TranspositionTable, GivesThreadsWholeEntriesAlone) {
  TranspositionTable table;
  table.allocate(1);
  table.begin_search(false);
  // All in one bucket; what is stored of each position follows from its number.
  const auto key_of = [](std::uint64_t i) { return i << 40 | 5U; };
  std::atomic<int> found = 0;
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread)
      threads.emplace_back([&, thread] {
        std::mt19937 rng(thread);
        for (int n = 0; n < 100'000; ++n) {
          const std::uint64_t i = rng() % 16 + 1;
          const int number = static_cast<int>(i);
          const Move move(static_cast<Square>(i), static_cast<Square>(i + 1));
          if (n % 2 == 0)
            table.store(key_of(i), move, 10 * number, 7 * number, number, Bound::Exact, 0);
          else if (const auto entry = table.find(key_of(i))) {
            ++found;
            if (entry->move != move.bits() || entry->score != 10 * number ||
                entry->evaluation != 7 * number || entry->depth != number)
              ++wrong;
          }
        }
      });
  }
  EXPECT_GT(found, 1000);
  EXPECT_EQ(wrong, 0);
}

TEST(AlphaBetaThreads, CountTheNodesOfAllAndVisitNoMore) {
  for (const int threads : {2, 4})
    for (const std::uint64_t nodes : {3000U, 40'000U, 150'000U}) {
      const SearchResult result = search_start(threads, {.nodes = nodes});
      EXPECT_LE(result.nodes, nodes);
      EXPECT_GT(result.nodes, nodes / 2);
    }
}

TEST(AlphaBetaThreads, HelpWithTheTable) {
  const SearchResult alone = search_start(1, {.depth = 8});
  const SearchResult together = search_start(4, {.depth = 8});
  EXPECT_EQ(together.depth, 8);
  EXPECT_GT(alone.nodes, 0U);
  EXPECT_NE(together.nodes, alone.nodes);
}

TEST(AlphaBetaThreads, StopWhenTheyAreToldOrTimeIsUp) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> stop = false;
  {
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(milliseconds(30));
      stop = true;
    });
    EXPECT_NE(search_start(4, {.stop = &stop}).move, Move::none());
  }
  EXPECT_TRUE(stop);
  EXPECT_NE(search_start(4, {.time = milliseconds(30)}).move, Move::none());
  EXPECT_EQ(search_start(4, {.time = milliseconds(0)}).depth, 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

/// An evaluation that fails in all threads but the one that made it.
class FailingElsewhere : public PositionEvaluation<ChessPosition> {
 public:
  int evaluate(const ChessPosition&) const override {
    if (std::this_thread::get_id() != home_) throw std::runtime_error("not here");
    return 0;
  }

 private:
  std::thread::id home_ = std::this_thread::get_id();
};

TEST(AlphaBetaThreads, PassOnWhatFailsInAHelper) {
  const auto searcher = make_alpha_beta_searcher<ChessPosition>(
      {.threads = 2}, false, std::make_shared<FailingElsewhere>());
  const PositionHistory<ChessPosition> history(ChessPosition::start({}));
  EXPECT_THROW(search<ChessPosition>(*searcher, history, {.time = milliseconds(500)}),
               std::runtime_error);
}

template <class P>
class AlphaBetaThreadsInEveryFamily : public testing::Test {};
TYPED_TEST_SUITE(AlphaBetaThreadsInEveryFamily, EveryFamily);

TYPED_TEST(AlphaBetaThreadsInEveryFamily, PlayLegalMovesThroughAGame) {
  using P = TypeParam;
  for (const int threads : {2, 4}) {
    // So small that its entries are replaced all the time.
    const auto searcher = make_alpha_beta_searcher<P>({.threads = threads, .table_mb = 1});
    PositionHistory<P> history(P::start(P::variant(VariantName{P::info().name, {}})));
    for (int ply = 0; ply < 12 && !is_over(history.outcome()); ++ply) {
      const SearchResult result = search<P>(*searcher, history, {.nodes = 3000});
      // The first iteration is always finished.
      ASSERT_TRUE(result.nodes <= 3000 || result.depth == 1) << result.nodes;
      ASSERT_FALSE(result.variation.empty());
      ASSERT_EQ(result.variation.front(), result.move);
      P position = history.position();
      typename P::MoveList moves;
      for (const Move move : result.variation) {
        position.legal_moves(moves);
        ASSERT_NE(std::ranges::find(moves, move), moves.end()) << position.fen();
        position.play(move);
      }
      history.play(result.move);
    }
  }
}

TYPED_TEST(AlphaBetaThreadsInEveryFamily, FindTheMates) {
  using P = TypeParam;
  const auto searcher = make_alpha_beta_searcher<P>({.threads = 3, .table_mb = 1});
  for (const MatePosition& mate : kMatePositions) {
    const VariantName name = parse_variant_name(mate.variant);
    if (name.family != P::info().name || mate.plies > 5) continue;
    SCOPED_TRACE(std::string(mate.variant) + " " + std::string(mate.fen));
    const PositionHistory<P> history(P::from_fen(P::variant(name), mate.fen));
    const SearchResult result = search<P>(*searcher, history, {.depth = mate.plies + 5});
    EXPECT_EQ(result.mate_plies, mate.plies);
    EXPECT_EQ(result.value.win, 1);
  }
}

}  // namespace
}  // namespace faultline::test
