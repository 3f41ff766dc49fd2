// Tests specific to the slanted encoder.
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

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
