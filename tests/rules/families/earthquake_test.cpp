// Earthquake Chess: every ruling of docs/rules.md.
#include "rules/families/earthquake.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/families/move_texts.h"

namespace faultline {
namespace {

using test::after;
using test::moves_from;

const EarthquakeVariant& variant(const std::string& options) {
  return EarthquakePosition::variant(
      parse_variant_name(options.empty() ? "earthquake" : "earthquake:" + options));
}

EarthquakePosition at(const std::string& options, const std::string& fen) {
  return EarthquakePosition::from_fen(variant(options), fen);
}

std::string refusal(const std::string& options) {
  return test::refusal<EarthquakePosition>("earthquake:" + options);
}

std::string fen_refusal(const std::string& options, const std::string& fen) {
  try {
    return "accepted as " + at(options, fen).fen();
  } catch (const FenError& error) {
    return error.what();
  }
}

bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Earthquake, StartsAsChessDisplacedByOneFile) {
  EXPECT_EQ(EarthquakePosition::start(variant("")).fen(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1,0");
  EXPECT_EQ(EarthquakePosition::start(variant("aftershock=2,dx=-2,dy=1")).fen(),
            "rnbqkbnr/pppppppp/8/******2/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -2,1/2,2/0");
}

TEST(Earthquake, CanonicalNamesListNonDefaultsInTheOrderOfTheRules) {
  EXPECT_EQ(variant("shock=2,aftershock=3,fly=on,dy=-1,dx=0").canonical_name(),
            "earthquake:dx=0,dy=-1,fly=on,aftershock=3,shock=2");
  EXPECT_EQ(variant("dx=1,dy=0,fly=off,aftershock=0,shock=1").canonical_name(), "earthquake");
  EXPECT_EQ(&variant("dx=3"), &variant("dx=3")) << "one object per name";
}

TEST(Earthquake, OptionErrorsStateWhatIsAllowed) {
  EXPECT_TRUE(contains_text(refusal("dx=9"), "dx is -8 to 8"));
  EXPECT_TRUE(contains_text(refusal("dx=+1"), "dx is -8 to 8"));
  EXPECT_TRUE(contains_text(refusal("dx=01"), "dx is -8 to 8"));
  EXPECT_TRUE(contains_text(refusal("dy=5"), "dy is -2 to 4"));
  EXPECT_TRUE(contains_text(refusal("fly=yes"), "fly is off, on"));
  EXPECT_TRUE(contains_text(refusal("aftershock=10"), "aftershock is 0 to 9"));
  EXPECT_TRUE(contains_text(refusal("shock=0"), "shock is 1 to 7"));
}

TEST(Earthquake, ADisplacementMayNotCoverAPieceOfTheStart) {
  EXPECT_TRUE(contains_text(refusal("dx=0,dy=3"), "covers a7"));
  EXPECT_TRUE(contains_text(refusal("dx=-7,dy=4"), "covers a7"));
  EXPECT_EQ(refusal("dx=-8,dy=4"), "accepted as earthquake:dx=-8,dy=4");
}

TEST(Earthquake, TheHalvesTouchUnlessRidersFly) {
  EXPECT_TRUE(contains_text(refusal("dy=-1"), "dy < 0 needs fly=on"));
  EXPECT_EQ(refusal("dy=-1,fly=on"), "accepted as earthquake:dy=-1,fly=on");
  EXPECT_EQ(refusal("dx=8"), "accepted as earthquake:dx=8") << "corners touch";
  EXPECT_FALSE(halves_touch({9, 0}));
  EXPECT_FALSE(halves_touch({0, -1}));
}

TEST(Earthquake, LinesFollowLocationsNotNames) {
  // b5 is north of a1 … a4: the lower half is one file to the right.
  const auto rook = moves_from(at("", "7k/8/8/8/8/8/8/R6K w - - 0 1 1,0"), "a1");
  EXPECT_TRUE(rook.contains("a1b5"));
  EXPECT_TRUE(rook.contains("a1b8"));
  EXPECT_FALSE(rook.contains("a1a5"));
  // a1-d4 continues to f5.
  const auto bishop = moves_from(at("", "8/k7/8/8/8/8/8/B6K w - - 0 1 1,0"), "a1");
  EXPECT_TRUE(bishop.contains("a1f5"));
  EXPECT_FALSE(bishop.contains("a1e5"));
}

TEST(Earthquake, VoidBlocksRidersUnlessTheyFly) {
  // h4 is at x = 8: nothing north of it but void.
  const auto walking = moves_from(at("", "8/8/8/8/7R/k7/8/7K w - - 0 1 1,0"), "h4");
  EXPECT_EQ(walking.size(), 9U);
  // Flying over the gap of two ranks, from a4 (y = 1) to a5 (y = 4).
  const std::string fen = "8/8/8/8/R7/8/2k5/7K w - - 0 1 0,-2";
  const auto flying = moves_from(at("dx=0,dy=-2,fly=on", fen), "a4");
  EXPECT_TRUE(flying.contains("a4a5"));
  EXPECT_TRUE(flying.contains("a4a8"));
}

TEST(Earthquake, KingsAndPawnsNeedRealSquares) {
  const auto p = at("dx=0,dy=-1,fly=on", "7k/8/8/8/K6P/8/8/8 w - - 0 1 0,-1");
  EXPECT_TRUE(moves_from(p, "h4").empty()) << "the pawn faces the gap";
  EXPECT_FALSE(moves_from(p, "a4").contains("a4a5"));
}

TEST(Earthquake, KnightsOnlyNeedASquareToLandOn) {
  // From d3 (y = 1) over the gap (y = 3) to c5 and e5 (y = 4) it is three ranks; from d4 two.
  const auto p = at("dx=0,dy=-1,fly=on", "7k/8/8/8/3N4/8/8/7K w - - 0 1 0,-1");
  EXPECT_EQ(moves_from(p, "d4"),
            (std::set<std::string>{"d4b3", "d4c2", "d4e2", "d4f3", "d4c5", "d4e5"}));
}

TEST(Earthquake, APawnWithNothingAheadIsStuckAndPromotesOnlyOnItsNamedRow) {
  // dx=8, dy=4: the halves are side by side, d4 on the top row.
  const auto p = at("dx=8,dy=4", "7k/8/8/8/3P4/8/8/K7 w - - 0 1 8,4");
  EXPECT_TRUE(moves_from(p, "d4").empty());
  const auto q = at("dx=8,dy=4", "8/3P3k/8/8/8/8/8/K7 w - - 0 1 8,4");
  EXPECT_EQ(moves_from(q, "d7"), (std::set<std::string>{"d7d8q", "d7d8r", "d7d8b", "d7d8n"}));
}

TEST(Earthquake, ADoubleStepMayCrossTheSeamAndBeTakenEnPassant) {
  // dx=0, dy=2: h4 and h3 are south of h7.
  auto p = at("dx=0,dy=2", "4k3/7p/********/********/8/6P1/8/4K3 b - - 0 1 0,2");
  p = after(p, {"h7h3"});
  EXPECT_EQ(p.fen(), "4k3/8/********/********/8/6Pp/8/4K3 w - h4 0 2 0,2");
  p = after(p, {"g3h4"});
  EXPECT_EQ(p.fen(), "4k3/8/********/********/7P/8/8/4K3 b - - 0 2 0,2");
}

TEST(Earthquake, CoveredSquaresDoNotExist) {
  const auto p = at("dx=0,dy=1", "7k/8/R7/********/8/8/8/K7 w - - 0 1 0,1");
  const auto rook = moves_from(p, "a6");
  EXPECT_TRUE(rook.contains("a6a4")) << "a4 is below a6";
  EXPECT_FALSE(rook.contains("a6a5"));
  EXPECT_TRUE(
      contains_text(fen_refusal("dx=0,dy=1", "7k/8/R7/8/8/8/8/K7 w - - 0 1 0,1"), "is covered"));
  EXPECT_TRUE(contains_text(fen_refusal("dx=0,dy=1", "7k/*7/R7/********/8/8/8/K7 w - - 0 1 0,1"),
                            "not covered"));
}

TEST(Earthquake, CastlingIsAsInChessButTheRookMayUncoverAnAttack) {
  const auto p = at("", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 1,0");
  EXPECT_TRUE(p.parse_move("e1g1"));
  EXPECT_TRUE(p.parse_move("e1c1"));
  // dx=8, dy=4: h5 is the square west of a1. A rook there attacks c1 once the rook has left a1 by
  // castling.
  const auto q = at("dx=8,dy=4", "4k3/8/8/7r/8/8/8/R3K2R w KQ - 0 1 8,4");
  EXPECT_TRUE(q.parse_move("e1g1"));
  EXPECT_FALSE(q.parse_move("e1c1"));
}

TEST(Earthquake, AnAftershockShiftsTheLowerHalfAndLeavesPiecesOnTheirNames) {
  const auto p = after(EarthquakePosition::start(variant("aftershock=2")), {"@+1"});
  EXPECT_EQ(p.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1 2,0/1,2/1");
  EXPECT_EQ(p.ground().displacement().dx, 2);
  EXPECT_EQ(p.halfmove_clock(), 1) << "a ply without capture or pawn move";
}

TEST(Earthquake, AnAftershockMayNotBeUndoneAtOnce) {
  const auto shaken = after(EarthquakePosition::start(variant("aftershock=2")), {"@+1"});
  EXPECT_FALSE(shaken.parse_move("@-1"));
  EXPECT_TRUE(shaken.parse_move("@+1"));
  const auto later = after(shaken, {"e7e5", "e2e4"});
  EXPECT_TRUE(later.parse_move("@-1")) << "a turn later it may";
}

TEST(Earthquake, AnAftershockEndsEnPassantAndKeepsCastlingRights) {
  const std::string fen = "4k3/8/8/8/2pP4/8/8/4K2R b K d3 0 1 1,0/1,1/0";
  const auto p = at("aftershock=1", fen);
  EXPECT_TRUE(p.parse_move("c4d3"));
  EXPECT_EQ(after(p, {"@+1"}).fen(), "4k3/8/8/8/2pP4/8/8/4K2R w K - 1 2 2,0/1,0/1");
}

TEST(Earthquake, AftershocksStayWithinSevenFilesAndShock) {
  const auto p = at("aftershock=9,shock=3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 6,0/9,9/0");
  EXPECT_TRUE(p.parse_move("@+1"));
  EXPECT_FALSE(p.parse_move("@+2"));
  EXPECT_TRUE(p.parse_move("@-3"));
  EXPECT_FALSE(p.parse_move("@-4"));
  EXPECT_FALSE(at("aftershock=9", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 6,0/0,9/0").parse_move("@-1"));
}

TEST(Earthquake, AnAftershockMayNotCoverAPiece) {
  // dy=1: at dx=-2 g5 and h5 are free; shifting right covers g5.
  const std::string fen = "4k3/8/8/******N1/8/8/8/4K3 w - - 0 1 -2,1/1,1/0";
  EXPECT_FALSE(at("dx=-2,dy=1,aftershock=1", fen).parse_move("@+1"));
  EXPECT_TRUE(at("dx=-2,dy=1,aftershock=1", fen).parse_move("@-1"));
}

TEST(Earthquake, AnAftershockMayAnswerACheckButNotUncoverOne) {
  // The rook on f8 attacks e1 across the seam at dx=1.
  const auto p = at("aftershock=1", "k4r2/8/8/8/8/8/8/4K3 w - - 0 1 1,0/1,1/0");
  EXPECT_TRUE(p.in_check());
  EXPECT_TRUE(p.parse_move("@+1"));
  const auto q = at("aftershock=1", "k5r1/8/8/8/8/8/8/4K3 w - - 0 1 1,0/1,1/0");
  EXPECT_FALSE(q.in_check());
  EXPECT_FALSE(q.parse_move("@+1"));
}

TEST(Earthquake, WithEveryAPlayerWaitsForTurnsOfTheirOwn) {
  auto p = after(EarthquakePosition::start(variant("every=3")), {"@+1"});
  EXPECT_EQ(p.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1 2,0/2,0/1");
  EXPECT_TRUE(p.parse_move("@+1")) << "Black's own turns count, not White's";
  p = after(p, {"e7e5"});
  EXPECT_FALSE(p.parse_move("@+1"));
  p = after(p, {"e2e4", "@+1"});
  EXPECT_EQ(p.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3 3,0/1,2/1");
  EXPECT_FALSE(p.parse_move("@+1"));
  p = after(p, {"d2d3", "d7d6"});
  EXPECT_TRUE(p.parse_move("@+1")) << "neither of White's last two turns was one";
  p = after(p, {"@-1"});
  EXPECT_EQ(p.aftershock_count(Colour::White), 2);
  EXPECT_EQ(p.aftershock_count(Colour::Black), 1);
}

TEST(Earthquake, WithEveryThereIsNoLimitOfNumber) {
  auto p = EarthquakePosition::start(variant("dx=-7,every=1"));
  for (int files = -6; files <= 7; ++files) {
    p = after(p, {"@+1"});
    EXPECT_TRUE(p.fen().ends_with(" " + std::to_string(files) + ",0/0,0/1")) << p.fen();
  }
}

TEST(Earthquake, EveryNeedsAftershocksWithoutANumber) {
  EXPECT_TRUE(contains_text(refusal("every=3,aftershock=1"), "every=3 needs aftershock=0"));
  EXPECT_TRUE(contains_text(refusal("every=51"), "every is 0 to 50"));
  EXPECT_TRUE(contains_text(refusal("axis=vertical"), "axis is horizontal, both"));
  EXPECT_EQ(variant("every=50,axis=both,shock=2,dx=1").canonical_name(),
            "earthquake:shock=2,every=50,axis=both");
  EXPECT_EQ(variant("every=0,axis=horizontal").canonical_name(), "earthquake");
}

TEST(Earthquake, WithBothAxesTheLowerHalfMayAlsoRiseAndFall) {
  const auto start = EarthquakePosition::start(variant("aftershock=2,axis=both"));
  EXPECT_TRUE(start.fen().ends_with(" 1,0/2,2/0/0")) << start.fen();
  EXPECT_EQ(moves_from(start, "@"), (std::set<std::string>{"@-1", "@+1", "@^1"}))
      << "below 0, dy needs fly=on";
  const auto up = after(start, {"@^1"});
  EXPECT_EQ(up.fen(),
            "rnbqkbnr/pppppppp/8/1*******/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1 1,1/1,2/0/1");
  EXPECT_EQ(moves_from(up, "@"), (std::set<std::string>{"@-1", "@+1", "@^1"})) << "not undone";
  const auto later = after(up, {"b7b6", "a2a3"});
  EXPECT_EQ(moves_from(later, "@"), (std::set<std::string>{"@-1", "@+1", "@v1"}))
      << "@^1 would cover the pawn on b6";
}

TEST(Earthquake, RanksStayWithinTheOptionsAndTheHalvesTouch) {
  const auto shifts = [](const std::string& options, const std::string& pieces,
                         const std::string& ground) {
    return moves_from(at("dx=0,every=1,axis=both" + options, pieces + " w - - 0 1 " + ground), "@");
  };
  const std::string covered = "8/********/********/********/8/8/8/k1K5";
  const std::string open = "8/8/8/8/8/8/8/k1K5";
  // Three ranks up, the lower half covers ranks 5 to 7; four up, the whole upper half.
  EXPECT_FALSE(shifts("", covered, "0,3/0,0/0/0").contains("@^1"));
  EXPECT_TRUE(shifts(",fly=on", covered, "0,3/0,0/0/0").contains("@^1"));
  EXPECT_FALSE(shifts("", open, "0,0/0,0/0/0").contains("@v1"));
  EXPECT_TRUE(shifts(",fly=on", open, "0,-1/0,0/0/0").contains("@v1"));
  EXPECT_FALSE(shifts(",fly=on", open, "0,-2/0,0/0/0").contains("@v1"));
}

TEST(Earthquake, BeyondSevenFilesTheLowerHalfStillRises) {
  const auto p = at("dx=8,every=1,axis=both", "7k/8/8/8/8/8/8/K7 w - - 0 1 8,0/0,0/0/0");
  EXPECT_EQ(moves_from(p, "@"), (std::set<std::string>{"@-1", "@^1"}));
}

TEST(Earthquake, AShiftByRanksUncoversSquaresAndMayNotCoverAPiece) {
  const auto p = at("every=1,axis=both", "4k3/8/2p5/1*******/8/8/8/4K3 w - - 0 1 1,1/0,0/0/0");
  EXPECT_FALSE(p.parse_move("@^1")) << "c6 holds a pawn";
  EXPECT_EQ(after(p, {"@v1"}).fen(), "4k3/8/2p5/8/8/8/8/4K3 b - - 1 1 1,0/0,0/0/-1");
}

TEST(Earthquake, AShiftByRanksMayAnswerACheckButNotUncoverOne) {
  // With dx=7 and dy=1 the lower half continues the row of the rook on a5 from h5 on.
  const std::string options = "dx=7,every=1,axis=both";
  const auto p = at(options, "7k/8/8/r7/4K3/8/8/8 w - - 0 1 7,0/0,0/0/0");
  EXPECT_FALSE(p.in_check());
  EXPECT_EQ(moves_from(p, "@"), (std::set<std::string>{"@-1"}));
  const auto q = at(options, "7k/8/8/r6*/4K3/8/8/8 w - - 0 1 7,1/0,0/0/0");
  EXPECT_TRUE(q.in_check());
  EXPECT_EQ(moves_from(q, "@"), (std::set<std::string>{"@^1", "@v1"}));
}

TEST(Earthquake, TheLastShiftOfBothAxesIsWrittenWithTwoNumbers) {
  const std::string pieces = "4k3/8/8/8/8/8/8/4K3 w - ";
  const std::string options = "shock=2,every=3,axis=both";
  for (const std::string rest :
       {"- 0 1 1,0/0,0/0", "- 0 1 1,0/0,2/1/1", "- 0 1 1,0/0,2/0/3", "- 0 1 1,0/0,2/0/1",
        "- 0 1 1,0/0,1/1/0", "- 0 1 1,0/0,3/0/0", "- 0 1 1,-1/0,0/0/0", "- 0 1 1,0/0,0/0/0/0"})
    EXPECT_TRUE(contains_text(fen_refusal(options, pieces + rest), "FEN field")) << rest;
  EXPECT_EQ(at(options, pieces + "- 0 1 1,0/0,2/0/-1").last_shift(), (Displacement{0, -1}));
  EXPECT_TRUE(contains_text(fen_refusal("every=3", pieces + "- 0 1 1,0/0,0/0/0"), "FEN field"));
  EXPECT_TRUE(contains_text(fen_refusal("axis=both", pieces + "- 0 1 1,0/0,0/0/0"), "FEN field"));
}

TEST(Earthquake, PositionsAreTheSameOnlyWithTheSameDisplacement) {
  const std::string pieces = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ";
  const std::string options = "aftershock=2";
  std::set<std::uint64_t> keys;
  for (const std::string ground :
       {"1,0/2,2/0", "2,0/2,2/0", "1,0/1,2/0", "1,0/2,1/0", "1,0/2,1/1", "1,0/2,1/-1"})
    keys.insert(at(options, pieces + ground).key());
  EXPECT_EQ(keys.size(), 6U);
  std::set<std::uint64_t> of_every;
  for (const std::string ground : {"1,0/0,0/0/0", "1,0/0,49/0/0", "1,0/0,49/1/0", "1,0/0,49/0/-1",
                                   "1,0/0,49/0/-2", "1,0/49,0/0/0", "1,1/0,0/0/0"})
    of_every.insert(
        at("dx=1,shock=2,every=50,axis=both",
           (ground[2] == '1' ? "4k3/8/8/1*******/8/8/8/4K3 w - - 0 1 " : pieces) + ground)
            .key());
  EXPECT_EQ(of_every.size(), 7U);
}

TEST(Earthquake, TheParserRefusesInvalidDisplacements) {
  const std::string pieces = "4k3/8/8/8/2pP4/8/8/4K3 b - ";
  for (const std::string rest :
       {"- 0 1 1,0", "- 0 1 1,0/2,3/0", "- 0 1 1,0/-1,2/0", "- 0 1 1,0/2,2/1", "- 0 1 1,0/1,2/2",
        "- 0 1 8,0/2,2/0", "- 0 1 1,1/2,2/0", "- 0 1 1,0/2,2", "- 0 1 1,0/2,2/+0",
        "- 0 1 1,0/2,2/00", "- 0 1 1,0/2,2/0/", "d3 0 1 1,0/1,2/1", "- 0 1 99999999999,0/2,2/0"})
    EXPECT_TRUE(contains_text(fen_refusal("aftershock=2", pieces + rest), "FEN field")) << rest;
  EXPECT_EQ(at("aftershock=2", pieces + "- 0 1 1,0/1,2/1").last_shift(), (Displacement{1, 0}));
}

TEST(Earthquake, PicturesShowTheHalvesDisplaced) {
  const std::string picture = EarthquakePosition::start(variant("dx=2")).picture();
  EXPECT_TRUE(contains_text(picture, "8  r n b q k b n r\n")) << picture;
  EXPECT_TRUE(contains_text(picture, "       R N B Q K B N R  1\n")) << picture;
  const std::string risen =
      after(EarthquakePosition::start(variant("every=2,axis=both")), {"@^1"}).picture();
  EXPECT_TRUE(contains_text(risen, "5  : . : . : . : . :  4\n")) << risen;
  EXPECT_TRUE(contains_text(
      risen, "turns until the next aftershock: white 1, black 0; just shifted up by 1\n"))
      << risen;
}

}  // namespace
}  // namespace faultline
