// Material, and the evaluator that counts it.
#include "search/material.h"

#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "search/material_evaluator.h"
#include "tests/families.h"

namespace faultline::test {
namespace {

using Chess = ChessPosition;

Chess chess(const std::string& fen) {
  return Chess::from_fen({}, fen);
}

TEST(Material, IsCountedForTheSideToMove) {
  EXPECT_EQ(material_balance(chess("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1")), 1220);
  EXPECT_EQ(material_balance(chess("4k3/8/8/8/8/8/8/QN2K3 b - - 0 1")), -1220);
  EXPECT_EQ(material_balance(chess("r2bk3/p7/8/8/8/8/P7/R2BK3 w - - 0 1")), 0);
}

TEST(Material, IncludesChancellorsUltrasAndEveryLevel) {
  const auto& ultra = variant<SlantedPosition>("slanted:army=almost");
  const auto slanted = SlantedPosition::from_fen(ultra, "5k4/10/10/8/8/8/10/10/1M1U1K4 w - - 0 1");
  EXPECT_EQ(material_balance(slanted), 1500);
  const auto& two = variant<InfernoPosition>("inferno:levels=2");
  const auto inferno =
      InfernoPosition::from_fen(two, "4k3/8/8/8/8/8/8/Q3K3|4k3/8/8/8/8/8/r7/1R2K3 w -|- - 0 1");
  EXPECT_EQ(material_balance(inferno), 900);
}

TEST(Material, KnowsWhatMovesTake) {
  const Chess p = chess("r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1");
  const auto taken = [&](const char* move) { return captured_type(p, p.parse_move(move).value()); };
  EXPECT_EQ(taken("b7a8q"), PieceType::Rook);
  EXPECT_EQ(taken("b7b8q"), PieceType::None);
  EXPECT_EQ(taken("e5d6"), PieceType::Pawn);
  EXPECT_EQ(taken("e5e6"), PieceType::None);
  EXPECT_EQ(taken("e1g1"), PieceType::None);
}

TEST(Material, PrefersValuableVictimsThenCheapAttackers) {
  const Chess p = chess("4k3/8/2q1r3/3P4/8/8/8/2R3K1 w - - 0 1");
  const auto value = [&](const char* move) {
    return tactical_value(p, p.parse_move(move).value());
  };
  EXPECT_GT(value("d5c6"), value("c1c6"));
  EXPECT_GT(value("c1c6"), value("d5e6"));
  EXPECT_GT(value("d5e6"), 0);
  EXPECT_EQ(value("c1a1"), 0);
}

template <class P>
class MaterialInEveryFamily : public testing::Test {};
TYPED_TEST_SUITE(MaterialInEveryFamily, EveryFamily);

TYPED_TEST(MaterialInEveryFamily, EveryPieceIsVisitedOnce) {
  using P = TypeParam;
  Random rng(20250105);
  for (const std::string& name : option_sets<P>()) {
    const P position = sparse_position<P>(variant<P>(name), rng);
    std::map<Square, Piece> visited;
    position.for_each_piece([&](Colour c, PieceType t, Square s) {
      EXPECT_TRUE(visited.emplace(s, Piece{t, c}).second);
    });
    std::map<Square, Piece> there;
    for (const PictureSquare& square : position.board_picture().squares)
      if (square.piece.exists()) there.emplace(square.square, square.piece);
    EXPECT_EQ(visited, there) << position.fen();
    for (const auto& [square, piece] : visited)
      EXPECT_EQ(position.piece_at(square), piece);
  }
}

TYPED_TEST(MaterialInEveryFamily, IsEvaluatedByItsSignAndFavoursCaptures) {
  using P = TypeParam;
  Random rng(20250106);
  for (const std::string& name : option_sets<P>()) {
    EvalBatch<P> batch;
    P position = P::start(variant<P>(name));
    for (int plies = 0; plies < 20; ++plies) {
      typename P::MoveList moves;
      position.legal_moves(moves);
      if (is_over(position.outcome(!moves.empty()))) break;
      batch.add(position, 0, {moves.begin(), moves.end()});
      position.play(random_move(moves, false, rng));
    }
    MaterialEvaluator<P>().evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const P& p = batch.position(i);
      const Evaluation& e = batch.evaluation(i);
      EXPECT_NEAR(e.win + e.draw + e.loss, 1, 1e-6F);
      EXPECT_GE(e.draw, 0);
      const int balance = material_balance(p);
      EXPECT_EQ(e.value() > 0, balance > 0);
      EXPECT_EQ(e.value() < 0, balance < 0);
      const auto priors = batch.priors(i);
      EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0F), 1, 1e-4F);
      const auto moves = batch.moves(i);
      float quiet = 0;
      for (std::size_t m = 0; m < moves.size(); ++m)
        if (tactical_value(p, moves[m]) == 0) quiet = priors[m];
      for (std::size_t m = 0; m < moves.size(); ++m) {
        if (tactical_value(p, moves[m]) > 0)
          EXPECT_GT(priors[m], quiet) << p.fen() << " " << p.move_text(moves[m]);
        else
          EXPECT_EQ(priors[m], quiet);
      }
    }
  }
}

}  // namespace
}  // namespace faultline::test
