// Batches of positions, and that they are used again.
#include "search/evaluator.h"

#include <vector>

#include <gtest/gtest.h>

#include "rules/families/chess.h"
#include "search/hash_evaluator.h"

namespace faultline {
namespace {

/// Every position of a short game.
EvalBatch<ChessPosition> short_game() {
  EvalBatch<ChessPosition> batch;
  ChessPosition position = ChessPosition::start(ChessPosition::variant({"chess", {}}));
  for (std::size_t i = 0; i < 7; ++i) {
    ChessPosition::MoveList moves;
    position.legal_moves(moves);
    EXPECT_EQ(batch.add(position, 0, {moves.begin(), moves.end()}), i);
    position.play(moves[i]);
  }
  return batch;
}

TEST(EvalBatch, GivesEachPositionItsOwnPriors) {
  EvalBatch<ChessPosition> batch = short_game();
  HashEvaluator<ChessPosition>().evaluate(batch);
  std::size_t moves = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(batch.first_move(i), moves);
    moves += batch.moves(i).size();
    ASSERT_EQ(batch.priors(i).size(), batch.moves(i).size());
    EvalBatch<ChessPosition> alone;
    alone.add(batch.position(i), 0, batch.moves(i));
    HashEvaluator<ChessPosition>().evaluate(alone);
    EXPECT_EQ(batch.evaluation(i).win, alone.evaluation(0).win);
    for (std::size_t m = 0; m < alone.priors(0).size(); ++m)
      EXPECT_EQ(batch.priors(i)[m], alone.priors(0)[m]);
  }
  EXPECT_EQ(batch.total_moves(), moves);
}

TEST(EvalBatch, IsReusedWithoutOldEvaluations) {
  EvalBatch<ChessPosition> batch = short_game();
  HashEvaluator<ChessPosition>().evaluate(batch);
  const ChessPosition position = batch.position(1);
  const std::vector<Move> moves(batch.moves(1).begin(), batch.moves(1).end());
  batch.clear();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.total_moves(), 0U);
  batch.add(position, 0, moves);
  UniformEvaluator<ChessPosition>().evaluate(batch);
  EXPECT_EQ(batch.evaluation(0).moves_left, 0.0F);
  EXPECT_EQ(batch.priors(0).front(), 1.0F / static_cast<float>(moves.size()));
}

}  // namespace
}  // namespace faultline
