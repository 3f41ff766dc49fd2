// Escher Staircase: the inventor's figures and every ruling of docs/rules.md.
#include "rules/families/escher.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/rules/families/move_texts.h"

namespace faultline {
namespace {

using test::after;

EscherPosition escher(const std::string& fen) {
  return EscherPosition::from_fen({}, fen);
}

TEST(Escher, StartsWithBlackKingAndQueenExchanged) {
  EXPECT_EQ(EscherPosition::start({}).fen(),
            "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
}

TEST(Escher, TheInventorsSampleOpeningIsLegalAndEndsAsPublished) {
  EscherPosition p = after(EscherPosition::start({}), {"e2e4", "e7e5", "f1c4", "c7c5"});
  p = after(p, {"c3a5"});
  EXPECT_TRUE(p.in_check()) << "Ba5 gives check";
  p = after(p, {"b7b6", "a5c3", "c6a4", "c8a6", "g8f6", "b1c3", "a4c6"});
  EXPECT_EQ(p.fen(), "brn1kq1r/p2p1ppp/1pb2n2/4p3/P3P3/R1N5/1PPP2PP/B1QK1NRB w - - 4 7");
}

TEST(Escher, StaircasesAreThoseOfTheTable) {
  const auto& stairs = EscherPosition::staircases();
  const auto has = [&](std::array<Square, 6> squares) {
    return std::any_of(stairs.begin(), stairs.end(),
                       [&](const Staircase& s) { return s.squares == squares; });
  };
  EXPECT_TRUE(has({56, 57, 58, 59, 60, 61})) << "row 8, a to f";
  EXPECT_TRUE(has({47, 46, 45, 44, 43, 42})) << "row 6, h to c";
  EXPECT_TRUE(has({16, 17, 18, 19, 20, 21})) << "row 3, a to f";
  EXPECT_TRUE(has({7, 6, 5, 4, 3, 2})) << "row 1, h to c";
  EXPECT_TRUE(has({0, 8, 16, 24, 32, 40})) << "column a, up";
  EXPECT_TRUE(has({58, 50, 42, 34, 26, 18})) << "column c, down";
  EXPECT_TRUE(has({5, 13, 21, 29, 37, 45})) << "column f, up";
  EXPECT_TRUE(has({63, 55, 47, 39, 31, 23})) << "column h, down";
}

TEST(Escher, AStepBackwardsOnAStaircaseIsAPass) {
  // The rook on a3 steps back to a2 and is carried to a3 again; nothing else is on column a, and
  // row 3, which a3 is on too, carries nothing.
  EscherPosition p = after(escher("6k1/8/8/8/8/R7/8/6K1 w - - 0 1"), {"a3a2"});
  EXPECT_EQ(p.fen(), "6k1/8/8/8/8/R7/8/6K1 b - - 1 1");
}

TEST(Escher, AStepForwardsAdvancesTwoSquares) {
  EscherPosition p = after(escher("6k1/8/8/8/8/8/R7/6K1 w - - 0 1"), {"a2a3"});
  EXPECT_EQ(p.fen(), "6k1/8/8/8/R7/8/8/6K1 b - - 1 1");
}

TEST(Escher, APieceOnTwoStaircasesIsStuckWhileBothWouldCarryOntoItsSquare) {
  // c3 is on row 3 (b3 would come) and on column c (c4 would come).
  const EscherPosition stuck = escher("6k1/8/8/8/2P5/1PQ5/8/6K1 w - - 0 1");
  EXPECT_FALSE(stuck.parse_move("c3d4"));
  EscherPosition::MoveList moves;
  stuck.legal_moves(moves);
  for (const Move m : moves)
    EXPECT_NE(stuck.move_text(m).substr(0, 2), "c3");
  EXPECT_TRUE(escher("6k1/8/8/8/2P5/2Q5/8/6K1 w - - 0 1").parse_move("c3d4"));
}

TEST(Escher, CapturingOneOfTwoThatWouldCollideIsAllowedOnlyIfTheMoverThenDoesNotCollide) {
  // The queen takes c4 and is itself carried back onto c3, where b3 arrives too.
  EXPECT_FALSE(escher("6k1/8/8/8/2p5/1PQ5/8/6K1 w - - 0 1").parse_move("c3c4"));
  EXPECT_TRUE(escher("6k1/8/8/8/2p5/2Q5/8/6K1 w - - 0 1").parse_move("c3c4"));
}

TEST(Escher, AStuckPieceStillGivesCheck) {
  // The queen on c3 cannot move (b3 and c4 would collide there) but still attacks h8.
  const EscherPosition p = escher("7k/8/8/8/2P5/1PQ5/8/6K1 b - - 0 1");
  EXPECT_TRUE(p.in_check());
  EXPECT_FALSE(p.parse_move("h8g7")) << "g7 is on the queen's line";
}

TEST(Escher, WhitePawnsAreCarriedOntoTheLastRowAndBecomeQueens) {
  // c3 to c8: a different piece leaves column c.
  EscherPosition p = after(escher("6k1/4p3/8/8/2N5/2P5/8/6K1 w - - 0 1"), {"c4b6"});
  EXPECT_EQ(p.fen(), "2Q3k1/4p3/1N6/8/8/8/8/6K1 b - - 1 1");
  EXPECT_EQ(p.halfmove_clock(), 1) << "a promotion by a staircase does not reset the count";
  EXPECT_EQ(p.repetition_window(), 0) << "but no earlier position can recur";
  p = after(escher("4k3/8/8/8/7N/7P/8/1K6 w - - 7 1"), {"h4g6"});
  EXPECT_EQ(p.fen(), "4k2Q/8/6N1/8/8/8/8/1K6 b - - 8 1");
}

TEST(Escher, BlackPawnsToo) {
  EscherPosition p = after(escher("6k1/1K6/5p2/8/5N2/8/8/8 w - - 3 1"), {"f4e2"});
  EXPECT_EQ(p.piece_at(5), (Piece{PieceType::Queen, Colour::Black})) << "f6 to f1";
  p = after(escher("6k1/8/p7/8/6K1/N7/8/8 w - - 3 1"), {"a3b5"});
  EXPECT_EQ(p.piece_at(0), (Piece{PieceType::Queen, Colour::Black})) << "a6 to a1";
}

TEST(Escher, APawnCarriedToItsOwnFirstRowStaysAPawnAndMayAdvanceTwo) {
  EscherPosition p = escher("6k1/8/P7/8/8/1N6/R7/6K1 w - - 0 1");
  p = after(p, {"a2b2", "g8g7"});
  EXPECT_EQ(p.piece_at(0), (Piece{PieceType::Pawn, Colour::White}));
  EXPECT_TRUE(p.parse_move("a1a3"));
  EXPECT_TRUE(p.parse_move("a1a2"));
}

TEST(Escher, ThereIsNoCastling) {
  EXPECT_FALSE(escher("6k1/8/8/8/8/8/8/R3K2R w - - 0 1").parse_move("e1g1"));
}

TEST(Escher, AMoveWhoseStaircasesExposeTheKingIsIllegal) {
  // The bishop on c5 blocks the rook's check; a knight that leaves c3 sets column c in motion,
  // which carries the bishop down.
  const EscherPosition p = escher("6k1/8/8/K1B4r/8/2N5/8/8 w - - 0 1");
  ASSERT_FALSE(p.in_check());
  EXPECT_FALSE(p.parse_move("c3e2"));
  EXPECT_TRUE(escher("6k1/8/8/K1B4r/8/1N6/8/8 w - - 0 1").parse_move("b3d2"))
      << "from b3 only row 3 advances";
}

TEST(Escher, StaircasesMayCarryABlockerBetweenKingAndChecker) {
  // Rook h5 checks the king on a5. A knight leaving c3 carries the bishop from c6 to c5.
  const EscherPosition p = escher("6k1/8/2B5/K6r/8/2N5/8/8 w - - 0 1");
  ASSERT_TRUE(p.in_check());
  EXPECT_TRUE(p.parse_move("c3e2"));
}

TEST(Escher, AKingMayBeCarriedOutOfCheckOrIntoIt) {
  // The king on a4 is checked along its row; a piece leaving a1 carries it on to a5.
  const EscherPosition out = escher("6k1/8/8/8/K6r/8/8/R7 w - - 0 1");
  ASSERT_TRUE(out.in_check());
  EXPECT_TRUE(out.parse_move("a1b1"));
  const EscherPosition into = escher("6k1/8/8/7r/K7/8/8/R7 w - - 0 1");
  ASSERT_FALSE(into.in_check());
  EXPECT_FALSE(into.parse_move("a1b1"));
}

TEST(Escher, RepetitionReachesBackOverPawnMovesButNotOverCaptures) {
  // A pawn step backwards is impossible, but a staircase can carry a pawn round to its earlier
  // square.
  PositionHistory<EscherPosition> history(escher("6k1/8/8/8/8/8/P7/6K1 w - - 0 1"));
  history.play(*history.position().parse_move("a2a3"));
  EXPECT_EQ(history.position().halfmove_clock(), 0);
  EXPECT_EQ(history.position().repetition_window(), 1);
  EscherPosition p = after(escher("6k1/8/8/8/8/8/1r6/1R4K1 w - - 5 1"), {"b1b2"});
  EXPECT_EQ(p.repetition_window(), 0);
}

TEST(Escher, TwoPassesRepeatThePosition) {
  // a3-a2 is carried back to a3, b8-a8 back to b8.
  PositionHistory<EscherPosition> history(escher("1r4k1/8/8/8/8/R7/8/6K1 w - - 0 1"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(history.outcome(), Outcome::Ongoing);
    history.play(*history.position().parse_move("a3a2"));
    history.play(*history.position().parse_move("b8a8"));
    EXPECT_EQ(history.position().fen().substr(0, 30),
              "1r4k1/8/8/8/8/R7/8/6K1 w - - " + std::to_string(2 * i + 2));
  }
  EXPECT_EQ(history.outcome(), Outcome::Repetition);
}

TEST(Escher, EnPassantNeedsThePawnToStayWhereItStepped) {
  // From b2 nothing is carried: the capture is legal.
  EscherPosition p = after(escher("6k1/8/8/8/2p5/8/1P6/6K1 w - - 0 1"), {"b2b4"});
  EXPECT_EQ(p.en_passant(), 17);
  EXPECT_TRUE(p.parse_move("c4b3"));
  // From a2 column a carries the pawn on to a5.
  p = after(escher("6k1/8/8/8/1p6/8/P7/6K1 w - - 0 1"), {"a2a4"});
  EXPECT_EQ(p.en_passant(), kNoSquare);
  EXPECT_EQ(p.piece_at(32), (Piece{PieceType::Pawn, Colour::White}));
}

TEST(Escher, EnPassantAnswersADoubleStepFromTheFirstRow) {
  EscherPosition p = after(escher("6k1/8/8/8/8/2p5/8/1P4K1 w - - 0 1"), {"b1b3"});
  EXPECT_EQ(p.en_passant(), 9);
  p = after(p, {"c3b2"});
  EXPECT_EQ(p.piece_at(17), Piece{}) << "the pawn on b3 is taken";
}

TEST(Escher, ThePictureShowsEveryStaircasesDirection) {
  const std::string picture = EscherPosition::start({}).picture();
  for (const char* arrow : {"→", "←", "↑", "↓"})
    EXPECT_NE(picture.find(arrow), std::string::npos) << arrow;
  EXPECT_NE(picture.find("8  r→"), std::string::npos);
}

}  // namespace
}  // namespace faultline
