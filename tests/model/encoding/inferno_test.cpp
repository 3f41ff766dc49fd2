// Tests specific to the inferno encoder.
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

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
  // Two levels share a cell: policy cells are 2 * cell + level.
  EXPECT_EQ(index("1a2-1a3"), (PolicyIndex{16, 32, 0}));
  EXPECT_EQ(index("2a2-2a3"), (PolicyIndex{17, 33, 0}));
  // 1d2 steps two onto 1d4, over 2c3 2d3 2c4 2d4.
  EXPECT_EQ(index("1d2-2d4"), (PolicyIndex{22, 2 * 27 + 1, 5}));
  EXPECT_EQ(info.policy_kinds[5], "descent");
}

}  // namespace
}  // namespace faultline
