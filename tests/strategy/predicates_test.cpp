// Every predicate: the moves, or the positions, for which it holds.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/families.h"
#include "tests/strategy/strategies.h"

namespace faultline {
namespace {

using test::holds;
using test::moves_where;
using testing::ElementsAre;
using testing::IsEmpty;

using Moves = std::vector<std::string>;

Moves chess(const std::string& when, const std::string& fen, const Moves& played = {}) {
  return moves_where<ChessPosition>(when, "chess", fen, played);
}

constexpr const char* kTrades = "4k3/8/2n5/3p4/B3P3/8/8/3RK3 w - - 0 1";

TEST(Captures, HoldsForMovesThatTakeAPieceOfTheseTypes) {
  EXPECT_THAT(chess("{ captures = true }", kTrades), ElementsAre("a4c6", "d1d5", "e4d5"));
  EXPECT_THAT(chess("{ captures = 'knight' }", kTrades), ElementsAre("a4c6"));
  EXPECT_THAT(chess("{ captures = ['queen', 'rook'] }", kTrades), IsEmpty());
  EXPECT_THAT(chess("{ captures = 'pawn' }", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
              ElementsAre("e5d6"))
      << "en passant";
}

TEST(Trades, HoldsForCapturesOfAboutEqualValue) {
  EXPECT_THAT(chess("{ trades = true }", kTrades), ElementsAre("a4c6", "e4d5"));
}

TEST(Checks, HoldsForMovesThatGiveCheck) {
  EXPECT_THAT(chess("{ checks = true }", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), ElementsAre("a1a8"));
}

TEST(PieceMoves, HoldsForMovesOfTheseTypes) {
  EXPECT_THAT(chess("{ piece = 'knight' }", ""), ElementsAre("b1a3", "b1c3", "g1f3", "g1h3"));
  EXPECT_EQ(chess("{ piece = ['pawn', 'knight'] }", "").size(), 20U);
  EXPECT_THAT(
      moves_where<ShiftingPosition>("{ not = { piece = ['pawn', 'knight', 'rook'] } }", "shifting"),
      ElementsAre("BI-BII", "BI-BIII"))
      << "a shift moves no piece";
}

TEST(FromAndTo, HoldForMovesFromAndToTheseSquares) {
  EXPECT_THAT(chess("{ from = 'b1' }", ""), ElementsAre("b1a3", "b1c3"));
  EXPECT_THAT(chess("{ to = ['a3', 'h*'] }", ""),
              ElementsAre("a2a3", "b1a3", "g1h3", "h2h3", "h2h4"));
}

TEST(Castles, HoldsForCastling) {
  EXPECT_THAT(chess("{ castles = true }", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
              ElementsAre("e1c1", "e1g1"));
}

TEST(Promotes, HoldsForPromotionsToTheseTypes) {
  const char* const fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
  EXPECT_THAT(chess("{ promotes = true }", fen), ElementsAre("a7a8b", "a7a8n", "a7a8q", "a7a8r"));
  EXPECT_THAT(chess("{ promotes = 'knight' }", fen), ElementsAre("a7a8n"));
}

TEST(Repeats, HoldsForMovesThatLeadToAnEarlierPosition) {
  EXPECT_THAT(chess("{ repeats = true }", "", {"g1f3", "g8f6", "f3g1"}), ElementsAre("f6g8"));
  EXPECT_THAT(chess("{ repeats = true }", "", {"g1f3", "g8f6", "e2e3"}), IsEmpty());
}

TEST(Ply, CountsFromTheStartOfTheGame) {
  EXPECT_TRUE(holds<ChessPosition>("ply = 0", "chess"));
  EXPECT_TRUE(
      holds<ChessPosition>("ply = { at_least = 10 }", "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 6"));
  EXPECT_FALSE(
      holds<ChessPosition>("ply = { at_least = 11 }", "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 6"));
}

TEST(Lead, IsTheMoversMaterialInPawnsAheadOfTheOpponents) {
  const char* const up = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
  EXPECT_TRUE(holds<ChessPosition>("lead = 6", "chess", up));
  EXPECT_FALSE(holds<ChessPosition>("lead = { at_most = 5.5 }", "chess", up));
  EXPECT_TRUE(holds<ChessPosition>("lead = -6", "chess", "4k3/8/8/8/8/8/4P3/4K2R b K - 0 1"));
}

TEST(PiecesLeft, CountsBothSides) {
  EXPECT_TRUE(holds<ChessPosition>("pieces_left = 32", "chess"));
  EXPECT_TRUE(holds<ChessPosition>("pieces_left = { at_most = 4 }", "chess",
                                   "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"));
}

TEST(InCheck, HoldsWhereTheMoverIsInCheck) {
  EXPECT_FALSE(holds<ChessPosition>("in_check = true", "chess"));
  EXPECT_TRUE(holds<ChessPosition>("in_check = true", "chess", "4k3/8/8/8/8/8/8/r3K3 w - - 0 1"));
}

TEST(Side, IsTheMovers) {
  EXPECT_TRUE(holds<ChessPosition>("side = 'white'", "chess"));
  EXPECT_FALSE(holds<ChessPosition>("side = 'black'", "chess"));
}

// Inferno.

Moves inferno(const std::string& when, const std::string& fen = "", int levels = 2) {
  return moves_where<InfernoPosition>(when, "inferno:levels=" + std::to_string(levels), fen);
}

/// White has a rook above and is behind below.
constexpr const char* kThreatened = "4k3/8/8/8/8/8/2R5/4K3|r3k3/8/8/8/8/8/8/4K3 w -|- - 0 1";
/// White mates on the second level.
constexpr const char* kMate = "4k3/8/8/8/8/8/8/4K3|6k1/5ppp/8/8/8/8/8/R3K3 w -|- - 0 1";

TEST(Descends, HoldsForMovesThatEndOnADeeperLevel) {
  EXPECT_THAT(inferno("{ descends = true }"),
              ElementsAre("1c2-2a4", "1c2-2b3", "1d2-2c3", "1d2-2d4", "1e2-2e4", "1e2-2f3",
                          "1f2-2g3", "1f2-2h4"));
  EXPECT_THAT(inferno("{ descends = 2 }", "", 3).size(), testing::Gt(0U));
  for (const std::string& move : inferno("{ descends = 2 }", "", 3))
    EXPECT_EQ(move.substr(0, 1) + move[move.find('-') + 1], "13") << move;
}

TEST(Descends, MayBeCombinedWithCaptures) {
  EXPECT_GT(inferno("{ descends = true }", kThreatened).size(), 5U);
  EXPECT_THAT(inferno("{ descends = true, captures = true }", kThreatened), ElementsAre("1c2-2a8"));
}

TEST(FromLevelAndToLevel, AreCountedFromTheOutermost) {
  EXPECT_EQ(inferno("{ from_level = 2 }").size(), 20U) << "the deepest level is a game of chess";
  EXPECT_EQ(inferno("{ to_level = 2 }").size(), 28U) << "with the descents onto it";
  EXPECT_EQ(inferno("{ from_level = 1, to_level = 2 }"), inferno("{ descends = true }"));
}

TEST(ToDeepestLevel, HoldsForMovesThatEndAtTheBottom) {
  EXPECT_EQ(inferno("{ to_deepest_level = true }"), inferno("{ to_level = 2 }"));
  // Two of three levels are left.
  EXPECT_EQ(inferno("{ to_deepest_level = true }", kMate, 3),
            inferno("{ to_level = 2 }", kMate, 3));
}

TEST(ToThreatenedLevel, HoldsForMovesOntoLevelsWhereTheMoverIsBehindOrInCheck) {
  EXPECT_FALSE(inferno("{ descends = true }", kThreatened).empty());
  EXPECT_EQ(inferno("{ to_threatened_level = true }", kThreatened),
            inferno("{ to_level = 2 }", kThreatened));
  EXPECT_THAT(inferno("{ to_threatened_level = { by = 5.5 } }", kThreatened), IsEmpty());
  const char* const check = "4k3/8/8/8/8/8/2R5/4K3|4k3/8/8/8/8/8/4Q3/r3K3 w -|- - 0 1";
  EXPECT_EQ(inferno("{ to_threatened_level = true }", check), inferno("{ to_level = 2 }", check))
      << "ahead, but in check";
}

TEST(WinsLevel, HoldsForMates) {
  EXPECT_THAT(inferno("{ wins_level = true }", kMate), ElementsAre("2a1-2a8"));
  EXPECT_THAT(moves_where<InfernoPosition>("{ wins_level = true }", "inferno:levels=1",
                                           "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
              ElementsAre("1a1-1a8"))
      << "the last one";
}

TEST(LevelsLeft, IsTheNumberNow) {
  EXPECT_TRUE(holds<InfernoPosition>("levels_left = 2", "inferno:levels=3", kMate));
  EXPECT_FALSE(holds<InfernoPosition>("levels_left = 3", "inferno:levels=3", kMate));
}

TEST(ShareBelow, IsTheMoversMaterialBelowALevel) {
  const std::string three = "inferno:levels=3";
  EXPECT_TRUE(holds<InfernoPosition>("share_below = { at_least = 0.66, at_most = 0.67 }", three));
  EXPECT_TRUE(holds<InfernoPosition>("share_below = { level = 2, at_least = 0.33, at_most = 0.34 }",
                                     three));
  EXPECT_TRUE(holds<InfernoPosition>("share_below = 1", three, kMate));
  EXPECT_TRUE(holds<InfernoPosition>("share_below = 0", three, kThreatened));
}

// Escher.

Moves escher(const std::string& when, const std::string& fen = "") {
  return moves_where<EscherPosition>(when, "escher", fen);
}

TEST(BoardUnchanged, HoldsForStepsThatTheStaircaseTakesBack) {
  EXPECT_THAT(escher("{ board_unchanged = true }", "4k3/8/8/K7/8/8/8/8 w - - 0 1"),
              ElementsAre("a5a4"));
  EXPECT_THAT(escher("{ board_unchanged = true }", "4k3/8/p7/K7/8/8/8/8 w - - 0 1"), IsEmpty())
      << "the pawn on the staircase is carried";
}

TEST(TriggersStaircase, HoldsForMovesThatLeaveOneOfItsSquares) {
  EXPECT_THAT(escher("{ triggers_staircase = 'row-1' }"), ElementsAre("g1f3", "g1h3"));
  EXPECT_THAT(escher("{ triggers_staircase = ['column-a', 'column-f'] }"),
              ElementsAre("a2a3", "a2a4", "f2f3", "f2f4"));
  EXPECT_THAT(escher("{ triggers_staircase = true, from = ['a*', 'b*', 'g1'] }"),
              ElementsAre("a2a3", "a2a4", "g1f3", "g1h3"));
}

TEST(CarriesOwnKing, HoldsForMovesWhoseStaircaseTakesTheKingAlong) {
  EXPECT_THAT(escher("{ carries_own_king = true }"), ElementsAre("g1f3", "g1h3"));
  EXPECT_THAT(escher("{ carries_own_king = true }", "4k3/8/8/K7/8/8/8/8 w - - 0 1"),
              ElementsAre("a5a4", "a5a6"))
      << "the king itself moves along the staircase";
}

TEST(CarriesEnemy, HoldsForMovesWhoseStaircaseTakesAnEnemyAlong) {
  const char* const fen = "4k3/2p5/8/8/8/2N5/8/4K3 w - - 0 1";
  EXPECT_THAT(escher("{ carries_enemy = true }"), IsEmpty());
  EXPECT_EQ(escher("{ carries_enemy = true }", fen), escher("{ from = 'c3' }", fen));
  EXPECT_EQ(escher("{ carries_enemy = true }", fen).size(), 8U);
  EXPECT_THAT(escher("{ carries_enemy = true }", "4k3/8/8/8/8/8/p7/R3K3 w - - 0 1"),
              ElementsAre("a1b1", "a1c1", "a1d1"))
      << "not where it is captured";
}

TEST(PromotesByStaircase, HoldsForMovesThatCarryAPawnHome) {
  const char* const fen = "4k3/8/8/7R/8/7P/8/4K3 w - - 0 1";
  EXPECT_EQ(escher("{ promotes_by_staircase = true }", fen), escher("{ from = 'h5' }", fen));
  EXPECT_FALSE(escher("{ promotes_by_staircase = true }", fen).empty());
}

// Shifting.

Moves shifting(const std::string& when, const std::string& fen = "") {
  return moves_where<ShiftingPosition>(when, "shifting", fen);
}

TEST(Shifts, HoldsForSlidesOfADistance) {
  EXPECT_THAT(shifting("{ shifts = true }"), ElementsAre("BI-BII", "BI-BIII"));
  EXPECT_THAT(shifting("{ shifts = 2 }"), ElementsAre("BI-BIII"));
  EXPECT_THAT(shifting("{ captures = true }"), IsEmpty());
}

TEST(ShiftsOwnKing, HoldsForSlidesOfTheKingsSector) {
  EXPECT_THAT(shifting("{ shifts_own_king = true }"), IsEmpty());
  EXPECT_THAT(shifting("{ shifts_own_king = true }", "4k3/8/**6/**6/8/8/2**4/2**K3 w - - 0 1"),
              ElementsAre("CI-BI"));
}

TEST(BlocksSector, HoldsForMovesOntoSectorsThatTheOpponentRuled) {
  EXPECT_THAT(shifting("{ blocks_sector = true }", "4k3/8/2**4/2**4/2**4/2**4/R6n/4K3 w - - 0 1"),
              ElementsAre("a2g2", "a2h2"));
}

// Earthquake.

TEST(Aftershock, HoldsForShiftsByAsManyFiles) {
  const std::string variant = "earthquake:aftershock=2,shock=2";
  EXPECT_THAT(moves_where<EarthquakePosition>("{ aftershock = true }", variant),
              ElementsAre("@+1", "@+2", "@-1", "@-2"));
  EXPECT_THAT(moves_where<EarthquakePosition>("{ aftershock = 1 }", variant),
              ElementsAre("@+1", "@-1"));
  EXPECT_THAT(moves_where<EarthquakePosition>("{ aftershock = 2 }", variant + ",axis=both"),
              ElementsAre("@+2", "@-2", "@^2"));
}

TEST(AftershocksLeft, AreTheMovers) {
  const std::string variant = "earthquake:aftershock=2";
  EXPECT_TRUE(holds<EarthquakePosition>("aftershocks_left = 2", variant));
  EXPECT_FALSE(holds<EarthquakePosition>("aftershocks_left = { at_most = 1 }", variant));
}

TEST(CrossesFault, HoldsForMovesFromOneHalfToTheOther) {
  EXPECT_THAT(moves_where<EarthquakePosition>("{ crosses_fault = true }", "earthquake",
                                              "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1 1,0"),
              ElementsAre("e4f5"));
  EXPECT_THAT(moves_where<EarthquakePosition>("{ crosses_fault = true }", "earthquake"), IsEmpty());
}

// Slanted.

Moves slanted(const std::string& when) {
  return moves_where<SlantedPosition>(when, "slanted");
}

TEST(EntersEscalator, HoldsForMovesOntoOneFromOutside) {
  EXPECT_THAT(slanted("{ enters_escalator = 'left' }"),
              ElementsAre("a2ab4", "b2ab4", "b2bc4", "c2bc4", "c2cd4", "d2cd4"));
  EXPECT_EQ(slanted("{ enters_escalator = true }").size(), 12U);
}

TEST(UsesFork, HoldsForStraightMovesOverOne) {
  EXPECT_THAT(slanted("{ uses_fork = true }"),
              ElementsAre("b2ab4", "b2bc4", "c2bc4", "c2cd4", "h2gh4", "h2hi4", "i2hi4", "i2ij4"));
}

TEST(UltraJump, HoldsForMovesOfTwoLinks) {
  EXPECT_THAT(slanted("{ ultra_jump = true }"), ElementsAre("a1a3", "a1c3", "j1h3", "j1j3"));
  EXPECT_EQ(slanted("{ ultra_jump = true }"), slanted("{ piece = 'ultra' }"));
}

}  // namespace
}  // namespace faultline
