// Tests specific to the shifting encoder.
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

TEST(ShiftingEncoder, ShowsGapsAndShiftsAsTheMoverSeesThem) {
  const ShiftingVariant& variant = ShiftingPosition::variant(parse_variant_name("shifting"));
  const EncodingInfo& info = Encoder<ShiftingPosition>::info(variant);
  const auto p = ShiftingPosition::from_fen(
      variant, "4k3/pp6/8/8/2**4/2**4/**6/**2K3 b - - 0 1");  // gaps AI and BII
  const auto planes = encoded(variant, p, 0);
  const auto gap = [&](std::size_t cell) {
    return planes[plane_named(info, "gaps") * 64 + cell] != 0.0F;
  };
  EXPECT_TRUE(gap(56) && gap(57) && gap(48) && gap(49)) << "AI is on Black's last rows";
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

}  // namespace
}  // namespace faultline
