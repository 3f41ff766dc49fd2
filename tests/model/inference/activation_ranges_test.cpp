// Calibration for 8-bit inference.
#include "model/inference/activation_ranges.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "model/calibration.h"
#include "model/inference/cpu_trunk.h"
#include "rules/variant.h"
#include "tests/families.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using test::encoding_of;

TEST(ActivationRanges, AreThePercentilesOfTheActivations) {
  const auto& encoding = encoding_of<GardnerPosition>();
  const FoldedNetwork network = fold(test::random_values(encoding, test::small_net(4), 3));
  constexpr std::size_t kPositions = 50;
  const auto planes = random_game_planes(encoding, kPositions);
  const ActivationRanges ranges = calibrate(network, planes);
  ASSERT_EQ(ranges.values.size(), ActivationRanges::count(2));
  // All activations sorted, position by position.
  const CpuTrunk trunk(network);
  CpuTrunkMemory memory(trunk.canvases(), 1, trunk.boards());
  std::vector<std::vector<float>> values(ranges.values.size());
  const Canvas& canvas = trunk.canvases().trunk;
  for (std::size_t i = 0; i < kPositions; ++i) {
    std::size_t range = 0;
    trunk.apply(planes.data() + i * encoding.floats(), 1, memory, [&](const float* x, std::size_t) {
      for (std::size_t row = 0; row < canvas.height; ++row)
        for (std::size_t column = 0; column < canvas.width; ++column)
          for (std::size_t c = 0; c < canvas.channels; ++c)
            values[range].push_back(x[canvas.row_begin(row) + column * canvas.cell_stride() + c]);
      ++range;
    });
  }
  for (std::size_t range = 0; range < values.size(); ++range) {
    std::ranges::sort(values[range]);
    const std::size_t count = values[range].size();
    const auto above = static_cast<std::size_t>((1 - 0.99999) * static_cast<double>(count));
    EXPECT_NEAR(ranges.values[range] / values[range][count - 1 - above], 1, 0.01) << range;
  }
}

TEST(ActivationRanges, AreTheSameEachTime) {
  const auto& encoding = encoding_of<ChessPosition>();
  const FoldedNetwork network = fold(test::random_values(encoding, test::small_net(), 3));
  EXPECT_EQ(calibrate(network, random_game_planes(encoding, 20)),
            calibrate(network, random_game_planes(encoding, 20)));
}

TEST(ActivationRanges, NeedWholePositions) {
  const auto& encoding = encoding_of<ChessPosition>();
  const FoldedNetwork network = fold(test::random_values(encoding, test::small_net(), 3));
  EXPECT_THROW(calibrate(network, {}), std::invalid_argument);
  EXPECT_THROW(calibrate(network, std::vector<float>(encoding.floats() + 1)),
               std::invalid_argument);
}

TEST(ActivationRanges, AreNeverZero) {
  const auto& encoding = encoding_of<ChessPosition>();
  auto values = test::random_values(encoding, test::small_net(), 3);
  std::ranges::fill(values.parameters, 0.0F);
  for (const float range : calibrate(fold(values), random_game_planes(encoding, 4)).values)
    EXPECT_GT(range, 0);
}

template <class P>
class RandomGamePlanes : public testing::Test {};
TYPED_TEST_SUITE(RandomGamePlanes, test::EveryFamily);

TYPED_TEST(RandomGamePlanes, AreDifferentPositionsOfTheFamily) {
  const auto& encoding = encoding_of<TypeParam>();
  const auto planes = random_game_planes(encoding, 10);
  ASSERT_EQ(planes.size(), 10 * encoding.floats());
  for (std::size_t i = 0; i < 10; ++i) {
    const auto one = std::span(planes).subspan(i * encoding.floats(), encoding.floats());
    int repetitions = 0;
    const VariantName name{TypeParam::info().name, {}};
    const auto& variant = TypeParam::variant(name);
    EXPECT_NO_THROW(Encoder<TypeParam>::decode(variant, one, &repetitions));
    if (i == 0) continue;
    const auto before = std::span(planes).subspan((i - 1) * encoding.floats(), encoding.floats());
    EXPECT_FALSE(std::ranges::equal(one, before));
  }
}

TEST(RandomGamePlanesOf, AnUnknownVariantAreRefused) {
  EncodingInfo encoding = encoding_of<ChessPosition>();
  encoding.variant = "chass";
  EXPECT_THROW(random_game_planes(encoding, 1), VariantError);
  encoding = encoding_of<ChessPosition>();
  encoding.planes.pop_back();
  EXPECT_THROW(random_game_planes(encoding, 1), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
