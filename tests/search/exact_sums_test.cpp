// Sums of evaluations at counts where floats lose what is added.
#include "search/exact_sums.h"

#include <limits>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/budgeted_tree.h"
#include "search/search.h"
#include "search/tree_reuse.h"
#include "tests/search/run_visits.h"

namespace faultline {
namespace {

TEST(EvaluationSum, CountsBeyondWhatAFloatCan) {
  const FixedEvaluation visit({.win = 0.5F, .draw = 0.3F, .loss = 0.2F, .moves_left = 40.3F});
  EvaluationSum sum;
  float plain = 0;
  constexpr std::uint32_t kCount = 1U << 25;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    sum.add(visit);
    plain += 0.3F;
  }
  const Evaluation mean = sum.mean(kCount);
  EXPECT_NEAR(mean.value(), 0.3F, 1e-6F);
  EXPECT_NEAR(mean.draw, 0.3F, 1e-6F);
  EXPECT_NEAR(mean.moves_left, 40.3F, 2e-4F);
  EXPECT_FLOAT_EQ(sum.draw_sum(), 0.3F * kCount);
  EXPECT_LT(plain, 0.28F * kCount) << "the test is void";
}

TEST(EvaluationSum, IsRightAtTheMostVisitsOfASearch) {
  constexpr std::uint32_t kMost = 1U << 31;
  EvaluationSum sum;
  const FixedEvaluation lost({.win = 0, .draw = 0, .loss = 1, .moves_left = 1e30F});
  sum.value = lost.value * kMost;
  sum.moves_left = lost.moves_left * kMost;
  const Evaluation mean = sum.mean(kMost);
  EXPECT_EQ(mean.loss, 1.0F);
  EXPECT_EQ(mean.moves_left, FixedEvaluation::kMostPlies);
}

TEST(FixedEvaluation, TakesWhatAnEvaluatorShouldNotReturn) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const FixedEvaluation strange({.win = kNaN, .draw = kNaN, .loss = 0, .moves_left = kNaN});
  EXPECT_EQ(strange.draw, 0);
  EXPECT_EQ(strange.moves_left, 0);
  EXPECT_EQ(FixedEvaluation({.win = 3, .draw = -1, .loss = 0, .moves_left = -7}).value,
            static_cast<std::int64_t>(FixedEvaluation::kUnits));
}

/// Every line lasts until the same ply.
class EndsAtPly final : public Evaluator<ChessPosition> {
 public:
  explicit EndsAtPly(float ply) : ply_(ply) {}
  void submit(EvalBatch<ChessPosition>& batch) override {
    UniformEvaluator<ChessPosition>{}.evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const ChessPosition& p = batch.position(i);
      const int played =
          2 * (p.full_move_number() - 1) + (p.side_to_move() == Colour::Black ? 1 : 0);
      batch.evaluation(i).moves_left = ply_ - static_cast<float>(played);
    }
  }
  void wait(EvalBatch<ChessPosition>&) override {}

 private:
  float ply_;
};

TEST(Search, CountsTheFractionsOfPliesAfterManyVisits) {
  // Nobody can mate or repeat a position three times within a few plies.
  const PositionHistory<ChessPosition> start(
      ChessPosition::from_fen({}, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"));
  Search<ChessPosition> search({.two_fold_draws = false}, start);
  EndsAtPly evaluator(1000.3F);
  test::run_visits(search, evaluator, 100'000, 8);
  EXPECT_NEAR(search.root_evaluation().moves_left, 1000.3F, 1e-3F);
  for (const RootMove& move : search.root_moves())
    EXPECT_NEAR(move.moves_left, 1000.3F, 1e-3F);
}

TEST(TreeReuse, TakesBackEveryVisitOfATwofoldDraw) {
  // More visits than a float can count.
  constexpr std::uint32_t kDraws = (1U << 24) + 12345;
  BudgetedTree<64> tree(BudgetedTree<64>::kLeastBytes);
  const Handle root = tree.try_add_node().value();
  ASSERT_TRUE(tree.try_reserve_edges(tree.node(root), 1));
  tree.add_edges(tree.node(root), 1);
  tree.node(root).state = NodeState::Expanded;
  ChildEdge& draw = *tree.try_add_child(root);
  draw.visits = kDraws;
  tree.node(draw.node).state = NodeState::TwoFold;
  const FixedEvaluation own({.win = 0.5F, .draw = 0.25F, .loss = 0.25F, .moves_left = 7});
  FixedEvaluation visit({.win = 0, .draw = 1, .loss = 0, .moves_left = 0});
  tree.node(root).sums.add(own);
  for (std::uint32_t i = 0; i < kDraws; ++i)
    tree.node(draw.node).sums.add(visit);
  visit.step_back();
  for (std::uint32_t i = 0; i < kDraws; ++i)
    tree.node(root).sums.add(visit);
  const ChildEdge edge{
      .node = root, .visits = kDraws + 1, .value_sum = 0, .in_flight = 0, .prior = 0};
  EXPECT_EQ(keep_subtree(tree, edge), kDraws);
  EXPECT_EQ(draw.visits, 0U);
  EXPECT_EQ(tree.node(draw.node).state, NodeState::Fresh);
  EXPECT_EQ(tree.node(root).sums.draw, own.draw);
  EXPECT_EQ(tree.node(root).sums.moves_left, own.moves_left);
  EXPECT_EQ(tree.node(draw.node).sums.draw, 0);
}

}  // namespace
}  // namespace faultline
