// The loops between oneDNN's convolutions.
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "model/inference/onednn/element_kernels.h"

namespace faultline::onednn {
namespace {

float as_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

TEST(WritePlanes, PutsAPlanePerChannelAndClearsTheRestOfItsBlock) {
  constexpr std::size_t kCells = 35, kPlanes = 19;
  std::vector<float> planes(kPlanes * kCells);
  for (std::size_t i = 0; i < planes.size(); ++i)
    planes[i] = i % 3 == 0 ? static_cast<float>(i % 7) / 7.0F - 0.4F : 0.0F;
  BoardPlanes chosen(kPlanes);
  std::iota(chosen.rbegin(), chosen.rend(), 0);
  chosen[2] = kNoPlane;
  for (const Layout order : {Layout::ChannelsLast, Layout::Blocked}) {
    const BlockLayout layout(order, kCells, 32);
    std::vector<float> floats(layout.elements(), 9.0F);
    std::vector<BFloat16> halves(layout.elements(), BFloat16{0x4111});
    write_planes(planes.data(), chosen, layout, floats.data());
    write_planes(planes.data(), chosen, layout, halves.data());
    for (std::size_t channel = 0; channel < 32; ++channel)
      for (std::size_t cell = 0; cell < kCells; ++cell) {
        const std::int32_t plane = channel < kPlanes ? chosen[channel] : kNoPlane;
        const float expected =
            plane == kNoPlane ? 0.0F : planes[static_cast<std::size_t>(plane) * kCells + cell];
        const std::size_t at = layout.at(cell, channel / kBlock) + channel % kBlock;
        EXPECT_EQ(floats[at], expected);
        EXPECT_NEAR(as_float(halves[at]), expected, 1.0 / 256);
      }
  }
}

TEST(RoundToBytes, RoundsAndCutsOffAt255) {
  const std::vector<float> x = {
      0, 0.49F, 0.51F, 254.4F, 255.4F, 1e9F, std::numeric_limits<float>::infinity()};
  std::vector<std::uint8_t> bytes(x.size());
  round_to_bytes(x.data(), x.size(), 1, bytes.data());
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 0, 1, 254, 255, 255, 255}));
}

TEST(RoundToBfloat16, RoundsToTheNearestAndTiesToEven) {
  const std::vector<float> x = {1.0F, 1.0F + 0x1p-9F, 1.0F + 0x1p-8F, 1.0F + 0x1.8p-7F, -3.0F};
  std::vector<BFloat16> halves(x.size());
  round_to_bfloat16(x.data(), x.size(), halves.data());
  EXPECT_EQ(as_float(halves[0]), 1.0F);
  EXPECT_EQ(as_float(halves[1]), 1.0F);
  EXPECT_EQ(as_float(halves[2]), 1.0F);            // a tie: down to even
  EXPECT_EQ(as_float(halves[3]), 1.0F + 0x1p-6F);  // a tie: up to even
  EXPECT_EQ(as_float(halves[4]), -3.0F);
}

TEST(GatherCells, BringsChannelsInOrder) {
  const BlockLayout layout(Layout::Blocked, 4, 48);
  std::vector<float> x(layout.elements()), gathered(layout.elements());
  for (std::size_t cell = 0; cell < 4; ++cell)
    for (std::size_t channel = 0; channel < 48; ++channel)
      x[layout.at(cell, channel / kBlock) + channel % kBlock] =
          static_cast<float>(100 * cell + channel);
  gather_cells(x.data(), layout, gathered.data());
  for (std::size_t i = 0; i < gathered.size(); ++i)
    EXPECT_EQ(gathered[i], static_cast<float>(100 * (i / 48) + i % 48));
}

}  // namespace
}  // namespace faultline::onednn
