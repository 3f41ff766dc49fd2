// Shifting Chess: every ruling of docs/rules.md.
#include "rules/families/shifting.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/rules/families/move_texts.h"

namespace faultline {
namespace {

using test::legal;

const ShiftingVariant& variant(const std::string& name = "shifting") {
  return ShiftingPosition::variant(parse_variant_name(name));
}
ShiftingPosition shifting(const std::string& fen) {
  return ShiftingPosition::from_fen(variant(), fen);
}
ShiftingPosition after(const ShiftingPosition& p, const std::string& text) {
  return test::after(p, std::vector{text});
}
std::string refused_field(const std::string& fen) {
  return test::refused_field<ShiftingPosition>(variant(), fen);
}

TEST(Shifting, StartsWithItsGapsInTheMiddle) {
  EXPECT_EQ(ShiftingPosition::start(variant()).fen(),
            "rnbqkbnr/pppppppp/2**4/2**4/2**4/2**4/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(ShiftingPosition::start(variant("shifting:gaps=AIII+DII")).fen(),
            "rnbqkbnr/pppppppp/**6/**6/6**/6**/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

TEST(Shifting, GapsMayBeNamedInAnyOrder) {
  EXPECT_EQ(variant("shifting:gaps=DII+AIII").canonical_name(), "shifting:gaps=AIII+DII");
  EXPECT_EQ(variant("shifting:gaps=BIII+BII").canonical_name(), "shifting");
  EXPECT_EQ(variant("shifting:knights=blocked,gaps=DII+AII").canonical_name(),
            "shifting:gaps=AII+DII,knights=blocked");
  EXPECT_EQ(&variant("shifting:gaps=CIII+CII"), &variant("shifting:gaps=CII+CIII"));
}

TEST(Shifting, OptionsThatAreNotTwoMiddleAreasAreRefused) {
  for (const std::string value : {"BII", "BII+BII", "AI+BII", "BII+BIV", "bii+biii", "BII+BIII+CII",
                                  "+BII", "BII+", "EII+BII"})
    EXPECT_THROW(variant("shifting:gaps=" + value), VariantError) << value;
  EXPECT_THROW(variant("shifting:gap=BII+BIII"), VariantError);
}

TEST(Shifting, ASectorSlidesWithEverythingOnItOneAreaOrTwoOverBothGaps) {
  const ShiftingPosition start = ShiftingPosition::start(variant());
  EXPECT_EQ(after(start, "BI-BII").fen(),
            "rnbqkbnr/pppppppp/2**4/2**4/2PP4/2BQ4/PP**PPPP/RN**KBNR b KQkq - 1 1");
  EXPECT_EQ(after(start, "BI-BIII").fen(),
            "rnbqkbnr/pppppppp/2PP4/2BQ4/2**4/2**4/PP**PPPP/RN**KBNR b KQkq - 1 1");
  EXPECT_FALSE(legal(start, "BIV-BIII")) << "that sector is Black's";
  EXPECT_FALSE(legal(start, "CII-BII")) << "it is empty";
}

TEST(Shifting, AKnightThatGapsMayBlockAlwaysHasAPath) {
  // By any gaps, from and to any squares that exist: b2 to c4 goes over b3 or c3, for example.
  int moves = 0, with_one_path = 0;
  for (Area low = 0; low < kAreas; ++low)
    for (Area high = 0; high < low; ++high) {
      const Bitboard gaps = area_squares(low) | area_squares(high);
      const auto exists = [&](int s) { return !contains(gaps, static_cast<Square>(s)); };
      for (Square from = 0; from < 64; ++from)
        for_each_square(square_board_tables().knight(from), [&](Square to) {
          if (!exists(from) || !exists(to)) return;
          const int across = to % 8 - from % 8, up = to / 8 - from / 8;
          const int paths = int{exists(from + across / 2 + up / 2 * 8)} +
                            int{exists(from + (across > 0 ? 1 : -1) + (up > 0 ? 8 : -8))};
          EXPECT_GT(paths, 0) << from << " to " << to;
          ++moves;
          with_one_path += paths == 1 ? 1 : 0;
        });
    }
  EXPECT_GT(with_one_path, moves / 20);
}

TEST(Shifting, ASectorBelongsToTheSideWithMorePiecesOnIt) {
  const auto with_first_rows = [](const std::string& second, const std::string& first) {
    return shifting("4k3/8/2**4/2**4/**6/**6/" + second + "/" + first + " w - - 0 1");
  };
  EXPECT_TRUE(legal(with_first_rows("P7", "5K2"), "AI-AII"));
  EXPECT_TRUE(legal(with_first_rows("Pn6", "R4K2"), "AI-AII")) << "two to one";
  EXPECT_FALSE(legal(with_first_rows("Pn6", "5K2"), "AI-AII")) << "one each";
  EXPECT_FALSE(legal(with_first_rows("8", "5K2"), "AI-AII")) << "nobody's";
}

TEST(Shifting, ASectorCannotSlideAroundACorner) {
  const ShiftingPosition p = shifting("4k3/8/8/8/NN****2/NN****2/2NN4/6K1 w - - 0 1");
  EXPECT_TRUE(legal(p, "BI-BII"));
  EXPECT_TRUE(legal(p, "AII-BII"));
  EXPECT_TRUE(legal(p, "AII-CII"));
  EXPECT_FALSE(legal(p, "BI-CII"));
}

TEST(Shifting, RidersPawnsAndKingsStopAtAGapAndKnightsLeapIt) {
  const ShiftingPosition p = shifting("4k3/8/2**4/2**4/1R**1K2/2**4/2P1N3/8 w - - 0 1");
  EXPECT_TRUE(legal(p, "b4a4"));
  EXPECT_FALSE(legal(p, "b4c4"));
  EXPECT_FALSE(legal(p, "b4e4"));
  EXPECT_FALSE(legal(p, "c2c3"));
  EXPECT_FALSE(legal(p, "f4d4"));
  EXPECT_FALSE(legal(p, "e2d4")) << "nothing lands on a gap";
  EXPECT_TRUE(legal(shifting("4k3/8/**6/**6/2**4/1N**4/8/6K1 w - - 0 1"), "b3d2"));
  EXPECT_TRUE(legal(shifting("4k3/8/2**4/2**4/8/1N6/2**4/2**3K w - - 0 1"), "b3d4"));
  EXPECT_TRUE(legal(shifting("4k3/8/8/8/2****2/2****2/1N2N3/6K1 w - - 0 1"), "e2g3"));
}

TEST(Shifting, AGapBlocksACheck) {
  EXPECT_FALSE(shifting("3rk3/8/2**4/2**4/2**4/2**4/8/3K4 w - - 0 1").in_check());
  EXPECT_TRUE(shifting("3rk3/8/4**2/4**2/4**2/4**2/8/3K4 w - - 0 1").in_check());
}

TEST(Shifting, AShiftMayAnswerACheck) {
  // The sector of the knight leaves a gap between the rook and the king.
  const ShiftingPosition p = shifting("3rk3/8/8/8/**4**/**N3**/8/3K4 w - - 0 1");
  ASSERT_TRUE(p.in_check());
  EXPECT_TRUE(legal(p, "BII-AII"));
  EXPECT_FALSE(legal(p, "c3b1")) << "a piece's move must answer it too";
}

TEST(Shifting, AShiftMayNotLeaveTheMoversKingAttacked) {
  const ShiftingPosition p = shifting("3rk3/8/8/8/2****2/N1****2/8/3K4 w - - 0 1");
  EXPECT_FALSE(legal(p, "AII-BII")) << "the gap on the d file was the blocker";
  EXPECT_TRUE(legal(p, "AII-CII")) << "over both: d3 and d4 stay a gap";
}

TEST(Shifting, APawnOnItsFirstOrSecondRowMayAdvanceTwoWhereBothSquaresExist) {
  const ShiftingPosition p = shifting("4k3/8/6**/6**/**6/**6/3P4/2P3K1 w - - 0 1");
  for (const std::string text : {"c1c2", "c1c3", "d2d3", "d2d4"})
    EXPECT_TRUE(legal(p, text)) << text;
  const ShiftingPosition gap = shifting("4k3/8/6**/6**/2**4/2**4/3P4/2P3K1 w - - 0 1");
  EXPECT_TRUE(legal(gap, "c1c2"));
  EXPECT_FALSE(legal(gap, "c1c3"));
  EXPECT_FALSE(legal(gap, "d2d3"));
}

TEST(Shifting, ADoubleStepFromTheFirstRowCanBeAnsweredEnPassant) {
  ShiftingPosition p = after(shifting("4k3/8/6**/6**/**6/**1p1p2/8/2P1P1K1 w - - 0 1"), "c1c3");
  EXPECT_EQ(p.fen(), "4k3/8/6**/6**/**6/**Pp1p2/8/4P1K1 b - c2 0 1");
  p = after(p, "d3c2");
  EXPECT_EQ(p.fen(), "4k3/8/6**/6**/**6/**3p2/2p5/4P1K1 w - - 0 2");
}

TEST(Shifting, AShiftEndsEnPassant) {
  const ShiftingPosition p = shifting("7k/8/6**/6**/**6/**Pp1p2/8/4P1K1 b - c2 0 1");
  EXPECT_EQ(after(p, "DIV-DIII").en_passant(), kNoSquare);
}

TEST(Shifting, APawnCarriedOntoItsLastRowBecomesAQueenWhoeverShifts) {
  const ShiftingPosition p =
      after(shifting("2**3k/2**4/2Pp4/3p4/5P2/4pP2/4**2/K3**2 b - - 0 1"), "BIII-BIV");
  EXPECT_EQ(p.fen(), "2Qp3k/3p4/2**4/2**4/5P2/4pP2/4**2/K3**2 w - - 1 2");
  EXPECT_EQ(p.repetition_window(), 0) << "no earlier position can recur";
}

TEST(Shifting, AShiftThatCarriesAKingOrRookCountsAsItsMove) {
  const ShiftingPosition p =
      shifting("r3k2r/pppppppp/8/8/**2**2/**2**2/PPPPPPPP/R3K2R w KQkq - 0 1");
  EXPECT_EQ(after(p, "AI-AII").fen(),
            "r3k2r/pppppppp/8/8/PP2**2/R3**2/**PPPPPP/**2K2R b Kkq - 1 1");
  EXPECT_EQ(after(p, "CI-CII").fen(), "r3k2r/pppppppp/8/8/**2PP2/**2K3/PPPP**PP/R3**1R b kq - 1 1");
}

TEST(Shifting, CastlingNeedsTheSquaresBetweenToExist) {
  const ShiftingPosition p = shifting("4k3/8/8/8/**6/**6/2**4/R1**K2R w KQ - 0 1");
  EXPECT_TRUE(legal(p, "e1g1"));
  EXPECT_FALSE(legal(p, "e1c1"));
}

TEST(Shifting, ShiftingThereAndBackRepeatsThePosition) {
  PositionHistory<ShiftingPosition> history(
      shifting("4k3/8/2**4/2**4/2**4/2**4/2N5/5K2 w - - 0 1"));
  for (int round = 0; round < 2; ++round)
    for (const std::string text : {"BI-BII", "e8e7", "BII-BI", "e7e8"}) {
      EXPECT_EQ(history.outcome(), Outcome::Ongoing);
      history.play(*history.position().parse_move(text));
    }
  EXPECT_EQ(history.outcome(), Outcome::Repetition);
  EXPECT_EQ(history.position().halfmove_clock(), 8) << "a shift is not progress";
}

TEST(Shifting, RepetitionReachesBackOverPawnMovesButNotOverCaptures) {
  const ShiftingPosition p = shifting("4k3/8/6**/6**/6**/1p4**/P7/6K1 w - - 5 1");
  EXPECT_EQ(after(p, "a2a3").repetition_window(), 1);
  EXPECT_EQ(after(p, "a2a3").halfmove_clock(), 0);
  EXPECT_EQ(after(p, "a2b3").repetition_window(), 0);
}

TEST(Shifting, InvalidPositionsAreRefusedNamingTheField) {
  EXPECT_EQ(refused_field("4k3/8/2**4/2**4/8/8/8/4K3 w - - 0 1"), "pieces") << "one gap";
  EXPECT_EQ(refused_field("4k3/8/2**4/3*4/2**4/2**4/8/4K3 w - - 0 1"), "pieces") << "a torn gap";
  EXPECT_EQ(refused_field("4k3/8/1**5/1**5/2**4/2**4/8/4K3 w - - 0 1"), "pieces")
      << "squares of two areas";
  EXPECT_EQ(refused_field("4k3/8/2**4/2**4/2**4/2**4/**6/**2K3 w - - 0 1"), "pieces") << "three";
  EXPECT_EQ(refused_field("P3k3/8/2**4/2**4/2**4/2**4/8/4K3 w - - 0 1"), "pieces");
  EXPECT_EQ(refused_field("4k3/8/2**4/2**4/2**4/2**4/8/4K3 w K - 0 1"), "castling");
  EXPECT_EQ(refused_field("4k3/8/8/8/1pP4K/8/2**2**/2**2** b - c3 0 1"), "en passant")
      << "the pawn came from a gap";
  EXPECT_EQ(refused_field("4k3/8/2**4/2**4/2**4/2**4/4R3/4K3 w - - 0 1"), "side");
}

TEST(Shifting, ThePictureShowsAreasAndLeavesGapsEmpty) {
  const std::string picture = ShiftingPosition::start(variant()).picture();
  EXPECT_NE(picture.find(" 8 | r n | b q | k b | n r |  IV\n"), std::string::npos) << picture;
  EXPECT_NE(picture.find(" 6 | . : |     | . : | . : |  III\n"), std::string::npos) << picture;
}

}  // namespace
}  // namespace faultline
