// Batches in which some positions already have an evaluation.
#include "search/evaluator.h"

#include <vector>

#include <gtest/gtest.h>

#include "rules/families/chess.h"
#include "search/hash_evaluator.h"

namespace faultline {
namespace {

using P = ChessPosition;

const Evaluation kKnown{.win = 0.25F, .draw = 0.5F, .loss = 0.25F, .moves_left = 7};

/// Every position of a short game; those with an odd index have kKnown and priors of 3.
EvalBatch<P> half_answered(bool answer_odd_ones) {
  EvalBatch<P> batch;
  P position = P::start(P::variant({"chess", {}}));
  for (std::size_t i = 0; i < 7; ++i) {
    P::MoveList moves;
    position.legal_moves(moves);
    const std::span<const Move> all(moves.begin(), moves.end());
    const std::size_t index =
        answer_odd_ones && i % 2 == 1
            ? batch.add_answered(position, 0, all, kKnown, std::vector<float>(all.size(), 3.0F))
            : batch.add(position, 0, all);
    EXPECT_EQ(index, i);
    position.play(moves[i]);
  }
  return batch;
}

template <class E>
void expect_answered_positions_are_skipped() {
  E evaluator;
  EvalBatch<P> plain = half_answered(false), mixed = half_answered(true);
  EXPECT_EQ(plain.unanswered(), 7U);
  EXPECT_EQ(plain.unanswered_moves(), plain.total_moves());
  EXPECT_EQ(mixed.unanswered(), 4U);
  evaluator.evaluate(plain);
  evaluator.evaluate(mixed);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    EXPECT_EQ(mixed.answered(i), i % 2 == 1);
    const Evaluation expected = i % 2 == 1 ? kKnown : plain.evaluation(i);
    EXPECT_EQ(mixed.evaluation(i).win, expected.win);
    EXPECT_EQ(mixed.evaluation(i).moves_left, expected.moves_left);
    for (std::size_t m = 0; m < mixed.priors(i).size(); ++m)
      EXPECT_EQ(mixed.priors(i)[m], i % 2 == 1 ? 3.0F : plain.priors(i)[m]);
  }
}

TEST(EvalBatch, UniformEvaluatorsLeaveAnsweredPositionsAsTheyAre) {
  expect_answered_positions_are_skipped<UniformEvaluator<P>>();
}
TEST(EvalBatch, HashEvaluatorsLeaveAnsweredPositionsAsTheyAre) {
  expect_answered_positions_are_skipped<HashEvaluator<P>>();
}

TEST(EvalBatch, AKnownEvaluationCanBeReadImmediately) {
  const EvalBatch<P> batch = half_answered(true);
  EXPECT_EQ(batch.evaluation(5).moves_left, 7.0F);
  EXPECT_EQ(batch.priors(5).front(), 3.0F);
  EXPECT_EQ(batch.priors(5).back(), 3.0F);
}

TEST(EvalBatch, IsReusedWithoutOldEvaluations) {
  EvalBatch<P> batch = half_answered(true);
  UniformEvaluator<P>().evaluate(batch);
  const P position = batch.position(1);
  const std::vector<Move> moves(batch.moves(1).begin(), batch.moves(1).end());
  batch.clear();
  EXPECT_EQ(batch.unanswered(), 0U);
  batch.add(position, 0, moves);
  EXPECT_FALSE(batch.answered(0));
  UniformEvaluator<P>().evaluate(batch);
  EXPECT_EQ(batch.evaluation(0).moves_left, 0.0F);
  EXPECT_EQ(batch.priors(0).front(), 1.0F / static_cast<float>(moves.size()));
}

}  // namespace
}  // namespace faultline
