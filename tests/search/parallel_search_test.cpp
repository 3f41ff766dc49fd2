// Several threads on one tree of bounded size, in every family.
#include "search/parallel_search.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "search/hash_evaluator.h"
#include "tests/families.h"
#include "tests/family_traits.h"
#include "tests/search/mate_solver.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kSmallest = std::size_t{1} << 20;

template <Position P>
void run(ParallelSearch<P>& search, const PositionHistory<P>& history, const SearchLimits& limits) {
  search.start(history, limits);
  while (!search.wait_until(Clock::now() + std::chrono::hours(1))) {
  }
}

/// No virtual loss is left, and each node's visits are its children's and its own: one, or more
/// where memory is full or a draw by repetition was taken back.
void check_tree(const Tree& tree, const ChildEdge& edge, bool exact) {
  ASSERT_EQ(tree.in_flight(edge.node, 1), 0U);
  ASSERT_NE(tree.node(edge.node).state, NodeState::Pending);
  ASSERT_LE(tree.child_count(edge.node), tree.node(edge.node).edge_count);
  if (tree.node(edge.node).state != NodeState::Expanded) return;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < tree.child_count(edge.node); ++i) {
    const ChildEdge child = tree.child(edge.node, i);
    below += child.visits;
    const Child& stored = Tree::children(tree.parent(edge.node))[i];
    const auto visits = static_cast<float>(child.visits);
    const float prior = unpack_prior(tree.edges(edge.node).prior(i));
    ASSERT_EQ(stored.exploration, prior / (1 + visits));
    ASSERT_EQ(stored.mean,
              Tree::value_sum(tree.node(child.node), child.visits) / std::max(visits, 1.0F));
    check_tree(tree, child, exact);
    if (testing::Test::HasFatalFailure()) return;
  }
  if (exact)
    ASSERT_EQ(below + 1, edge.visits);
  else
    ASSERT_LE(below + 1, edge.visits);
}
template <Position P>
void check(ParallelSearch<P>& search, bool exact) {
  search.look([&](const auto& s) {
    check_tree(s.tree(), s.root(), exact);
    EXPECT_LE(s.tree().used_bytes(), s.tree().capacity_bytes());
  });
}

template <Position P>
P start_position() {
  return P::start(P::variant({P::info().name, {}}));
}

template <class P>
class ParallelSearchOf : public testing::Test {};
TYPED_TEST_SUITE(ParallelSearchOf, test::EveryFamily);

TYPED_TEST(ParallelSearchOf, MakesExactlyTheVisitsAskedForAndLeavesNoVirtualLoss) {
  using P = TypeParam;
  HashEvaluator<P> evaluator;
  const PositionHistory<P> start(start_position<P>());
  for (const std::uint32_t leaves : {1U, 4U}) {
    ParallelSearch<P> search({}, 3, 8 * kSmallest, evaluator);
    run(search, start, {.visits = 1500, .leaves = leaves});
    search.look([](const auto& s) { EXPECT_EQ(s.root_visits(), 1500U); });
    EXPECT_EQ(search.new_visits(), 1500U);
    check(search, true);
  }
}

TYPED_TEST(ParallelSearchOf, HoldsItsBudgetAndGoesOnWhenItIsFull) {
  using P = TypeParam;
  HashEvaluator<P> evaluator;
  const PositionHistory<P> start(start_position<P>());
  ParallelSearch<P> search({}, 2, kSmallest, evaluator);
  run(search, start, {.visits = 30000});
  const auto [full, nodes, value] = search.look([](const auto& s) {
    EXPECT_LE(s.tree().reserved_bytes(), kSmallest);
    EXPECT_GT(s.tree().used_bytes(), s.tree().capacity_bytes() * 9 / 10);
    return std::tuple(s.is_full(), s.tree().node_count(), s.root_evaluation().value());
  });
  ASSERT_TRUE(full) << "the test is void";
  check(search, false);
  const std::uint32_t evaluations = search.evaluations();
  run(search, start, {.visits = 60000});
  search.look([&, nodes = nodes, value = value](const auto& s) {
    EXPECT_EQ(s.root_visits(), 60000U);
    EXPECT_EQ(s.tree().node_count(), nodes);
    EXPECT_NEAR(s.root_evaluation().value(), value, 0.2F);
  });
  EXPECT_EQ(search.evaluations(), 0U) << "nothing new can be kept; before: " << evaluations;
  check(search, false);
}

TYPED_TEST(ParallelSearchOf, GrowsAgainInTheRoomThatAMoveFrees) {
  using P = TypeParam;
  HashEvaluator<P> evaluator;
  PositionHistory<P> history(start_position<P>());
  // No draws that depend on the root: they would be taken back.
  ParallelSearch<P> search({.two_fold_draws = false}, 2, kSmallest, evaluator);
  int with_room = 0;
  for (int ply = 0; ply < 12; ++ply) {
    run(search, history, {.new_visits = 12000});
    check(search, false);
    ASSERT_FALSE(this->HasFatalFailure()) << ply;
    const auto [best, visits] = search.look([](const auto& s) {
      const auto moves = s.root_moves();
      const auto most = std::ranges::max_element(moves, {}, &RootMove::visits);
      return std::pair(most->move, most->visits);
    });
    history.play(best);
    if (is_over(history.outcome())) break;
    run(search, history, {.new_visits = 1});
    const std::uint32_t kept = visits;
    search.look([&](const auto& s) {
      EXPECT_EQ(s.root_visits(), kept + 1) << "the subtree below the move stays";
      // Where nearly all visits were below one move, little is freed, in small pieces.
      if (s.tree().used_bytes() > s.tree().capacity_bytes() * 3 / 4) return;
      EXPECT_FALSE(s.is_full()) << ply;
      ++with_room;
    });
  }
  EXPECT_GT(with_room, 0) << "the test is void";
}

TYPED_TEST(ParallelSearchOf, AReusedSubtreeIsWhatTheGrowingTreeKeeps) {
  // A budget that suffices changes nothing: the same search as Search<P>, move after move.
  using P = TypeParam;
  HashEvaluator<P> evaluator;
  PositionHistory<P> history(start_position<P>());
  ParallelSearch<P> bounded({}, 1, 16 * kSmallest, evaluator);
  Search<P> growing({}, history);
  EvalBatch<P> batch;
  std::mt19937_64 rng(3);
  for (int ply = 0; ply < 10; ++ply) {
    const std::uint32_t visits = growing.root_visits() + 400;
    run(bounded, history, {.visits = visits});
    while (growing.root_visits() < visits) {
      if (growing.gather(batch) != Search<P>::Gathered::Leaf) continue;
      evaluator.evaluate(batch);
      growing.apply(batch);
      batch.clear();
    }
    const auto expected = growing.root_moves();
    const auto found = bounded.look([](const auto& s) { return s.root_moves(); });
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].move, expected[i].move);
      ASSERT_EQ(found[i].visits, expected[i].visits) << ply;
      ASSERT_EQ(found[i].value, expected[i].value);
      ASSERT_EQ(found[i].draw, expected[i].draw);
    }
    const Move move = rng() % 3 == 0 ? expected[rng() % expected.size()].move : growing.best_move();
    history.play(move);
    growing.advance(move);
    if (is_over(history.outcome())) break;
  }
}

TYPED_TEST(ParallelSearchOf, ClaimsOnlyMatesThatAreForced) {
  using P = TypeParam;
  test::Random rng(2);
  const typename P::Variant& v = P::variant({P::info().name, {}});
  HashEvaluator<P> evaluator;
  ParallelSearch<P> search({}, 2, 16 * kSmallest, evaluator);
  int wins = 0, longer_wins = 0, losses = 0, positions = 0;
  // More of them: SolverOf.ClaimsOnlyMatesThatAreForced.
  for (; positions < 2000 && (wins < 6 || longer_wins < 2 || losses < 6); ++positions) {
    const PositionHistory<P> history(test::sparse_position<P>(v, rng));
    if (is_over(history.outcome())) continue;
    run(search, history, {.visits = 1500});
    search.look([&](const auto& s) {
      for (const RootMove& move : s.root_moves()) {
        const std::optional<int> mate = s.mate_after(move.move);
        EXPECT_EQ(move.mate_plies, mate.value_or(0));
        if (!mate || std::abs(*mate) > 4) continue;
        P next = history.position();
        next.play(move.move);
        test::MateSolver solver;
        const bool is_forced = *mate > 0 ? solver.is_mated_within(next, *mate - 1)
                                         : solver.mates_within(next, -*mate - 1);
        EXPECT_TRUE(is_forced) << history.position().fen() << " "
                               << history.position().move_text(move.move) << " " << *mate;
        // The line is as long as the mate, and ends with it.
        const auto line = s.principal_variation(move.move, 64);
        EXPECT_EQ(line.size(), static_cast<std::size_t>(std::abs(*mate)));
        P end = history.position();
        for (const Move m : line)
          end.play(m);
        EXPECT_TRUE(is_over(end.outcome(end.count_legal_moves() > 0)));
        ++(*mate > 0 ? wins : losses);
        if (*mate > 1) ++longer_wins;
      }
    });
    if (this->HasFailure()) break;
  }
  EXPECT_GE(wins, 6) << positions;
  EXPECT_GE(longer_wins, 2) << positions;
  EXPECT_GE(losses, 6) << positions;
}

TEST(ParallelSearch, IsDeterministicWithOneThread) {
  using P = ChessPosition;
  HashEvaluator<P> evaluator;
  const PositionHistory<P> start(P::start({}));
  std::vector<std::vector<RootMove>> found;
  for (int again = 0; again < 2; ++again) {
    ParallelSearch<P> search({}, 1, 2 * kSmallest, evaluator);
    run(search, start, {.visits = 25000});
    found.push_back(search.look([](const auto& s) { return s.root_moves(); }));
  }
  for (std::size_t i = 0; i < found[0].size(); ++i) {
    EXPECT_EQ(found[0][i].visits, found[1][i].visits);
    EXPECT_EQ(found[0][i].value, found[1][i].value);
  }
}

TEST(ParallelSearch, NeitherStallsNorOvercountsWhereFewLeavesExist) {
  using P = ChessPosition;
  HashEvaluator<P> evaluator;
  // A single legal move; every move draws by the hundredth ply; half of the moves do after one
  // more.
  for (const char* fen : {"7k/8/5K2/8/8/8/8/6R1 b - - 0 1", "7k/8/8/8/8/8/R7/K7 w - - 99 90",
                          "7k/p7/8/8/8/8/R7/K7 w - - 98 90"}) {
    const PositionHistory<P> history(P::from_fen({}, fen));
    ASSERT_FALSE(is_over(history.outcome())) << fen;
    for (const std::uint32_t visits : {1U, 2U, 3U, 500U}) {
      ParallelSearch<P> search({}, 4, kSmallest, evaluator);
      run(search, history, {.visits = visits, .leaves = 4});
      search.look([&](const auto& s) { EXPECT_EQ(s.root_visits(), visits) << fen; });
    }
  }
}

TEST(ParallelSearch, EndsWithLimitsThatCannotBeReached) {
  using P = ChessPosition;
  HashEvaluator<P> evaluator;
  // Every move draws by the hundredth ply: the tree is one ply deep, and has one evaluation.
  const PositionHistory<P> history(P::from_fen({}, "7k/8/8/8/8/8/R7/K7 w - - 99 90"));
  ParallelSearch<P> search({}, 2, kSmallest, evaluator);
  run(search, history, {.evaluations = 1000});
  EXPECT_EQ(search.evaluations(), 1U);
  run(search, history, {.depth = 40});
  EXPECT_EQ(search.depth(), 1);
}

TEST(ParallelSearch, EndsAtTheMeanDepthOfItsDescents) {
  using P = ChessPosition;
  HashEvaluator<P> evaluator;
  ParallelSearch<P> search({}, 2, 64 * kSmallest, evaluator);
  for (const int depth : {1, 3, 5}) {
    search.clear();
    run(search, PositionHistory<P>(P::start({})), {.depth = depth});
    EXPECT_EQ(search.depth(), depth);
  }
}

/// Fails at one of its evaluations.
class FailingEvaluator final : public Evaluator<ChessPosition> {
 public:
  void submit(EvalBatch<ChessPosition>& batch) override {
    if (left_.fetch_sub(1) == 1) throw std::runtime_error("out of order");
    HashEvaluator<ChessPosition>{}.evaluate(batch);
  }
  void wait(EvalBatch<ChessPosition>&) override {}
  void fail_after(int evaluations) { left_ = evaluations; }

 private:
  std::atomic<int> left_ = 0;
};

TEST(ParallelSearch, PassesOnWhatAnEvaluatorThrowsAndCanGoOn) {
  using P = ChessPosition;
  FailingEvaluator evaluator;
  const PositionHistory<P> start(P::start({}));
  ParallelSearch<P> search({}, 3, 4 * kSmallest, evaluator);
  for (const int evaluations : {1, 2, 7, 100}) {
    evaluator.fail_after(evaluations);
    EXPECT_THROW(run(search, start, {.visits = 100000, .leaves = 3}), std::runtime_error);
    if (evaluations > 1) check(search, true);
    search.look([](const auto& s) { EXPECT_EQ(s.tree().in_flight(s.root().node, 1), 0U); });
  }
  run(search, start, {.new_visits = 1000});
  EXPECT_EQ(search.new_visits(), 1000U);
  check(search, true);
}

TEST(ParallelSearch, IsStoppedByAnotherThreadAndByItsOwner) {
  using P = ChessPosition;
  HashEvaluator<P> evaluator;
  ParallelSearch<P> search({}, 2, kSmallest, evaluator);
  const PositionHistory<P> start(P::start({}));
  std::atomic<bool> stop = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  run(search, start, {.stop = &stop});
  other.join();
  EXPECT_GT(search.new_visits(), 0U);
  search.start(start, {});
  EXPECT_FALSE(search.wait_until(Clock::now() + std::chrono::milliseconds(10)));
  search.stop();
  EXPECT_TRUE(search.wait_until(Clock::now()));
  check(search, false);
  // An engine may be told to quit in the middle of a search.
  ParallelSearch<P> abandoned({}, 2, kSmallest, evaluator);
  abandoned.start(start, {});
}

}  // namespace
}  // namespace faultline
