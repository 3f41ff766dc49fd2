// Planes as bits are those as floats, of every family and of games of files.
#include "model/encoding/bit_planes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "tests/families.h"
#include "tests/model/encoding/random_histories.h"

namespace faultline {
namespace {

/// Memory that holds something else before an encoder writes to it.
struct Bits {
  Bits(std::size_t planes, std::size_t cells)
      : words(planes * words_per_plane(cells), 0xA5A5A5A5A5A5A5A5U), numbers(planes, -7.0F) {}
  BitPlanes all() { return {words, numbers}; }
  std::vector<float> floats(std::size_t cells) const {
    std::vector<float> to(numbers.size() * cells, -7.0F);
    unpack_planes({words, numbers}, cells, to.data());
    return to;
  }
  std::vector<std::uint64_t> words;
  std::vector<float> numbers;
};

template <class P>
void expect_equal(const P& position, int repetitions, const EncodingInfo& encoding) {
  const PositionEncoder<P> encoder(encoding);
  const auto cells = static_cast<std::size_t>(encoding.cells());
  std::vector<float> floats(encoding.floats(), -7.0F);
  Bits bits(encoding.planes.size(), cells);
  encoder.encode(position, repetitions, floats);
  encoder.encode_bits(position, repetitions, bits.all());
  ASSERT_EQ(bits.floats(cells), floats) << position.fen();
  // Planes with left and right exchanged have such a form, too.
  Encoder<P>::mirror(position, floats, {});
  Bits mirrored(encoding.planes.size(), cells);
  pack_planes(floats.data(), cells, mirrored.all());
  ASSERT_EQ(mirrored.floats(cells), floats) << position.fen();
}

template <class P>
class BitPlanesOf : public testing::Test {};
TYPED_TEST_SUITE(BitPlanesOf, test::EveryFamily);

TYPED_TEST(BitPlanesOf, AreTheFloats) {
  using P = TypeParam;
  test::for_random_positions<P>(
      3, [&](const auto& variant, const PositionHistory<P>& history, const auto&) {
        const EncodingInfo& family = Encoder<P>::info(variant);
        expect_equal(history.position(), history.repetitions(), family);
        expect_equal(history.position(), history.repetitions(), with_attack_planes(family));
      });
}

TEST(BitPlanes, OfAPlaneWithMoreCellsThanAWordHas) {
  Bits bits(3, 90);
  BitPlaneWriter out(bits.all(), 90);
  out.number(0.25F);
  out.squares();
  out.mark(0);
  out.mark(89);
  out.empty(1);
  std::vector<float> expected(270);
  std::fill_n(expected.begin(), 90, 0.25F);
  expected[90] = expected[179] = 1;
  EXPECT_EQ(bits.floats(90), expected);
}

}  // namespace
}  // namespace faultline
