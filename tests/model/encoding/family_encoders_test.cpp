// What is peculiar to the encoder of each family.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

TEST(ChessEncoder, PutsTheMoversFirstRankInRowZero) {
  const ChessVariant variant;
  const EncodingInfo& info = Encoder<ChessPosition>::info(variant);
  const auto at = [&](const std::vector<float>& planes, const std::string& plane,
                      std::size_t cell) { return planes[plane_named(info, plane) * 64 + cell]; };
  const auto white = encoded(variant, ChessPosition::start(variant), 0);
  EXPECT_EQ(at(white, "own king", 4), 1.0F);
  EXPECT_EQ(at(white, "enemy king", 60), 1.0F);
  EXPECT_EQ(at(white, "own pawn", 8), 1.0F);
  EXPECT_EQ(at(white, "ones", 33), 1.0F);

  const auto black = encoded(
      variant, ChessPosition::from_fen(variant, "4k2r/8/8/8/3pP3/8/8/R3K3 b Qk e3 7 20"), 1);
  EXPECT_EQ(at(black, "own king", 4), 1.0F);
  EXPECT_EQ(at(black, "own rook", 7), 1.0F);
  EXPECT_EQ(at(black, "enemy rook", 56), 1.0F);
  EXPECT_EQ(at(black, "en passant square", 44), 1.0F);  // e3 is e6 to Black
  EXPECT_EQ(at(black, "own king-side castling", 0), 1.0F);
  EXPECT_EQ(at(black, "own queen-side castling", 0), 0.0F);
  EXPECT_EQ(at(black, "enemy king-side castling", 0), 0.0F);
  EXPECT_EQ(at(black, "enemy queen-side castling", 0), 1.0F);
  EXPECT_FLOAT_EQ(at(black, "plies since progress / 100", 0), 0.07F);
  EXPECT_EQ(at(black, "earlier occurrences", 63), 1.0F);
}

TEST(EscherEncoder, DrawsTheStaircasesAsBothSidesSeeThem) {
  const EscherVariant variant;
  const EncodingInfo& info = Encoder<EscherPosition>::info(variant);
  const auto start = EscherPosition::start(variant);
  const auto white = encoded(variant, start, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return white[plane_named(info, plane) * 64 + cell];
  };
  EXPECT_EQ(at("staircase steps east", 56), 1.0F);            // a8 -> b8
  EXPECT_EQ(at("staircase returns to its start", 61), 1.0F);  // f8 -> a8
  EXPECT_EQ(at("staircase steps east", 61), 0.0F);
  EXPECT_EQ(at("staircase steps west", 7), 1.0F);    // h1 -> g1
  EXPECT_EQ(at("staircase steps north", 0), 1.0F);   // a1 -> a2
  EXPECT_EQ(at("staircase steps south", 63), 1.0F);  // h8 -> h7
  EXPECT_EQ(at("staircase steps north", 27), 0.0F);  // d4 lies on none
  for (std::size_t cell = 0; cell < 64; ++cell) {    // a half-turn maps them onto each other
    EXPECT_EQ(at("staircase steps east", cell), at("staircase steps west", 63 - cell));
    EXPECT_EQ(at("staircase steps north", cell), at("staircase steps south", 63 - cell));
    EXPECT_EQ(at("staircase returns to its start", cell),
              at("staircase returns to its start", 63 - cell));
  }
}

TEST(ShiftingEncoder, ShowsGapsAndShiftsAsTheMoverSeesThem) {
  const ShiftingVariant& variant = ShiftingPosition::variant(parse_variant_name("shifting"));
  const EncodingInfo& info = Encoder<ShiftingPosition>::info(variant);
  const auto p = ShiftingPosition::from_fen(
      variant, "4k3/pp6/8/8/2**4/2**4/**6/**2K3 b - - 0 1");  // gaps AI and BII
  const auto planes = encoded(variant, p, 0);
  const auto gap = [&](std::size_t cell) {
    return planes[plane_named(info, "gaps") * 64 + cell] != 0.0F;
  };
  EXPECT_TRUE(gap(56) && gap(57) && gap(48) && gap(49)) << "AI lies in the last rows to Black";
  EXPECT_TRUE(gap(34) && gap(35) && gap(42) && gap(43)) << "BII";
  EXPECT_FALSE(gap(0) || gap(33));

  const auto q = ShiftingPosition::from_fen(
      variant, "4k3/pp6/**6/**6/2**4/2**4/8/4K3 b - - 0 1");  // AIII is free for AIV
  const auto shift = q.parse_move("AIV-AIII");
  ASSERT_TRUE(shift);
  const PolicyIndex index = Encoder<ShiftingPosition>::policy_index(q, *shift);
  EXPECT_EQ(index.from, 0) << "Black's first sector";
  EXPECT_EQ(index.to, 16);
  EXPECT_EQ(info.policy_kinds[static_cast<std::size_t>(index.kind)], "shift");
}

TEST(InfernoEncoder, GivesEveryLevelAGroupOfPlanes) {
  const InfernoVariant& variant = InfernoPosition::variant(parse_variant_name("inferno:levels=3"));
  const EncodingInfo& info = Encoder<InfernoPosition>::info(variant);
  EXPECT_EQ(info.cells(), 64);
  EXPECT_EQ(info.policy_cells(), 192);
  // Two levels are left.
  const auto p = InfernoPosition::from_fen(
      variant, "4k3/8/8/8/8/8/3P4/R3K3|4k2r/8/8/8/Pp6/8/8/4K3 b Q|k 2a3 4 9");
  const auto planes = encoded(variant, p, 2);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 64 + cell];
  };
  EXPECT_EQ(at("level 1: own king", 4), 1.0F);
  EXPECT_EQ(at("level 2: own king", 4), 1.0F);
  EXPECT_EQ(at("level 2: own rook", 7), 1.0F);
  EXPECT_EQ(at("level 1: own rook", 7), 0.0F);
  EXPECT_EQ(at("level 1: enemy rook", 56), 1.0F);
  EXPECT_EQ(at("level 1: enemy queen-side castling", 0), 1.0F);
  EXPECT_EQ(at("level 2: enemy queen-side castling", 0), 0.0F);
  EXPECT_EQ(at("level 2: own king-side castling", 0), 1.0F);
  EXPECT_EQ(at("level 2: en passant square", 40), 1.0F);
  EXPECT_EQ(at("level 1: squares", 18), 0.0F) << "the hole";
  EXPECT_EQ(at("level 1: squares", 17), 1.0F);
  EXPECT_EQ(at("level 2: squares", 18), 1.0F) << "the deepest level left has none";
  EXPECT_EQ(at("level 3: squares", 0), 0.0F) << "vanished";
  EXPECT_EQ(at("earlier occurrences", 63), 2.0F);

  int repetitions = 0;
  const auto seen = Encoder<InfernoPosition>::decode(variant, planes, &repetitions);
  EXPECT_EQ(seen.fen(), "r3k3/3p4/8/8/8/8/8/4K3|4k3/8/8/pP6/8/8/8/4K2R w q|K 2a6 4 1");
}

TEST(InfernoEncoder, TellsADescentFromAMove) {
  const InfernoVariant& variant = InfernoPosition::variant(parse_variant_name("inferno:levels=2"));
  const EncodingInfo& info = Encoder<InfernoPosition>::info(variant);
  const auto p = InfernoPosition::start(variant);
  const auto index = [&](const char* text) {
    return Encoder<InfernoPosition>::policy_index(p, *p.parse_move(text));
  };
  // Two levels share a cell: places are 2 * cell + level.
  EXPECT_EQ(index("1a2-1a3"), (PolicyIndex{16, 32, 0}));
  EXPECT_EQ(index("2a2-2a3"), (PolicyIndex{17, 33, 0}));
  // 1d2 steps two onto 1d4, over 2c3 2d3 2c4 2d4.
  EXPECT_EQ(index("1d2-2d4"), (PolicyIndex{22, 2 * 27 + 1, 5}));
  EXPECT_EQ(info.policy_kinds[5], "descent");
}

TEST(EarthquakeEncoder, PutsNeighboursInPlayNextToEachOther) {
  const auto& variant = EarthquakePosition::variant(parse_variant_name("earthquake:dx=2"));
  const auto p = EarthquakePosition::start(variant);
  const EncodingInfo& info = Encoder<EarthquakePosition>::info(variant);
  EXPECT_EQ(info.height, 8);
  EXPECT_EQ(info.width, 10);
  const auto planes = encoded(variant, p, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 80 + cell];
  };
  EXPECT_EQ(at("own rook", 2), 1.0F) << "a1 lies two files to the right";
  EXPECT_EQ(at("enemy rook", 70), 1.0F) << "a8";
  EXPECT_EQ(at("squares of the own half", 0), 0.0F) << "a void";
  EXPECT_EQ(at("squares of the enemy half", 40), 1.0F) << "a5";
  EXPECT_EQ(at("own promotion squares", 70), 1.0F);
  EXPECT_EQ(at("own rooks that may castle", 2), 1.0F);
  EXPECT_FLOAT_EQ(at("dx / 8", 5), 0.25F);
}

TEST(EarthquakeEncoder, GivesEveryShiftAKindFromTheMoversKing) {
  const auto& variant =
      EarthquakePosition::variant(parse_variant_name("earthquake:aftershock=1,shock=2"));
  const auto p = EarthquakePosition::start(variant);
  const EncodingInfo& info = Encoder<EarthquakePosition>::info(variant);
  EXPECT_EQ(info.width, 15);
  for (const std::string shift : {"-2", "-1", "+1", "+2"}) {
    const auto move = p.parse_move("@" + shift);
    ASSERT_TRUE(move);
    const PolicyIndex i = Encoder<EarthquakePosition>::policy_index(p, *move);
    EXPECT_EQ(info.policy_kinds[static_cast<std::size_t>(i.kind)], "shift" + shift);
    EXPECT_EQ(i.from, 5) << "e1 lies one file to the right";
    EXPECT_EQ(i.to, 5);
  }
}

TEST(SlantedEncoder, PutsSquaresOnTheGrid) {
  const auto& variant = SlantedPosition::variant(parse_variant_name("slanted"));
  const auto p =
      SlantedPosition::from_fen(variant, "9k/10/10/8/8/U6c/10/10/9K w - - 0 1");  // ab4 and ij4
  const EncodingInfo& info = Encoder<SlantedPosition>::info(variant);
  EXPECT_EQ(info.cells(), 90);
  const auto planes = encoded(variant, p, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 90 + cell];
  };
  EXPECT_EQ(at("own ultra", 30), 1.0F);
  EXPECT_EQ(at("enemy crab", 39), 1.0F);
  EXPECT_EQ(at("left escalators", 30), 1.0F);
  EXPECT_EQ(at("right escalators", 39), 1.0F);
  EXPECT_EQ(at("squares", 33), 0.0F) << "a barrier";
  EXPECT_EQ(at("left escalators", 34), 0.0F) << "e4";
  EXPECT_EQ(info.policy_kinds.back(), "promote-ultra");
}

}  // namespace
}  // namespace faultline
