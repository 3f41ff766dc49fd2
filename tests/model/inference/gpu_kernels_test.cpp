// The kernels for GPUs: their source as loops on a CPU against LibTorch's operations.
#include "model/inference/gpu_kernels.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/encoding/bit_planes.h"
#include "model/inference/gpu/emulation.h"
#include "model/inference/gpu/kernels.h"
#include "model/inference/made_up.h"

namespace faultline::gpu {
namespace {

class GpuKernels : public testing::Test {
 protected:
  static double distance(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kFloat) - b.to(at::kFloat)).abs().max().item<double>();
  }

  /// Made-up bits and numbers.
  PackedPlanes packed(std::int64_t positions, std::int64_t planes, std::int64_t height,
                      std::int64_t width) {
    const std::int64_t words = (height * width + 63) / 64;
    return {made_up.below(1 << 30, {positions, planes, words}).to(at::kLong) * 0x9E3779B97F4A7,
            made_up({positions, planes}), height, width};
  }
  /// As the encoders' own function has them.
  static at::Tensor floats(const PackedPlanes& planes) {
    auto all = at::empty({planes.words.size(0), planes.words.size(1), planes.height, planes.width},
                         at::kFloat);
    unpack_planes(
        {{static_cast<const std::uint64_t*>(planes.words.data_ptr()),
          static_cast<std::size_t>(planes.words.numel())},
         {planes.numbers.data_ptr<float>(), static_cast<std::size_t>(planes.numbers.numel())}},
        static_cast<std::size_t>(planes.height * planes.width), all.data_ptr<float>());
    return all;
  }

  MadeUp made_up;
  std::mt19937_64 rng_{7};  // of the order of threads
};

struct Shape {
  std::int64_t channels, squeezed, height, width;
};

// In a random order of each phase's threads, over shared memory of NaN.
TEST_F(GpuKernels, SqueezeExciteIsThatOfPlainOperationsInAnyOrderOfThreads) {
  for (const Shape& shape : {Shape{128, 32, 8, 8}, Shape{64, 16, 5, 5}, Shape{192, 48, 8, 8},
                             Shape{256, 256, 8, 4}, Shape{8, 2, 1, 3}, Shape{24, 7, 8, 8}}) {
    SCOPED_TRACE(shape.channels);
    constexpr int kBoards = 3;
    const auto x = made_up.bf16({kBoards, shape.channels, shape.height, shape.width}),
               convolved = made_up.bf16({kBoards, shape.channels, shape.height, shape.width}),
               bias = made_up.bf16({shape.channels});
    const SqueezeExciteWeights weights{
        made_up({shape.channels, shape.squeezed}) * 0.2, made_up({shape.squeezed}),
        made_up({shape.squeezed, 2 * shape.channels}) * 0.2, made_up({2 * shape.channels})};
    const auto exact = squeeze_excite_by_operations(
        x.to(at::kFloat),
        convolved.to(at::kFloat) + bias.to(at::kFloat).view({1, shape.channels, 1, 1}), weights);
    const double tolerance = 0.005 * (1 + exact.abs().max().item<double>());
    auto out = at::full_like(x, std::numeric_limits<double>::quiet_NaN());
    const auto pointer = [](const at::Tensor& t) { return static_cast<Bf16*>(t.data_ptr()); };
    emulate<SqueezeExciteKernel>(
        {.x = pointer(x),
         .convolved = pointer(convolved),
         .bias = pointer(bias),
         .squeeze = weights.squeeze.data_ptr<float>(),
         .squeeze_bias = weights.squeeze_bias.data_ptr<float>(),
         .excite = weights.excite.data_ptr<float>(),
         .excite_bias = weights.excite_bias.data_ptr<float>(),
         .out = pointer(out),
         .cells = static_cast<int>(shape.height * shape.width),
         .channels = static_cast<int>(shape.channels),
         .squeezed = static_cast<int>(shape.squeezed)},
        kBoards, [&](auto& threads) { std::shuffle(threads.begin(), threads.end(), rng_); });
    EXPECT_LE(distance(exact, out), tolerance);
    EXPECT_LE(distance(exact, squeeze_excite(x, convolved, bias, weights)), tolerance);
    EXPECT_TRUE(weights.fit(shape.height * shape.width));
  }
}

TEST_F(GpuKernels, SqueezeExciteIsRefusedForOtherChannels) {
  const auto weights = [&](std::int64_t channels, std::int64_t squeezed) {
    return SqueezeExciteWeights{made_up({channels, squeezed}), made_up({squeezed}),
                                made_up({squeezed, 2 * channels}), made_up({2 * channels})};
  };
  EXPECT_FALSE(weights(12, 3).fit(64));
  EXPECT_FALSE(weights(1024, 32).fit(64));
  EXPECT_FALSE(weights(512, 257).fit(64));
}

TEST_F(GpuKernels, PlacesAllPlanes) {
  const PackedPlanes bits = packed(3, 21, 8, 8);
  const auto planes = floats(bits);
  const auto placed = place_planes(bits, {});
  ASSERT_EQ(placed.size(1), 24);
  EXPECT_EQ(distance(planes.to(at::kBFloat16), placed.narrow(1, 0, 21)), 0);
  EXPECT_EQ(placed.narrow(1, 21, 3).abs().max().item<double>(), 0);
  EXPECT_TRUE(placed.is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST_F(GpuKernels, UnpackPlanesOfMoreCellsThanAWordHas) {
  const PackedPlanes bits = packed(3, 5, 10, 9);
  const auto planes = floats(bits);
  EXPECT_GT(planes.ne(0).sum().item<int>(), 500);
  EXPECT_LT(planes.ne(0).sum().item<int>(), 1000);
  EXPECT_EQ(distance(planes, unpack_by_operations(bits)), 0);
  EXPECT_EQ(distance(planes.to(at::kBFloat16), place_planes(bits, {}).narrow(1, 0, 5)), 0);
}

TEST_F(GpuKernels, PlacesThePlanesOfTheBoardsThatExist) {
  const PackedPlanes bits = packed(2, 5, 4, 3);
  const auto planes = floats(bits);
  // Three levels of two planes; plane 5 is none. Of six boards four exist, and one is padding.
  const auto chosen = at::tensor({0, 1, 2, 5, 3, 4}, at::kInt).view({3, 2});
  const auto rows = at::tensor({0, 2, 4, 5, 6}, at::kInt);
  const auto placed = place_planes(bits, {rows, chosen});
  ASSERT_EQ(placed.sizes(), at::IntArrayRef({5, 8, 4, 3}));
  const auto expect = [&](std::int64_t board, std::int64_t channel, const at::Tensor& plane) {
    EXPECT_EQ(distance(placed[board][channel], plane.to(at::kBFloat16)), 0)
        << board << " " << channel;
  };
  const auto none = at::zeros({4, 3});
  expect(0, 0, planes[0][0]);
  expect(0, 1, planes[0][1]);
  expect(1, 0, planes[0][3]);
  expect(1, 1, planes[0][4]);
  expect(2, 0, planes[1][2]);
  expect(2, 1, none);
  expect(3, 1, planes[1][4]);
  expect(4, 0, none);
  EXPECT_EQ(placed.narrow(1, 2, 6).abs().max().item<double>(), 0);
}

TEST_F(GpuKernels, LogitsAreScalarProductsOfTheMovesRows) {
  for (const std::int64_t dim : {24, 64})
    for (const std::int64_t levels : {1, 3}) {
      constexpr int kCells = 50, kMoves = 77, kKinds = 6;
      const std::int64_t half = levels * dim;
      const auto heads = made_up.bf16({kCells, 2 * half + 16});
      auto indices = at::empty({3, kMoves}, at::kInt);
      indices[0].copy_(made_up.below(static_cast<int>(kCells * levels), {kMoves}));
      indices[1].copy_(made_up.below(static_cast<int>(kCells * levels), {kMoves}));
      indices[2].copy_(made_up.below(kKinds, {kMoves}));
      const auto kind_queries = made_up({kKinds, dim}), kind_biases = made_up({kKinds});
      const auto rows = [&](std::int64_t first, std::int64_t index) {
        return heads.narrow(1, first, half)
            .reshape({-1, dim})
            .index_select(0, indices[index])
            .to(at::kFloat);
      };
      const auto expected =
          ((rows(0, 0) + kind_queries.index_select(0, indices[2])) * rows(half, 1)).sum(1) +
          kind_biases.index_select(0, indices[2]);
      auto logits = at::full({kMoves}, std::numeric_limits<double>::quiet_NaN(), at::kFloat);
      policy_logits(heads, indices, kind_queries, kind_biases, levels, logits);
      EXPECT_LE(distance(expected, logits), 1e-4);
    }
}

TEST_F(GpuKernels, TheValueHeadsInputIsRelu) {
  const auto heads = made_up.bf16({300, 37});
  EXPECT_EQ(distance(heads.narrow(1, 32, 5).relu(), value_input(heads, 32)), 0);
}

TEST(GpuKernelText, IsMadeFromItsSources) {
  if (std::system("command -v clang++-14 >/dev/null") != 0)
    GTEST_SKIP() << "there is no clang++-14 (scripts/setup --checks installs it)";
  const std::filesystem::path root = FAULTLINE_SOURCE_DIR;
  const auto made = std::filesystem::temp_directory_path() /
                    ("faultline-kernels-" + std::to_string(std::random_device()()));
  const std::string command =
      "cd '" + root.string() + "' && scripts/gpu-kernels --print >'" + made.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto text = [](const std::filesystem::path& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  };
  EXPECT_EQ(text(made), text(root / "model/inference/gpu/kernels.ptx.inc"))
      << "run scripts/gpu-kernels";
  std::filesystem::remove(made);
}

}  // namespace
}  // namespace faultline::gpu
