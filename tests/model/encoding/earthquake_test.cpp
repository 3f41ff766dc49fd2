// Tests specific to the earthquake encoder.
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

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
  EXPECT_EQ(at("own rook", 2), 1.0F) << "a1 is two files to the right";
  EXPECT_EQ(at("enemy rook", 70), 1.0F) << "a8";
  EXPECT_EQ(at("squares of the own half", 0), 0.0F) << "a void";
  EXPECT_EQ(at("squares of the enemy half", 40), 1.0F) << "a5";
  EXPECT_EQ(at("own promotion squares", 70), 1.0F);
  EXPECT_EQ(at("own rooks that may castle", 2), 1.0F);
  EXPECT_FLOAT_EQ(at("dx / 8", 5), 0.25F);
}

TEST(EarthquakeEncoder, GivesEveryShiftItsOwnKindAtTheMoversKing) {
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
    EXPECT_EQ(i.from, 5) << "e1 is one file to the right";
    EXPECT_EQ(i.to, 5);
  }
}

}  // namespace
}  // namespace faultline
