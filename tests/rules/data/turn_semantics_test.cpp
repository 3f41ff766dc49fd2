// What a turn does, sentence by sentence of docs/games-as-data.md: on positions worked out by hand,
// in the program and in the walker.
#include <string>

#include <gtest/gtest.h>

#include "tests/rules/data/played_twice.h"

namespace faultline::data {
namespace {

using test::kNoRights;
using test::Line;
using test::PlayedTwice;
using test::Texts;
using test::uncastled;
using texts::chess_with;

std::string belt(const std::string& squares, const std::string& when = "left") {
  return "[[board.belt]]\nsquares = \"" + squares + "\"\nwhen = \"" + when + "\"\n";
}
const std::string kCarriedPawns = "[pieces.P]\npromotes = { carried = \"N\" }\n";

// ---------------------------------------------------------------------------------- order of a
// turn

TEST(OrderOfATurn, WhatIsCapturedEnPassantIsGoneBeforeTheBoardMoves) {
  // The pawn from d5 takes the one on c5, to where that of b5 is carried, and not to d5.
  const PlayedTwice game(uncastled(belt("b5 c5 d5")));
  EXPECT_EQ(game.after("4k3/2p5/8/1P1P4/8/8/8/4K3 b - - 0 1", {"c7c5", "d5c6"}),
            "4k3/8/2P5/2P5/8/8/8/4K3 b - - 0 2");
}

TEST(OrderOfATurn, PromotionComesBeforeTheBoardMoves) {
  const PlayedTwice game(uncastled(belt("a8 a7 a6", "entered") + kCarriedPawns));
  // It is carried as what it has become.
  EXPECT_EQ(game.after("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"a7a8q"}),
            "1r2k3/Q7/8/8/8/8/8/4K3 b - - 0 1");
}

TEST(OrderOfATurn, TheRookOfACastlingMovesBeforeTheBoard) {
  const PlayedTwice game(chess_with(belt("f1 f2 f3", "entered") + kCarriedPawns));
  EXPECT_EQ(game.after("4k3/8/8/8/8/8/8/4K2R w K - 0 1", {"e1g1"}),
            "4k3/8/8/8/8/8/5R2/6K1 b - - 1 1");
}

TEST(OrderOfATurn, ExplosionsComeBeforeTheBoardMoves) {
  const PlayedTwice game(
      uncastled(belt("c4 c5 d5", "entered") + "[rules]\nexplode = { spares = \"P\" }\n"));
  // The rook and its victim on c5 are gone, c4's knight, too; the pawn on d5 goes on to c4.
  EXPECT_EQ(game.after("4k3/8/8/R1rp4/2n5/8/8/4K3 w - - 0 1", {"a5c5"}),
            "4k3/8/8/8/2p5/8/8/4K3 b - - 0 1");
}

TEST(OrderOfATurn, AllThatWasSetOffMovesAtOnce) {
  const PlayedTwice game(uncastled(belt("c4 c5 d5 d4") + belt("f4 f5 g5 g4", "entered")));
  EXPECT_EQ(game.after("k7/8/2P5/5n2/2PN4/8/8/4K3 w - - 0 1", {"d4f5"}),
            "k7/8/2P5/2P3N1/8/8/8/4K3 b - - 0 1");
}

TEST(OrderOfATurn, WhatIsCarriedPromotesAfterTheBoardMoved) {
  const PlayedTwice game(uncastled(belt("a7 a8 b8") + kCarriedPawns));
  // a8 is on the zone of White's pawns only.
  EXPECT_EQ(game.after("1n2k3/P7/8/8/8/8/8/4K3 b - - 0 1", {"b8c6"}),
            "N3k3/8/2n5/8/8/8/8/4K3 w - - 1 2");
  EXPECT_EQ(game.after("1n2k3/p7/8/8/8/8/8/4K3 b - - 0 1", {"b8c6"}),
            "p3k3/8/2n5/8/8/8/8/4K3 w - - 1 2");
}

TEST(OrderOfATurn, OnlyTheFinalBoardIsJudged) {
  const PlayedTwice game(uncastled(belt("d3 e3 f3")));
  // The knight on e3 is pinned, but the belt brings d3 in its place.
  EXPECT_TRUE(game.can("k3r3/8/8/8/8/3PN3/8/4K3 w - - 0 1", "e3g4"));
  EXPECT_FALSE(game.can("k3r3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3g4"));
  // What blocks the rook is carried away.
  EXPECT_FALSE(game.can("k3r3/8/8/8/8/4PN2/8/4K3 w - - 0 1", "f3g5"));
}

// ------------------------------------------------------------------------------------- what sets
// off

TEST(TriggerSquares, CastlingLeavesTwo) {
  const PlayedTwice king(chess_with(belt("e1 e2 e3") + kCarriedPawns));
  EXPECT_EQ(king.after("k7/8/8/8/8/8/4N3/4K2R w K - 0 1", {"e1g1"}),
            "k7/8/8/8/8/4N3/8/5RK1 b - - 1 1");
  const PlayedTwice rook(chess_with(belt("h1 h2 h3") + kCarriedPawns));
  EXPECT_EQ(rook.after("k7/8/8/8/8/8/7N/4K2R w K - 0 1", {"e1g1"}),
            "k7/8/8/8/8/7N/8/5RK1 b - - 1 1");
}

TEST(TriggerSquares, WhatIsCapturedSetsOffNothing) {
  const PlayedTwice game(uncastled(belt("d5 d4 c4")));
  EXPECT_EQ(game.after("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"e4d5"}),
            "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
  EXPECT_EQ(game.after("4k3/8/8/3pP3/2N5/8/8/4K3 w - d6 0 1", {"e5d6"}),
            "4k3/8/3P4/8/2N5/8/8/4K3 b - - 0 1");
}

TEST(TriggerSquares, WhatIsCarriedSetsOffNothing) {
  const PlayedTwice game(uncastled(belt("c4 d4") + belt("d5 d4 e4", "entered")));
  // The knight leaves c4, b4... d4's pawn is carried to c4; nothing has entered the second belt.
  EXPECT_EQ(game.after("4k3/8/8/8/2NP2R1/8/8/4K3 w - - 0 1", {"c4a5"}),
            "4k3/8/8/N7/2P3R1/8/8/4K3 b - - 1 1");
}

TEST(TriggerSquares, OneDeviceMovesOnceInATurn) {
  const PlayedTwice game(uncastled(belt("d4 d5 d6 d7", "left or entered")));
  EXPECT_EQ(game.after("k7/8/8/8/3R4/8/8/4K3 w - - 0 1", {"d4d6"}),
            "k7/3R4/8/8/8/8/8/4K3 b - - 1 1");
}

TEST(TriggerSquares, DropsEnterAndLeaveNothing) {
  const std::string hand = "[hands]\n";
  const PlayedTwice entered(uncastled(belt("d4 d5", "entered") + hand));
  EXPECT_EQ(entered.after("k7/8/8/8/8/8/8/4K3[N] w - - 0 1", {"N@d4"}),
            "k7/8/8/3N4/8/8/8/4K3[] b - - 0 1");
  const PlayedTwice left(uncastled(belt("d4 d5") + hand));
  EXPECT_EQ(left.after("k7/8/8/8/8/8/8/4K3[N] w - - 0 1", {"N@d4"}),
            "k7/8/8/8/3N4/8/8/4K3[] b - - 0 1");
}

// --------------------------------------------------------------------------- collisions and
// carrying

TEST(Collisions, MakeTheTurnIllegal) {
  // Two belts end on d5: c4's pawn goes there, and e6's.
  const PlayedTwice game(uncastled(belt("c4 d5", "after") + belt("e6 d5", "after")));
  EXPECT_TRUE(game.can("k7/8/8/8/2P5/8/8/4K3 w - - 0 1", "e1d1"));
  EXPECT_FALSE(game.can("k7/8/4p3/8/2P5/8/8/4K3 w - - 0 1", "e1d1"));
  // d5's own piece is carried by two movements.
  EXPECT_FALSE(game.can("k7/8/8/3P4/8/8/8/4K3 w - - 0 1", "e1d1"));
}

TEST(Collisions, OnWhatIsNotCarriedMakeTheTurnIllegalToo) {
  const PlayedTwice game(uncastled(belt("c4 d5", "after") + belt("d5 e6", "entered")));
  // A piece that moves to d5 would be carried twice.
  EXPECT_FALSE(game.can("k7/8/8/8/4P3/8/6N1/4K3 w - - 0 1", "e4d5"));
  EXPECT_FALSE(game.can("k7/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"));
}

TEST(Carried, ShiftsOfPartsCarryNothing) {
  const PlayedTwice game(
      chess_with("[[board.part]]\nsquares = \"a1-h4\"\nshift = { files = [-1, 1] }\n"));
  // Rights are kept, and names of squares.
  const std::string shifted = game.after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 0,0/0,0/0", {"@+1"});
  EXPECT_EQ(shifted, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 1 1 1,0/0,0/1");
  EXPECT_TRUE(game.can(shifted, "e1c1", {"e8e7"}));
}

TEST(Carried, RightsOfWhatIsCarriedAreLost) {
  const PlayedTwice king(chess_with(belt("e1 e2") + kCarriedPawns));
  EXPECT_EQ(king.after("4k3/8/8/8/8/8/4N3/R3K2R w KQ - 0 1", {"e2c3"}),
            "4k3/8/8/8/8/2N5/4K3/R6R b - - 1 1");
  const PlayedTwice rook(chess_with(belt("h1 h2") + kCarriedPawns));
  EXPECT_EQ(rook.after("4k3/8/8/8/8/8/7N/R3K2R w KQ - 0 1", {"h2g4"}),
            "4k3/8/8/8/6N1/8/7R/R3K3 b Q - 1 1");
}

TEST(Carried, PiecesOfEitherSidePromoteWhoeverMovedTheBoard) {
  const PlayedTwice game(
      uncastled(belt("a7 a8", "after") + belt("h2 h1", "after") + kCarriedPawns));
  EXPECT_EQ(game.after("4k3/P7/8/8/8/8/7p/4K3 w - - 0 1", {"e1d1"}),
            "N3k3/8/8/8/8/8/8/3K3n b - - 1 1");
}

// -------------------------------------------------------------------------------------------
// checks

TEST(Check, PinnedPiecesGiveIt) {
  const PlayedTwice game(uncastled(""));
  EXPECT_TRUE(game.in_check("k3r3/8/8/8/4n3/2K5/8/4R3 w - - 0 1"));
}

TEST(Check, AsksWhetherTheKingMayBeTaken) {
  const PlayedTwice game(
      uncastled("[pieces]\nN = { moves = [ { moves = \"N\", takes = \"not K\" } ] }\n"));
  EXPECT_FALSE(game.in_check("k7/8/8/8/4n3/8/3K4/8 w - - 0 1"));
  EXPECT_TRUE(game.can("k7/8/8/8/4n3/8/3K4/8 w - - 0 1", "d2d3"));
}

TEST(Check, IsNotGivenEnPassantNorAreRoyalsTakenSo) {
  const PlayedTwice game(chess_with("[pieces.K]\nmoves = \"KfmnD\"\n" + kNoRights));
  // The king steps over d3, which the pawn on e4 attacks en passant.
  const std::string fen = "k7/8/8/8/4p3/8/3K4/8 w - - 0 1";
  EXPECT_TRUE(game.can(fen, "d2d4"));
  EXPECT_FALSE(game.in_check(fen, {"d2d4"}));
  EXPECT_EQ(game.after(fen, {"d2d4"}), "k7/8/8/8/3Kp3/8/8/8 b - - 1 1");
  EXPECT_EQ(game.moves(fen, "e4", {"d2d4"}), Texts({"e3"}));
  EXPECT_NE(game.refused("k7/8/8/8/3Kp3/8/8/8 b - d3 0 1"), "");
}

// -----------------------------------------------------------------------------------------
// castling

/// Kings that castle as the table says, from a start of two ranks.
std::string castling(const std::string& fen, const std::string& castle = "") {
  return chess_with(
      (castle.empty() ? "" : "[pieces.K]\nmoves = \"K\"\ncastle = [ " + castle + " ]\n") +
      "[start]\nfen = \"" + fen + "\"\n");
}

TEST(Castling, IsWithTheNearestRookOfTheStart) {
  const std::string start = "4k3/8/8/8/8/8/8/R1R1K1RR w KQ - 0 1";
  const PlayedTwice game(castling(start));
  EXPECT_EQ(game.after(start, {"e1g1"}), "4k3/8/8/8/8/8/8/R1R2RKR b - - 1 1");
  EXPECT_EQ(game.after(start, {"e1c1"}), "4k3/8/8/8/8/8/8/R1KR2RR b - - 1 1");
  // The right is of that rook: another on its square has none, and the farther one never.
  EXPECT_EQ(game.after(start, {"g1g7", "e8d8"}), "3k4/6R1/8/8/8/8/8/R1R1K2R w Q - 2 2");
  texts::expect_message(castling("4k3/8/8/8/8/8/8/4K1RR w H - 0 1"),
                        "looks for the nearest R on either side; none is on file h");
}

TEST(Castling, ByRightOrLeftIsWithTheNearestRookAndBySquareWithThatOne) {
  const std::string start = "4k3/8/8/8/8/8/8/4K1RR w KH - 0 1";
  const PlayedTwice game(castling(start,
                                  "{ king = \"g1\", rook = \"right\" }, "
                                  "{ king = \"f1\", rook = \"h1\" }"));
  EXPECT_EQ(game.after(start, {"e1g1"}), "4k3/8/8/8/8/8/8/5RKR b - - 1 1");
  EXPECT_FALSE(game.can(start, "e1h1"));  // g1 is in the way of the rook
  const std::string later = game.after(start, {"g1g7", "e8d8"});
  EXPECT_EQ(later, "3k4/6R1/8/8/8/8/8/4K2R w H - 2 2");
  EXPECT_EQ(game.after(later, {"e1h1"}), "3k4/6R1/8/8/8/8/8/4RK2 b - - 3 2");
}

TEST(Castling, OfSeveralEntriesWithOneRookHasAllTheirSquares) {
  const std::string start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  const PlayedTwice game(castling(start,
                                  "{ king = \"g1\", rook = \"right\" }, "
                                  "{ king = \"f1, g1\", rook = \"h1\" }"));
  EXPECT_EQ(game.after(start, {"e1g1"}), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
  EXPECT_EQ(game.after(start, {"e1h1"}), "4k3/8/8/8/8/8/8/4RK2 b - - 1 1");
}

TEST(Castling, ToOneSquareWithEitherOfTwoRooksIsAnError) {
  texts::expect_message(castling("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
                                 "{ king = \"d1\", rook = \"left\" }, "
                                 "{ king = \"d1\", rook = \"right\" }"),
                        "the king can go to d1 for the pieces on a1 and on h1: which of them");
}

TEST(Castling, OfBlackIsTheMirrorImage) {
  const std::string start = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
  const PlayedTwice turned(
      chess_with("[board]\nmirror = \"turn\"\n"
                 "[pieces.K]\nmoves = \"K\"\ncastle = [ { king = \"g1\", rook = \"right\" } ]\n"
                 "[start]\nfen = \"" +
                 start + "\"\n"));
  EXPECT_EQ(turned.after(start, {"e1g1", "e8b8"}), "1kr5/8/8/8/8/8/8/5RK1 w - - 2 2");
}

TEST(Castling, NeedsEverySquareThatKingOrRookCrossesToBeEmpty) {
  const std::string start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  const PlayedTwice game(castling(start));
  EXPECT_TRUE(game.can(start, "e1c1"));
  EXPECT_FALSE(game.can("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"));
  EXPECT_FALSE(game.can("4k3/8/8/8/8/8/8/R3KN1R w KQ - 0 1", "e1g1"));
}

TEST(Castling, IsNotOutOfThroughOrIntoCheck) {
  const std::string start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  const PlayedTwice game(castling(start));
  for (const char file : {'c', 'd', 'e', 'f', 'g'}) {
    const std::string fen = "1k6/8/8/8/8/8/" + std::to_string(file - 'a') + "r" +
                            std::to_string('h' - file) + "/R3K2R w KQ - 0 1";
    EXPECT_EQ(game.can(fen, "e1c1"), file > 'e') << fen;
    EXPECT_EQ(game.can(fen, "e1g1"), file < 'e') << fen;
  }
  EXPECT_TRUE(
      game.can("2k5/8/8/8/8/8/1r6/R3K2R w KQ - 0 1", "e1c1"));  // the rook's way may be attacked
  // The rook, which goes away, is between.
  const std::string covered = "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1";
  const PlayedTwice other(castling(covered));
  EXPECT_TRUE(other.can(covered, "e1c1"));
  EXPECT_FALSE(other.can("4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1", "e1c1"));
}

TEST(Castling, IsLostWhenKingOrRookMovesOrTheRookIsTaken) {
  const std::string start = "4k3/8/8/8/8/1n6/8/R3K2R w KQ - 0 1";
  const PlayedTwice game(castling("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
  EXPECT_EQ(game.after(start, {"e1e2"}), "4k3/8/8/8/8/1n6/4K3/R6R b - - 1 1");
  EXPECT_EQ(game.after(start, {"h1h2", "e8e7", "h2h1"}), "8/4k3/8/8/8/1n6/8/R3K2R b Q - 3 2");
  EXPECT_EQ(game.after(start, {"e1d1", "b3a1"}), "4k3/8/8/8/8/8/8/n2K3R w - - 0 2");
  EXPECT_EQ(game.after(start, {"h1g1", "b3a1"}), "4k3/8/8/8/8/8/8/n3K1R1 w - - 0 2");
}

TEST(Castling, OfWhatIsNotRoyalMindsNoAttack) {
  const PlayedTwice game(
      chess_with("[pieces.K]\nroyal = false\n[ends]\nextinct = { all = \"*\" }\n"));
  EXPECT_TRUE(game.can("4k3/8/8/8/8/8/4rrr1/4K2R w K - 0 1", "e1g1"));
}

TEST(Castling, IsNeverThroughAWrap) {
  texts::expect_message(
      chess_with("[board]\nwrap = \"files\"\n[start]\nfen = \"4k3/8/8/8/8/8/8/K2R4 w Q - 0 1\"\n"),
      "there is none");
}

// --------------------------------------------------------------------------------------- en
// passant

const std::string kThreeSteps = "[pieces.P]\nmoves = \"fmWfceFifmnDifmnH\"\n";

TEST(EnPassant, IsOnEachPassedSquareThatAnEnemyReaches) {
  const PlayedTwice game(uncastled(kThreeSteps));
  const std::string both = game.after("4k3/8/8/p7/2p5/8/1P6/4K3 w - - 0 1", {"b2b5"});
  EXPECT_EQ(both, "4k3/8/8/pP6/2p5/8/8/4K3 b - b3+b4 0 1");
  EXPECT_EQ(game.after(both, {"c4b3"}), "4k3/8/8/p7/8/1p6/8/4K3 w - - 0 2");
  EXPECT_EQ(game.after(both, {"a5b4"}), "4k3/8/8/8/1pp5/8/8/4K3 w - - 0 2");
  EXPECT_EQ(game.after("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", {"b2b5"}),
            "4k3/8/8/1P6/2p5/8/8/4K3 b - b3 0 1");
  EXPECT_EQ(game.after("4k3/8/8/8/8/2n5/1P6/4K3 w - - 0 1", {"b2b5"}),
            "4k3/8/8/1P6/8/2n5/8/4K3 b - - 0 1");
}

TEST(EnPassant, IsForOneTurn) {
  const PlayedTwice game(uncastled(""));
  EXPECT_EQ(game.moves("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "c4", {"b2b4", "e8e7", "e1e2"}),
            Texts({"c3"}));
}

TEST(EnPassant, IsAnsweredByAnyPieceWithE) {
  const PlayedTwice game(uncastled("[pieces]\nN = \"NceW\"\n"));
  EXPECT_EQ(game.after("4k3/8/8/8/8/2n5/1P6/4K3 w - - 0 1", {"b2b4", "c3b3"}),
            "4k3/8/8/8/8/1n6/8/4K3 w - - 0 2");
}

TEST(EnPassant, ComesBeforeAQuietMoveToTheSquare) {
  const PlayedTwice game(uncastled("[pieces]\nN = \"mFceF\"\n"));
  EXPECT_EQ(game.after("4k3/8/8/8/2n5/8/1P6/4K3 w - - 0 1", {"b2b4", "c4b3"}),
            "4k3/8/8/8/8/1n6/8/4K3 w - - 0 2");
  EXPECT_EQ(game.after("4k3/8/8/8/1Pn5/8/8/4K3 b - - 0 1", {"c4b3"}),
            "4k3/8/8/8/1P6/1n6/8/4K3 w - - 1 2");
}

TEST(EnPassant, NeedsThePasserWhereItArrivedAndTheSquareEmpty) {
  const PlayedTwice carried(uncastled(belt("b4 a4", "entered")));
  EXPECT_EQ(carried.after("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", {"b2b4"}),
            "4k3/8/8/8/P1p5/8/8/4K3 b - - 0 1");
  const PlayedTwice filled(uncastled(belt("b2 a3 b3")));
  EXPECT_EQ(filled.after("4k3/8/8/8/2p5/N7/1P6/4K3 w - - 0 1", {"b2b4"}),
            "4k3/8/8/8/1Pp5/1N6/8/4K3 b - - 0 1");
}

TEST(EnPassant, NamesTheVictimWhereItIsNotUnique) {
  const PlayedTwice game(uncastled("[pieces.P]\nmoves = \"berolina-pawn\"\n"));
  EXPECT_EQ(game.after("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", {"a2c4"}),
            "4k3/8/8/8/1pP5/8/8/4K3 b - b3 0 1");
  const std::string two = game.after("4k3/8/8/8/Pp6/8/P7/4K3 w - - 0 1", {"a2c4"});
  EXPECT_EQ(two, "4k3/8/8/8/PpP5/8/8/4K3 b - b3/c4 0 1");
  EXPECT_EQ(game.after(two, {"b4b3"}), "4k3/8/8/8/P7/1p6/8/4K3 w - - 0 2");
}

// --------------------------------------------------------------------------- lame, initial and
// pawns

TEST(Lame, MovesNeedEveryCellBetweenToBeAnEmptySquare) {
  const PlayedTwice horse(uncastled("[pieces]\nN = \"nN\"\n"));
  EXPECT_EQ(horse.moves("4k3/8/8/3P4/3N4/8/8/4K3 w - - 0 1", "d4"),
            Texts({"b5", "f5", "b3", "f3", "c2", "e2"}));
  EXPECT_EQ(horse.moves("4k3/8/8/3p4/3N4/8/8/4K3 w - - 0 1", "d4"),
            Texts({"b5", "f5", "b3", "f3", "c2", "e2"}));
}

TEST(Lame, MovesCrossABarrierWhereCrossesAllowsIt) {
  const std::string board =
      "[board]\nbarrier = \"d4\"\n[start]\nfen = \"rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w - "
      "- 0 1\"\n"
      "[pieces]\nK = \"K\"\n";
  const std::string fen = "4k3/8/8/8/2N4/8/8/4K3 w - - 0 1";
  const PlayedTwice stops(chess_with(board + "N = \"nD\"\n"));
  EXPECT_EQ(stops.moves(fen, "c4"), Texts({"a4", "c2", "c6"}));
  const PlayedTwice crosses(
      chess_with(board + "N = { moves = \"nD\", crosses = \"barriers sideways\" }\n"));
  EXPECT_EQ(crosses.moves(fen, "c4"), Texts({"a4", "e4", "c2", "c6"}));
  EXPECT_EQ(crosses.moves("4k3/8/8/3N4/7/8/8/4K3 w - - 0 1", "d5"), Texts({"b5", "f5", "d7"}));
}

TEST(Initial, AsksTheSquareNotTheHistory) {
  const PlayedTwice game(uncastled(belt("a3 a2", "after")));
  EXPECT_FALSE(game.can("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a5"));
  EXPECT_TRUE(game.can("4k3/8/8/8/8/P7/8/4K3 b - - 0 1", "a2a4", {"e8d8"}));
}

TEST(Pawn, MovesRestartThePlies) {
  const PlayedTwice game(
      uncastled("[pieces]\nN = { moves = \"N\", pawn = true }\nP = { pawn = false }\n"));
  EXPECT_EQ(game.after("4k3/8/8/8/8/8/8/N3K3 w - - 7 5", {"a1b3"}),
            "4k3/8/8/8/8/1N6/8/4K3 b - - 0 5");
  EXPECT_EQ(game.after("4k3/8/8/8/8/8/P7/4K3 w - - 7 5", {"a2a3"}),
            "4k3/8/8/8/8/P7/8/4K3 b - - 8 5");
}

}  // namespace
}  // namespace faultline::data
