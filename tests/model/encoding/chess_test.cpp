// Tests specific to the chess encoder.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace faultline
