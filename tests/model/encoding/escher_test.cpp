// Tests specific to the escher encoder.
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

using test::encoded;
using test::plane_named;

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
  EXPECT_EQ(at("staircase steps north", 27), 0.0F);  // d4 is on none
  for (std::size_t cell = 0; cell < 64; ++cell) {    // a half-turn maps them onto each other
    EXPECT_EQ(at("staircase steps east", cell), at("staircase steps west", 63 - cell));
    EXPECT_EQ(at("staircase steps north", cell), at("staircase steps south", 63 - cell));
    EXPECT_EQ(at("staircase returns to its start", cell),
              at("staircase returns to its start", 63 - cell));
  }
}

}  // namespace
}  // namespace faultline
