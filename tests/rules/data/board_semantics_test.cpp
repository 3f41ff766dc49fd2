// What boards, levels and ends are, sentence by sentence of docs/games-as-data.md: on positions
// worked out by hand, in the program and in the walker.
#include <string>

#include <gtest/gtest.h>

#include "tests/rules/data/played_twice.h"

namespace faultline::data {
namespace {

using test::PlayedTwice;
using test::Texts;
using test::uncastled;
using texts::chess_with;

std::string start(const std::string& fen) {
  return "[start]\nfen = \"" + fen + "\"\n";
}
/// Chess on a board of 63 squares, without d4.
std::string without_d4(const std::string& board, const std::string& pieces = "") {
  return chess_with("[board]\n" + board +
                    start("rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w - - 0 1") +
                    "[pieces]\nK = \"K\"\n" + pieces);
}

// --------------------------------------------------------------------------------------------
// cells

TEST(Cells, VoidStopsRidersUnlessTheyFlyAndLeapersCrossItUnlessTheyMayNot) {
  const std::string fen = "4k3/8/8/8/2R4/8/8/4K3 w - - 0 1";
  const PlayedTwice stops(without_d4("void = \"d4\"\n", "R = \"RD\"\n"));
  EXPECT_FALSE(stops.can(fen, "c4f4"));
  EXPECT_TRUE(stops.can(fen, "c4e4"));  // D leaps
  const PlayedTwice flies(without_d4(
      "void = \"d4\"\nriders = \"fly over void\"\nleaps = \"not over void\"\n", "R = \"RD\"\n"));
  EXPECT_TRUE(flies.can(fen, "c4f4"));
  const PlayedTwice neither(
      without_d4("void = \"d4\"\nleaps = \"not over void\"\n", "R = \"RD\"\n"));
  EXPECT_FALSE(neither.can(fen, "c4e4"));
}

TEST(Cells, BarriersAreNeverFlownOverButCrossedByLeapers) {
  const std::string fen = "4k3/8/8/8/2R4/8/8/4K3 w - - 0 1";
  const PlayedTwice game(without_d4(
      "barrier = \"d4\"\nriders = \"fly over void\"\nleaps = \"not over void\"\n", "R = \"RD\"\n"));
  EXPECT_FALSE(game.can(fen, "c4f4"));
  EXPECT_TRUE(game.can(fen, "c4e4"));
}

const std::string kTwoLevels =
    "[board.levels]\ncount = 2\nhole = \"c3-f6\"\nbelow = [2, 2]\n"
    "descend = { who = \"QRBNP\", same = \"R\" }\n" +
    start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8 w -|- - 0 1") +
    "[pieces.K]\nmoves = \"K\"\n";

TEST(Cells, HolesArePassedAndLandedOnOnlyToDescend) {
  const PlayedTwice game(chess_with(kTwoLevels));
  const std::string fen = "4k3/8/8/8/R7/8/8/4K3|8/8/8/8/8/8/8/8 w -|- - 0 1";
  EXPECT_TRUE(game.can(fen, "1a4-1g4"));
  EXPECT_FALSE(game.can(fen, "1a4-1c4"));
  EXPECT_TRUE(game.can(fen, "1a4-2b3"));
  // A king does not descend, and nothing on the deepest level.
  const std::string kings = "4k3/8/8/8/8/1K6/8/8|8/8/8/8/8/8/8/R7 w -|- - 0 1";
  EXPECT_EQ(game.moves(kings, "1b3-"), Texts({"1a2", "1b2", "1c2", "1a3", "1a4", "1b4"}));
  EXPECT_TRUE(game.can("4k3/8/8/8/8/8/8/4K3|8/8/8/8/R7/8/8/8 w -|- - 0 1", "2a4-2c4"));
}

TEST(Cells, GapsAndCoveredSquaresAreVoid) {
  const PlayedTwice gaps("format = 1\nname = \"test\"\nbase = \"shifting\"\n");
  EXPECT_EQ(gaps.moves("4k3/8/2**4/2**4/R1**4/2**4/8/4K3 w - - 0 1", "a4"),
            Texts({"b4", "a1", "a2", "a3", "a5", "a6", "a7", "a8"}));
}

// --------------------------------------------------------------------------------------------
// parts

const std::string kSliding =
    "[[board.part]]\nsquares = \"rank 5, rank 6, rank 7, rank 8\"\n"
    "shift = { files = [-1, 1], ranks = [-1, 1], within_ranks = [-4, 0] }\n";

TEST(Parts, CoverTheRestAndAShiftOverAPieceIsIllegal) {
  const PlayedTwice game(uncastled(kSliding));
  EXPECT_EQ(game.after("4k3/8/8/8/8/8/8/4K3 w - - 0 1 0,0/0,0/0/0", {"@v1"}),
            "4k3/8/8/8/********/8/8/4K3 b - - 1 1 0,-1/0,0/0/-1");
  EXPECT_FALSE(game.can("4k3/8/8/8/7N/8/8/4K3 w - - 0 1 0,0/0,0/0/0", "@v1"));
  EXPECT_TRUE(game.can("4k3/8/8/8/7N/8/8/4K3 w - - 0 1 0,0/0,0/0/0", "@+1"));
}

TEST(Parts, MoveSquaresWithTheirPiecesAndNames) {
  const PlayedTwice game(uncastled(kSliding));
  // After the shift a5 lies above b4: the rook on a8 comes down to b1.
  const std::string shifted = game.after("r3k3/8/8/8/8/8/8/4K3 w - - 0 1 0,0/0,0/0/0", {"@+1"});
  EXPECT_EQ(shifted, "r3k3/8/8/8/8/8/8/4K3 b - - 1 1 1,0/0,0/1/0");
  EXPECT_TRUE(game.can(shifted, "a8b1"));
  EXPECT_FALSE(game.can(shifted, "a8a1"));
}

TEST(Shifts, MayAnswerACheckKeepRightsAndEndEnPassant) {
  const PlayedTwice game(chess_with(kSliding));
  const std::string checked = "k3r3/8/8/8/8/8/8/4K2R w K - 0 1 0,0/0,0/0/0";
  EXPECT_TRUE(game.in_check(checked));
  EXPECT_EQ(game.after(checked, {"@+1"}), "k3r3/8/8/8/8/8/8/4K2R b K - 1 1 1,0/0,0/1/0");
  // It may not leave the own king attacked: d8 comes over e.
  EXPECT_FALSE(game.can("k2r4/8/8/8/8/8/8/4K2R w K - 0 1 0,0/0,0/0/0", "@+1"));
  const std::string fen = "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1 0,0/0,0/0/0";
  EXPECT_TRUE(game.can(fen, "c4b3", {"b2b4"}));
  EXPECT_FALSE(game.can(fen, "c4b3", {"b2b4", "@+1", "e1e2"}));
}

// ------------------------------------------------------------------------------------ wraps,
// mirrors

TEST(Wraps, ARideEndsBeforeItsOwnSquareAndASquareReachedTwiceIsOneMove) {
  const PlayedTwice game(uncastled("[board]\nwrap = \"files\"\n"));
  EXPECT_EQ(
      game.moves("4k3/8/8/8/R7/8/8/4K3 w - - 0 1", "a4"),
      Texts({"b4", "c4", "d4", "e4", "f4", "g4", "h4", "a1", "a2", "a3", "a5", "a6", "a7", "a8"}));
}

TEST(Mirror, OfAZoneWithoutSquaresIsAnError) {
  texts::expect_message(
      chess_with("[board]\nvoid = \"d5\"\n" +
                 start("rnbqkbnr/pppppppp/8/7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") +
                 "[pieces]\nN = { moves = [ { moves = \"N\", from = \"d4\" } ] }\n"),
      "from = 'd4' has no squares where it is mirrored for Black");
}

TEST(Start, TheFenSaysWhoBegins) {
  const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
  const PlayedTwice game(chess_with(start(fen)));
  EXPECT_EQ(game.file().starts.front().to_move, Colour::Black);
  // Its moves' numbers count from Black's turns.
  EXPECT_EQ(game.after(fen, {"a7a6", "a2a3"}),
            "rnbqkbnr/1ppppppp/p7/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 2");
}

// -------------------------------------------------------------------------------------------
// royals

TEST(Royals, MustAllBeSafe) {
  const PlayedTwice game(
      chess_with("[pieces]\nK = \"K\"\n" + start("k6k/8/8/8/8/8/8/K6K w - - 0 1")));
  EXPECT_TRUE(game.in_check("k6k/8/8/8/7r/8/8/K6K w - - 0 1"));
  EXPECT_FALSE(game.can("k6k/8/8/8/7r/8/8/K6K w - - 0 1", "a1a2"));
  EXPECT_TRUE(game.can("k6k/8/8/8/7r/8/8/K6K w - - 0 1", "h1g1"));
}

TEST(Royals, OfWhichOneSafeIsEnoughMayBeTakenWhileAnotherIsLeft) {
  const PlayedTwice game(chess_with("[pieces]\nK = { moves = \"K\", royal = \"one safe\" }\n" +
                                    start("k6k/8/8/8/8/8/8/K6K w - - 0 1")));
  EXPECT_FALSE(game.in_check("k6k/8/8/8/7r/8/8/K6K w - - 0 1"));
  EXPECT_TRUE(game.can("k6k/8/8/8/7r/8/8/K6K b - - 0 1", "h4h1"));
  EXPECT_TRUE(game.in_check("k6k/8/8/8/7r/8/8/7K w - - 0 1"));
  EXPECT_TRUE(game.in_check("k6k/8/8/8/r6r/8/8/K6K w - - 0 1"));
}

TEST(Royals, WithoutThemThereIsNoCheck) {
  const PlayedTwice game(
      chess_with("[pieces]\nK = { royal = false }\n[ends]\nextinct = { all = \"K\" }\n"));
  EXPECT_FALSE(game.in_check("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"));
  EXPECT_EQ(game.outcome("4k3/8/8/8/4r3/8/8/4K3 b - - 0 1", {"e4e1"}), "black");
}

// -------------------------------------------------------------------------------------------
// levels

TEST(Levels, AreNotCrossedByAttacks) {
  const PlayedTwice game(chess_with(kTwoLevels));
  // The rook could descend to 2b3, but does not attack it.
  const std::string fen = "4k3/8/8/8/8/8/8/R7|8/8/8/8/8/1k6/8/K7 b -|- - 0 1";
  EXPECT_NE(game.refused(fen), "");  // Black has one king
  EXPECT_FALSE(game.in_check("8/8/8/8/R7/8/8/4K3|8/8/8/8/8/1k6/8/8 b -|- - 0 1"));
}

TEST(Levels, ZonesWithoutALevelMeanAll) {
  const PlayedTwice game(chess_with(kTwoLevels));
  EXPECT_EQ(game.moves("4k3/P7/8/8/8/8/8/4K3|8/P7/8/8/8/8/8/8 w -|- - 0 1", "1a7-1a8"),
            Texts({"q", "r", "b", "n"}));
  EXPECT_EQ(game.moves("4k3/P7/8/8/8/8/8/4K3|8/P7/8/8/8/8/8/8 w -|- - 0 1", "2a7-2a8"),
            Texts({"q", "r", "b", "n"}));
}

TEST(Levels, DescentOfSomeIsToTheColourOfTheHole) {
  const PlayedTwice game(chess_with(kTwoLevels));
  const std::string rook = "4k3/8/8/8/R7/8/8/4K3|8/8/8/8/8/8/8/8 w -|- - 0 1";
  const std::string queen = "7k/8/8/8/Q7/8/8/4K3|8/8/8/8/8/8/8/8 w -|- - 0 1";
  for (const auto& [square, is_same] :
       {std::pair("2a3", false), {"2b3", true}, {"2a4", true}, {"2b4", false}}) {
    EXPECT_EQ(game.can(rook, "1a4-" + std::string(square)), is_same) << square;
    EXPECT_TRUE(game.can(queen, "1a4-" + std::string(square))) << square;
  }
}

TEST(Levels, OnSlantedRowsHaveNoHoles) {
  texts::expect_message(
      "format = 1\nname = \"test\"\nbase = \"slanted-mini\"\n[board.levels]\ncount = 2\nhole = "
      "\"d4\"\nbelow = [1, 1]\ndescend = { who = \"R\", same = \"R\" }\n",
      "holes need levels that are rectangles of squares");
}

// ------------------------------------------------------------------------------------ same
// positions

TEST(SamePosition, IsOfPiecesSideRightsEnPassantHandsBoardAndChecksButNotOfClocks) {
  const PlayedTwice chess(chess_with("[hands]\n[ends]\nchecks = 3\n"));
  const std::string fen = "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] b KQkq b3 3+3 0 1";
  EXPECT_TRUE(chess.same(fen, "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] b KQkq b3 3+3 7 9"));
  for (const char* other : {"r3k2r/8/8/8/1Pp5/8/8/R3K1R1[N] b Qkq b3 3+3 0 1",
                            "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] w KQkq - 3+3 0 1",
                            "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] b KQk b3 3+3 0 1",
                            "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] b KQkq - 3+3 0 1",
                            "r3k2r/8/8/8/1Pp5/8/8/R3K2R[n] b KQkq b3 3+3 0 1",
                            "r3k2r/8/8/8/1Pp5/8/8/R3K2R[N] b KQkq b3 2+3 0 1"})
    EXPECT_FALSE(chess.same(fen, other)) << other;
  const PlayedTwice quake("format = 1\nname = \"test\"\nbase = \"earthquake-aftershocks\"\n");
  const std::string shifted = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1,0/2,1/-1";
  for (const char* other : {"0,0/2,1/-1", "1,0/1,1/-1", "1,0/2,1/0"})
    EXPECT_FALSE(quake.same(shifted, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 " + std::string(other)))
        << other;
}

// ---------------------------------------------------------------------------------------------
// plies

TEST(Plies, RestartByCapturesAndDropsNotByMovementsOfTheBoard) {
  const PlayedTwice game(uncastled(
      "[hands]\n[[board.belt]]\nsquares = \"a4 a5\"\nname = \"x\"\nwhen = \"instead\"\n"));
  EXPECT_TRUE(game.after("4k3/8/8/8/P7/8/r7/4K2R[N] w - - 9 5", {"N@b1"}).ends_with(" 0 5"));
  EXPECT_TRUE(game.after("4k3/8/8/8/P7/8/r7/4K2R[N] w - - 9 5", {"@x+"}).ends_with(" 10 5"));
  EXPECT_TRUE(game.after("4k3/8/8/8/P7/8/r7/4K2R[N] b - - 9 5", {"a2a4"}).ends_with(" 0 6"));
}

TEST(Plies, DoNotRestartByPromotionsOfWhatIsCarried) {
  const PlayedTwice game(
      uncastled("[pieces]\nP = { promotes = { carried = \"N\" } }\n[[board.belt]]\nsquares = \"a7 "
                "a8\"\nwhen = \"after\"\n"));
  EXPECT_EQ(game.after("4k3/P7/8/8/8/8/8/4K3 w - - 9 5", {"e1d1"}),
            "N3k3/8/8/8/8/8/8/3K4 b - - 10 5");
}

TEST(Plies, EndTheGameWithAResultForTheSideToMove) {
  for (const auto& [result, winner] :
       {std::pair("win", "black"), {"loss", "white"}, {"draw", "draw"}}) {
    const PlayedTwice game(
        uncastled("[ends]\nplies = { count = 4, result = \"" + std::string(result) + "\" }\n"));
    EXPECT_EQ(game.outcome("4k3/8/8/8/8/8/8/R3K3 w - - 2 2", {"a1a2"}), "") << result;
    EXPECT_EQ(game.outcome("4k3/8/8/8/8/8/8/R3K3 w - - 3 2", {"a1a2"}), winner) << result;
  }
}

// ----------------------------------------------------------------------------------------------
// ends

TEST(Ends, ComeInTheirOrder) {
  const PlayedTwice game(uncastled(
      "[ends]\nchecks = 1\nplies = { count = 4, result = \"draw\" }\ncheckmate = \"win\"\n"
      "extinct = { any = \"Q\", result = \"draw\" }\n"
      "reach = { piece = \"R\", zone = \"rank 8\", result = \"loss\" }\n"));
  // Black has no queen; else White's rook loses on rank 8; else its check wins; else who is mated
  // wins; else the plies are over.
  EXPECT_EQ(game.outcome("q5k1/5ppp/8/8/8/8/8/R3KQ2 w - - 1+1 3 1", {"a1a8"}), "draw");
  EXPECT_EQ(game.outcome("6k1/q4ppp/8/8/8/8/8/3RKQ2 w - - 1+1 3 1", {"d1d8"}), "black");
  EXPECT_EQ(game.outcome("q5k1/8/8/8/8/8/R7/4KQ2 w - - 1+1 3 1", {"a2g2"}), "white");
  const PlayedTwice mate(uncastled("[ends]\nplies = 4\ncheckmate = \"win\"\n"));
  EXPECT_EQ(mate.outcome("6k1/5ppp/8/8/8/8/8/R3K3 w - - 3 1", {"a1a8"}), "black");
  EXPECT_EQ(mate.outcome("6k1/5ppp/8/8/8/8/8/R3K3 w - - 3 1", {"a1b1"}), "draw");
}

TEST(Ends, OfAPositionThatIsOverHasNoMovesUnlessItIsADrawByCounting) {
  const PlayedTwice hill("format = 1\nname = \"test\"\nbase = \"king-of-the-hill\"\n");
  EXPECT_EQ(hill.moves("4k3/8/8/8/4K3/8/8/8 b - - 0 1"), Texts());
  const PlayedTwice chess(uncastled("[ends]\nplies = 4\n"));
  EXPECT_EQ(chess.outcome("k7/8/8/8/8/8/8/K1R5 w - - 4 9"), "draw");
  EXPECT_TRUE(chess.can("k7/8/8/8/8/8/8/K1R5 w - - 4 9", "c1c2"));
  EXPECT_EQ(chess.outcome("k7/8/8/8/8/8/8/K7 w - - 0 9"), "draw");
  EXPECT_TRUE(chess.can("k7/8/8/8/8/8/8/K7 w - - 0 9", "a1a2"));
}

TEST(Ends, StalemateIsWithoutMovementsOfTheBoardToo) {
  const std::string belt =
      "[[board.belt]]\nsquares = \"g4 g5\"\nname = \"x\"\nwhen = \"instead\"\n";
  const PlayedTwice chess(uncastled(""));
  EXPECT_EQ(chess.outcome("7k/8/8/8/8/1q6/8/K7 w - - 0 1"), "draw");
  const PlayedTwice belted(uncastled(belt));
  EXPECT_EQ(belted.outcome("7k/8/8/8/8/1q6/8/K7 w - - 0 1"), "");
  EXPECT_EQ(belted.moves("7k/8/8/8/8/1q6/8/K7 w - - 0 1"), Texts({"@x+"}));
}

// -------------------------------------------------------------------------------------------
// control

std::string belt_turn(const std::string& control) {
  return uncastled(
      "[[board.belt]]\nsquares = \"g4 g5 g6\"\nname = \"x\"\nways = \"both\"\nwhen = "
      "\"instead\"\n" +
      control);
}

TEST(Control, UsesAreForTheWholeGame) {
  const PlayedTwice game(belt_turn("uses = 1\n"));
  const std::string fen = "k7/8/8/8/6N1/8/8/K7 w - - 0 1 1,1/-";
  EXPECT_EQ(game.after(fen, {"@x+"}), "k7/8/8/6N1/8/8/8/K7 b - - 1 1 0,1/@x+");
  EXPECT_EQ(game.moves(fen, "@", {"@x+"}), Texts({"x+", "x-"}));
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "@x+"}), Texts());
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "a8a7", "a1a2"}), Texts({"x+", "x-"}));
}

TEST(Control, APauseIsOfTheOwnTurns) {
  const PlayedTwice game(belt_turn("pause = 3\n"));
  const std::string fen = "k7/8/8/8/6N1/8/8/K7 w - - 0 1 0,0/-";
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "a8a7"}), Texts());
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "a8a7", "a1a2", "a7a8"}), Texts());
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "a8a7", "a1a2", "a7a8", "a2a1", "a8a7"}),
            Texts({"x+", "x-"}));
}

TEST(Control, WithoutUndoItMayNotBeTheInverseOfTheTurnBefore) {
  const PlayedTwice game(belt_turn("undo = false\n"));
  const std::string fen = "k7/8/8/8/6N1/8/8/K7 w - - 0 1 0,0/-";
  EXPECT_EQ(game.moves(fen, "@", {"@x+"}), Texts({"x+"}));
  EXPECT_EQ(game.moves(fen, "@", {"@x+", "a8a7"}), Texts({"x+", "x-"}));
}

TEST(Control, EveryNCountsTheTurnsOfBothSides) {
  const PlayedTwice game(uncastled("[[board.belt]]\nsquares = \"g4 g5 g6\"\nwhen = \"every 3\"\n"));
  const std::string fen = "k7/8/8/8/6N1/8/8/K7 w - - 0 1";
  EXPECT_EQ(game.after(fen, {"a1a2", "a8a7"}), "8/k7/8/8/6N1/8/K7/8 w - - 2 2");
  EXPECT_EQ(game.after(fen, {"a1a2", "a8a7", "a2a1"}), "8/k7/8/6N1/8/8/8/K7 b - - 3 2");
}

TEST(Control, WhoNeedsAPieceOrTheMajority) {
  const std::string fen = "k7/8/8/6n1/6N1/8/8/K7 w - - 0 1";
  EXPECT_TRUE(PlayedTwice(belt_turn("who = \"own\"\n")).can(fen, "@x+"));
  EXPECT_FALSE(
      PlayedTwice(belt_turn("who = \"own\"\n")).can("k7/8/8/6n1/8/8/8/K7 w - - 0 1", "@x+"));
  EXPECT_FALSE(PlayedTwice(belt_turn("who = \"majority\"\n")).can(fen, "@x+"));
  EXPECT_TRUE(PlayedTwice(belt_turn("who = \"majority\"\n"))
                  .can("k7/8/6N1/6n1/6N1/8/8/K7 w - - 0 1", "@x+"));
}

// ---------------------------------------------------------------------------------------------
// stock

TEST(Stock, IsWhatIsMissingOfTheStartAndWithoutItPawnsOnlyAttack) {
  const PlayedTwice game(uncastled("[pieces]\nP = { promotes = { stock = \"captured\" } }\n"));
  EXPECT_EQ(game.moves("4k3/P7/8/8/8/8/8/1NBQKBNR w - - 0 1", "a7a8"), Texts({"r"}));
  EXPECT_EQ(game.moves("4k3/P7/8/8/8/8/8/RNBQKBNR w - - 0 1", "a7"), Texts());
  EXPECT_TRUE(game.in_check("1k6/P7/8/8/8/8/8/RNBQKBNR b - - 0 1"));
  // With a choice to stay it may go on.
  const PlayedTwice optional(
      uncastled("[pieces]\nP = { promotes = { stock = \"captured\", must = \"nowhere\" } }\n"));
  EXPECT_EQ(optional.moves("4k3/P7/8/8/8/8/8/RNBQKBNR w - - 0 1", "a7"), Texts({"a8"}));
}

}  // namespace
}  // namespace faultline::data
