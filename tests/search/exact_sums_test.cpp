// Sums of evaluations at counts where floats lose what is added.
#include "search/exact_sums.h"

#include <limits>
#include <span>

#include <gtest/gtest.h>

#include "rules/families.h"
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
  const FixedEvaluation own({.win = 0.5F, .draw = 0.25F, .loss = 0.25F, .moves_left = 7});
  for (const bool in_place : {false, true}) {
    Tree tree(Tree::kLeastBytes);
    const Handle leaf = tree.add_node(NodeState::Expanded, 1);
    tree.childless(leaf).value = static_cast<std::int32_t>(own.value);
    tree.childless(leaf).draw = static_cast<std::uint32_t>(own.draw);
    tree.childless(leaf).moves_left = static_cast<std::uint32_t>(own.moves_left);
    tree.edges(leaf).set_prior(0, pack_prior(1));
    tree.edges(leaf).set_move_index(0, 0);
    const Move move = Move::from_bits(1);
    const Handle root = tree.make_room_for_child(leaf, 1, std::span<const Move>(&move, 1));
    const Handle draw = tree.add_node(NodeState::TwoFold, 0);
    FixedEvaluation visit({.win = 0, .draw = 1, .loss = 0, .moves_left = 0});
    tree.childless(draw).draw = static_cast<std::uint32_t>(visit.draw);
    tree.add_child(root, draw);
    Tree::children(tree.parent(root))[0].visits = kDraws;
    visit.step_back();
    tree.parent(root).sums.add(visit, kDraws);

    const ChildEdge edge{.node = root, .visits = kDraws + 1};
    Tree copy(Tree::kLeastBytes);
    const ChildEdge kept = in_place ? keep_subtree(tree, edge) : copy_subtree(tree, edge, copy);
    const Tree& result = in_place ? tree : copy;
    EXPECT_EQ(kept.visits, 1U);
    const ChildEdge child = result.child(kept.node, 0);
    EXPECT_EQ(child.visits, 0U);
    EXPECT_EQ(child.move, move);
    EXPECT_EQ(Tree::children(result.parent(kept.node))[0].exploration, 1.0F);
    EXPECT_EQ(result.node(child.node).state, NodeState::Fresh);
    EXPECT_EQ(result.sums(kept.node, 1).draw, own.draw);
    EXPECT_EQ(result.sums(kept.node, 1).moves_left, own.moves_left);
    EXPECT_EQ(result.sums(kept.node, 1).value, own.value);
  }
}

}  // namespace
}  // namespace faultline
