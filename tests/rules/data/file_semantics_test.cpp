// What keys of a file mean in play: on positions worked out by hand, in the program and in the
// walker.
#include <string>

#include <gtest/gtest.h>

#include "tests/rules/data/played_twice.h"

namespace faultline::data {
namespace {

using test::PlayedTwice;
using test::Texts;
using test::uncastled;
using texts::chess_with;

std::string based_on(const std::string& base, const std::string& lines = "") {
  return "format = 1\nname = \"test\"\nbase = " + base + "\n" + lines;
}

// ----------------------------------------------------------------------------------------
// promotion

TEST(Promotion, OfAListIsByZone) {
  const PlayedTwice game(
      uncastled("[pieces.P]\npromotes = [ { on = \"rank 7\", to = \"N\", must = \"nowhere\" }, "
                "{ on = \"rank 8\", to = \"QR\" } ]\n"));
  EXPECT_EQ(game.moves("8/P7/P7/8/4k3/8/8/4K3 w - - 0 1", "a7a8"), Texts({"q", "r"}));
  EXPECT_EQ(game.moves("8/8/P7/8/4k3/8/8/4K3 w - - 0 1", "a6a7"), Texts({"", "n"}));
}

TEST(Promotion, OnLeavingIsAsThePlayerLikesUnlessItMust) {
  const std::string leaving =
      "[pieces.R]\npromotes = { on = \"rank 7\", leaving = true, to = \"Q\", must = \"";
  const PlayedTwice optional(uncastled(leaving + "nowhere\" }\n"));
  EXPECT_EQ(optional.moves("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "a7a3"), Texts({"", "q"}));
  EXPECT_EQ(optional.moves("4k3/8/R7/8/8/8/8/4K3 w - - 0 1", "a6a7"), Texts({"", "q"}));
  EXPECT_EQ(optional.moves("4k3/8/R7/8/8/8/8/4K3 w - - 0 1", "a6a3"), Texts({""}));
  const PlayedTwice forced(uncastled(leaving + "rank 7\" }\n[hands]\nR = { onto = \"rank 7\" }\n"));
  EXPECT_EQ(forced.moves("4k3/R7/8/8/8/8/8/4K3[] w - - 0 1", "a7a3"), Texts({"q"}));
}

TEST(Promotion, IsForEachSideWhatItsTableSays) {
  const PlayedTwice game(
      uncastled("[pieces.P]\nblack = { promotes = { on = \"rank 2\", to = \"N\" } }\n"));
  EXPECT_EQ(game.moves("8/P7/8/8/4k3/8/8/4K3 w - - 0 1", "a7a8"), Texts({"q", "r", "b", "n"}));
  EXPECT_EQ(game.moves("8/8/8/8/4k3/p7/8/4K3 b - - 0 1", "a3a2"), Texts({"n"}));
}

// -------------------------------------------------------------------------------------- conditions

TEST(Moves, WithConditionsBeginEndAndTakeWhereTheseSay) {
  const PlayedTwice game(
      uncastled("[pieces]\nN = { moves = [ { moves = \"W\", from = \"d4\" }, { moves = \"F\", onto "
                "= \"e5, c3\" }, "
                "{ moves = \"cD\", takes = \"not R\" } ] }\n"));
  EXPECT_EQ(game.moves("4k3/8/3r4/8/1b1N4/8/3p4/K7 w - - 0 1", "d4"),
            Texts({"c4", "e4", "d3", "d5", "e5", "c3", "b4", "d2"}));
  EXPECT_EQ(game.moves("4k3/8/8/8/2N5/8/8/K7 w - - 0 1", "c4"), Texts());
}

TEST(Moves, OfGeneralsThatFaceTakeOnlyTheKing) {
  const PlayedTwice game(uncastled(""));
  const PlayedTwice facing(chess_with(
      test::kNoRights + "[pieces.K]\nmoves = [ \"W\", { moves = \"vcR\", takes = \"K\" } ]\n"));
  EXPECT_FALSE(facing.can("4k3/8/8/8/8/8/3K4/8 w - - 0 1", "d2e2"));
  EXPECT_TRUE(facing.can("4k3/8/4p3/8/8/8/3K4/8 w - - 0 1", "d2e2"));
  EXPECT_TRUE(game.can("4k3/8/8/8/8/8/3K4/8 w - - 0 1", "d2e2"));
}

// ------------------------------------------------------------------------------------------- rules

TEST(Rules, CapturesAreForced) {
  const PlayedTwice game(uncastled("[rules]\ncapture_forced = true\n"));
  EXPECT_EQ(game.moves("4k3/8/8/8/8/p7/8/R3K3 w - - 0 1"), Texts({"a1a3"}));
}

TEST(Rules, ChecksAreForbiddenOrAllowedWhereTheyMate) {
  const std::string mates = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
  const std::string checks = "6k1/6pp/8/8/8/8/8/R3K3 w - - 0 1";
  const PlayedTwice never(uncastled("[rules]\nchecks_forbidden = true\n"));
  EXPECT_FALSE(never.can(mates, "a1a8"));
  const PlayedTwice mating(uncastled("[rules]\nchecks_forbidden = \"unless mate\"\n"));
  EXPECT_TRUE(mating.can(mates, "a1a8"));
  EXPECT_FALSE(mating.can(checks, "a1a8"));
}

TEST(Rules, ExplosionsSpareSomeAndDecideTheGame) {
  const PlayedTwice game(uncastled("[rules]\nexplode = { spares = \"PN\" }\n"));
  EXPECT_EQ(game.after("4k3/8/2bnp3/3q4/8/8/8/3RK3 w - - 0 1", {"d1d5"}),
            "4k3/8/3np3/8/8/8/8/4K3 b - - 0 1");
  EXPECT_EQ(game.outcome("8/8/8/3qk3/8/8/8/3R2K1 w - - 0 1", {"d1d5"}), "white");
  // Beside one's own king nothing is captured.
  EXPECT_FALSE(game.can("4k3/8/8/8/8/8/3q4/3RK3 w - - 0 1", "d1d2"));
}

TEST(Rules, OnlyRoyalsAreADrawUnlessTheGameGoesOn) {
  EXPECT_EQ(PlayedTwice(uncastled("")).outcome("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "draw");
  EXPECT_EQ(PlayedTwice(uncastled("[ends]\nonly_royals = \"go on\"\n"))
                .outcome("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            "");
}

TEST(Ends, ReachedWithAReplyWaitForTheOpponent) {
  const PlayedTwice game(
      uncastled("[ends]\nreach = { piece = \"K\", zone = \"rank 8\", reply = true }\n"));
  const std::string fen = "8/4K3/8/8/8/8/k6P/8 w - - 0 1";
  EXPECT_EQ(game.outcome(fen, {"e7e8"}), "");
  EXPECT_EQ(game.outcome(fen, {"e7e8", "a2a1"}), "draw");
  EXPECT_EQ(game.outcome(fen, {"e7e8", "a2a3"}), "white");
}

TEST(Ends, OfABareKingWithAReplyWaitForTheOpponent) {
  const PlayedTwice game(uncastled("[ends]\nbare_king = { result = \"loss\", reply = true }\n"));
  EXPECT_EQ(game.outcome("8/8/8/8/8/3k4/8/KnR5 w - - 0 1", {"c1b1"}), "");
  EXPECT_EQ(game.outcome("8/8/8/8/8/3k4/8/KnR5 w - - 0 1", {"c1b1", "d3d4"}), "white");
  EXPECT_EQ(game.outcome("8/8/8/8/8/8/2k5/Kn6 w - - 0 1", {"a1a2"}), "black");
  EXPECT_EQ(game.outcome("1R5K/8/8/8/8/8/1n6/k7 w - - 0 1", {"b8b2", "a1b2"}), "draw");
}

TEST(Ends, OfExtinctionAreOfOneOrOfAll) {
  const PlayedTwice any(uncastled("[ends]\nextinct = { any = \"RB\" }\n"));
  EXPECT_EQ(any.outcome("rb2k3/8/8/8/8/8/8/RB2K3 w - - 0 1", {"a1a8"}), "white");
  const PlayedTwice all(uncastled("[ends]\nextinct = { all = \"RB\" }\n"));
  EXPECT_EQ(all.outcome("rb2k3/8/8/8/8/8/8/RB2K3 w - - 0 1", {"a1a8"}), "");
  EXPECT_EQ(all.outcome("r3k3/8/8/8/8/8/8/RB2K3 w - - 0 1", {"a1a8"}), "white");
}

// ------------------------------------------------------------------------------------------- hands

TEST(Drops, MayNotMateOrDoubleAFileWhereTheFileSaysSo) {
  const PlayedTwice game(
      uncastled("[hands]\nP = { onto = \"rank 2, rank 3, rank 4, rank 5, rank 6, rank 7\", a_file "
                "= 1, mate = false }\n"));
  EXPECT_EQ(game.moves("8/8/8/8/4k3/8/P7/4K3[P] w - - 0 1", "P@a"), Texts());
  EXPECT_EQ(game.moves("8/8/8/8/4k3/8/P7/4K3[P] w - - 0 1", "P@b"),
            Texts({"2", "3", "4", "5", "6", "7"}));
  EXPECT_FALSE(game.can("7k/8/6K1/8/8/1B6/8/8[P] w - - 0 1", "P@g7"));
  EXPECT_TRUE(game.can("7k/8/6K1/8/8/8/8/8[P] w - - 0 1", "P@g7"));  // g8 is free
}

TEST(Drops, AreOfWhatTheHandMakesOfACapture) {
  const PlayedTwice game(uncastled("[hands]\nas = { Q = \"P\" }\n"));
  EXPECT_EQ(game.after("q3k3/8/8/8/8/8/8/R3K3[] w - - 0 1", {"a1a8"}),
            "R3k3/8/8/8/8/8/8/4K3[P] b - - 0 1");
}

// ------------------------------------------------------------------------------------------
// devices

TEST(Belts, CarryByTheirStepsAndBackwardWhereTheyMay) {
  const PlayedTwice game(uncastled(
      "[[board.belt]]\nsquares = \"a4 b4 c4 d4 e4\"\nsteps = 2\nname = \"x\"\nwhen = \"instead\"\n"
      "ways = \"both\"\n"));
  const std::string fen = "4k3/8/8/8/N7/8/8/4K3 w - - 0 1";
  EXPECT_EQ(game.after(fen, {"@x+"}), "4k3/8/8/8/2N5/8/8/4K3 b - - 1 1");
  EXPECT_EQ(game.after(fen, {"@x-"}), "4k3/8/8/8/3N4/8/8/4K3 b - - 1 1");
}

TEST(Belts, OfAQuarterTurnItClockwise) {
  const PlayedTwice game(
      uncastled("[[board.belt]]\nquarter = \"c3-e5\"\nname = \"x\"\nwhen = \"instead\"\n"));
  EXPECT_EQ(game.after("4k3/8/8/2N5/2R5/8/8/4K3 w - - 0 1", {"@x+"}),
            "4k3/8/8/3RN3/8/8/8/4K3 b - - 1 1");
}

TEST(Sectors, SlideFarAndPushTheirNeighbours) {
  const std::string fen = "4k3/8/2**4/2**4/2**4/2**4/8/N3K3 w - - 0 1";
  const PlayedTwice far(
      based_on("\"shifting\"", "[board.sectors]\nslide = { who = \"any\", far = 2 }\n"));
  EXPECT_EQ(far.moves(fen, "BI-"), Texts({"BII", "BIII"}));
  const PlayedTwice near(
      based_on("\"shifting\"", "[board.sectors]\nslide = { who = \"any\", far = 1 }\n"));
  EXPECT_EQ(near.moves(fen, "BI-"), Texts({"BII"}));
  EXPECT_EQ(near.moves(fen, "DII-"), Texts());
  const PlayedTwice push(
      based_on("\"shifting\"", "[board.sectors]\nslide = { who = \"any\", far = 1, push = 2 }\n"));
  EXPECT_EQ(push.moves(fen, "DII-"), Texts({"CII"}));
}

TEST(Levels, WithoutHolesAreBoardsOfTheirOwn) {
  const PlayedTwice game(chess_with(
      "[board.levels]\ncount = 2\n[start]\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|"
      "8/8/8/8/8/8/8/R7 w -|- - 0 1\"\n[pieces]\nK = \"K\"\n"));
  EXPECT_EQ(game.moves("4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/8/R7 w -|- - 0 1", "2a1-").size(), 14U);
  EXPECT_FALSE(game.in_check("4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/8/4R3 b -|- - 0 1"));
}

// ------------------------------------------------------------------------------------------
// merging

TEST(Merging, ReplacesListsAndRowsAsAWhole) {
  const GameFile belts =
      texts::game(based_on("\"escher\"", "[[board.belt]]\nsquares = \"c4 c5\"\n"));
  EXPECT_EQ(belts.board.belts.size(), 1U);
  const GameFile wide =
      texts::game(based_on("\"slanted-mini\"",
                           "[board]\nfiles = 8\nranks = 6\n[start]\nfen = "
                           "\"rnbqkbnr/cccccccc/8/8/CCCCCCCC/RNBQKBNR b KQkq - 0 1\"\n"));
  EXPECT_EQ(wide.board.squares, 48);
}

TEST(Merging, OfSeveralBasesIsInTheirOrder) {
  const GameFile one = texts::game(based_on("[ \"three-check\", \"king-of-the-hill\" ]"));
  EXPECT_EQ(one.ends.sides[0].checks, 3);
  EXPECT_EQ(one.ends.sides[0].reach.size(), 1U);
  // What is based on another comes behind it.
  EXPECT_EQ(texts::game(based_on("[ \"inferno3\", \"inferno2\" ]")).board.levels.count, 3);
  EXPECT_EQ(texts::game(based_on("[ \"inferno3\", \"inferno4\" ]")).board.levels.count, 4);
  EXPECT_EQ(texts::game(based_on("[ \"inferno4\", \"inferno3\" ]")).board.levels.count, 3);
}

TEST(Starts, OfAListAreEachAStart) {
  const PlayedTwice game(
      chess_with("[start]\nfen = [ \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\", "
                 "\"1k2r3/8/8/8/8/8/8/1K2R3 w Kk - 0 1\" ]\n"));
  EXPECT_EQ(game.file().starts.size(), 2U);
  EXPECT_EQ(game.after("1k2r3/8/8/8/8/8/8/1K2R3 w Kk - 0 1", {"b1d1"}),
            "1k2r3/8/8/8/8/8/8/2RK4 b k - 1 1");
}

}  // namespace
}  // namespace faultline::data
