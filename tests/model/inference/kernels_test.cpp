// The hand-written kernels against plain loops, on boards and channel counts that are not multiples
// of a register; every copy of them that this build has and this processor runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "model/inference/convolution.h"
#include "model/inference/head_kernels.h"

namespace faultline {
namespace {

using Floats = std::vector<float>;

Floats random_floats(std::size_t count, std::mt19937_64& rng, double scale = 1) {
  Floats values(count);
  for (float& value : values)
    value = static_cast<float>(scale * (static_cast<double>(rng() >> 11) * 0x1p-52 - 1));
  return values;
}

/// [count, channels, height, width] as canvases.
AlignedFloats to_canvases(const Floats& planes, std::size_t count, const Canvas& canvas) {
  AlignedFloats out(count * canvas.floats());
  BoardPlanes all(canvas.channels);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < count; ++i)
    write_canvas(planes.data() + i * canvas.channels * canvas.height * canvas.width, all, canvas,
                 out.data() + i * canvas.floats());
  return out;
}

struct Case {
  std::size_t height, width, in, out, size;
};

/// relu(conv(x) + skip), zeroes outside the board. x: [count, in, height, width].
Floats plain_convolution(const Case& c, std::size_t count, const Floats& x, const Floats& weight,
                         const Floats& bias, const Floats& skip) {
  Floats y;
  const auto height = static_cast<std::ptrdiff_t>(c.height),
             width = static_cast<std::ptrdiff_t>(c.width),
             size = static_cast<std::ptrdiff_t>(c.size), half = size / 2;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t o = 0; o < c.out; ++o)
      for (std::ptrdiff_t row = 0; row < height; ++row)
        for (std::ptrdiff_t column = 0; column < width; ++column) {
          double sum = static_cast<double>(bias[o]) + static_cast<double>(skip[y.size()]);
          for (std::size_t i = 0; i < c.in; ++i)
            for (std::ptrdiff_t dy = 0; dy < size; ++dy)
              for (std::ptrdiff_t dx = 0; dx < size; ++dx) {
                const std::ptrdiff_t r = row + dy - half, f = column + dx - half;
                if (r < 0 || r >= height || f < 0 || f >= width) continue;
                const auto cell = static_cast<std::size_t>(r * width + f);
                const auto tap = static_cast<std::size_t>(dy * size + dx);
                sum += static_cast<double>(x[(n * c.in + i) * c.height * c.width + cell]) *
                       static_cast<double>(weight[(o * c.in + i) * c.size * c.size + tap]);
              }
          y.push_back(static_cast<float>(std::max(sum, 0.0)));
        }
  return y;
}

class ConvolutionOf : public testing::TestWithParam<Case> {};

TEST_P(ConvolutionOf, AgreesWithPlainLoopsAndKeepsTheBorderZero) {
  const Case c = GetParam();
  std::mt19937_64 rng(c.height + c.width + c.in + c.out);
  constexpr std::size_t kCount = 3;
  const std::size_t cells = c.height * c.width;
  const Floats x = random_floats(kCount * c.in * cells, rng);
  const Floats skip = random_floats(kCount * c.out * cells, rng);
  const std::size_t taps = c.size * c.size;
  const Floats weight =
      random_floats(c.out * c.in * taps, rng, 1 / std::sqrt(static_cast<double>(c.in * taps)));
  const Floats bias = random_floats(c.out, rng);

  const Canvas in{c.height, c.width, c.in}, out{c.height, c.width, c.out};
  const AlignedFloats from = to_canvases(x, kCount, in);
  // Border and padding are compared too: the expected canvases have zeroes there.
  const AlignedFloats wanted =
      to_canvases(plain_convolution(c, kCount, x, weight, bias, skip), kCount, out);
  for (const LaneKernels* const kernels : usable_lane_kernels()) {
    SCOPED_TRACE(kernels->name);
    const Convolution convolution(weight, bias, in, out, *kernels);
    AlignedFloats in_place = to_canvases(skip, kCount, out);
    convolution.apply(from.data(), kCount, in_place.data(), in_place.data(), true);
    for (std::size_t i = 0; i < kCount * out.floats(); ++i)
      ASSERT_NEAR(in_place.data()[i], wanted.data()[i], 2e-5) << "float " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Boards, ConvolutionOf,
                         testing::Values(Case{8, 8, 20, 32, 3}, Case{8, 8, 64, 64, 3},
                                         Case{8, 8, 32, 72, 1}, Case{9, 10, 23, 48, 3},
                                         Case{6, 8, 5, 4, 3}, Case{8, 16, 16, 16, 3},
                                         Case{3, 1, 1, 100, 3}, Case{8, 13, 7, 33, 1}));

class DenseOf : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, std::size_t>> {};

TEST_P(DenseOf, AgreesWithPlainLoops) {
  const auto [inputs, outputs, count] = GetParam();
  std::mt19937_64 rng(inputs);
  const Floats x = random_floats(count * inputs, rng);
  const Floats weight = random_floats(outputs * inputs, rng, 0.1);
  const Floats bias = random_floats(outputs, rng);
  for (const LaneKernels* const kernels : usable_lane_kernels()) {
    SCOPED_TRACE(kernels->name);
    const DenseLayer layer(weight, bias, *kernels);
    for (const bool rectify : {false, true}) {
      Floats y(count * outputs, -7.0F);
      layer.apply(x.data(), count, y.data(), rectify);
      for (std::size_t n = 0; n < count; ++n)
        for (std::size_t o = 0; o < outputs; ++o) {
          double sum = static_cast<double>(bias[o]);
          for (std::size_t i = 0; i < inputs; ++i)
            sum += static_cast<double>(x[n * inputs + i]) *
                   static_cast<double>(weight[o * inputs + i]);
          if (rectify) sum = std::max(sum, 0.0);
          ASSERT_NEAR(y[n * outputs + o], sum, 1e-4);
        }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, DenseOf,
                         testing::Values(std::tuple{512, 64, 19}, std::tuple{64, 4, 8},
                                         std::tuple{3, 17, 1}, std::tuple{16, 32, 25}));

class PolicyDotOf : public testing::TestWithParam<std::size_t> {};

TEST_P(PolicyDotOf, AgreesWithAPlainLoop) {
  const std::size_t dim = GetParam();
  std::mt19937_64 rng(dim);
  const Floats query = random_floats(dim, rng), kind = random_floats(dim, rng),
               key = random_floats(dim, rng);
  double sum = 0;
  for (std::size_t i = 0; i < dim; ++i)
    sum += (static_cast<double>(query[i]) + static_cast<double>(kind[i])) *
           static_cast<double>(key[i]);
  for (const LaneKernels* const kernels : usable_lane_kernels())
    EXPECT_NEAR(kernels->policy_dot(query.data(), kind.data(), key.data(), dim), sum, 1e-5)
        << kernels->name;
}
INSTANTIATE_TEST_SUITE_P(Dimensions, PolicyDotOf, testing::Values(1, 4, 15, 16, 24, 32, 47, 64));

/// Everything that the kernels compute, from the same random inputs.
Floats all_results(const LaneKernels& kernels) {
  std::mt19937_64 rng(11);
  constexpr std::size_t kCount = 3, kChannels = 40, kHidden = 24;
  const Canvas canvas{5, 7, kChannels};
  const Floats x = random_floats(kCount * 35 * kChannels, rng),
               weight = random_floats(kChannels * kChannels * 9, rng, 0.05),
               bias = random_floats(kChannels, rng);
  const AlignedFloats from = to_canvases(x, kCount, canvas);
  AlignedFloats to(kCount * canvas.floats());
  Convolution(weight, bias, canvas, canvas, kernels)
      .apply(from.data(), kCount, from.data(), to.data(), true);
  const SqueezeExcite squeeze_excite{
      DenseLayer(random_floats(kHidden * kChannels, rng), random_floats(kHidden, rng), kernels),
      DenseLayer(random_floats(2 * kChannels * kHidden, rng), random_floats(2 * kChannels, rng),
                 kernels),
      &kernels};
  squeeze_excite.apply(canvas, kCount, from.data(), to.data());
  Floats results(to.data(), to.data() + kCount * canvas.floats());
  for (std::size_t dim = 1; dim < 70; ++dim)
    results.push_back(
        kernels.policy_dot(to.data() + canvas.row_begin(1), x.data(), x.data() + dim, dim));
  return results;
}

TEST(LaneKernels, AreAsWideAsTheirInstructionSet) {
  for (const LaneKernels* const kernels : usable_lane_kernels()) {
    const std::string name = kernels->name;
    if (name == "avx512")
      EXPECT_EQ(kernels->lanes, 16U);
    else if (name == "avx2")
      EXPECT_EQ(kernels->lanes, 8U);
    else
      EXPECT_EQ(name, "native");
  }
}

TEST(LaneKernels, OfAllInstructionSetsGiveTheSameFloats) {
  const auto usable = usable_lane_kernels();
  if (usable.size() < 2) GTEST_SKIP() << "this build has the kernels of one instruction set";
  const Floats wanted = all_results(*usable.front());
  for (const LaneKernels* const kernels : usable.subspan(1)) {
    const Floats found = all_results(*kernels);
    ASSERT_EQ(found.size(), wanted.size());
    EXPECT_EQ(std::memcmp(found.data(), wanted.data(), wanted.size() * sizeof(float)), 0)
        << kernels->name << " and " << usable.front()->name;
  }
}

TEST(SqueezeExcite, GatesEveryChannelByTheMeansOfAll) {
  // Sixteen cells, of which channel 1 holds 4 in all and channel 0 its own number.
  const Canvas canvas{4, 4, 2};
  for (const LaneKernels* const kernels : usable_lane_kernels()) {
    AlignedFloats x(canvas.floats()), skip(canvas.floats());
    for (std::size_t cell = 0; cell < 16; ++cell) {
      float* const at = x.data() + canvas.row_begin(cell / 4) + cell % 4 * canvas.cell_stride();
      at[0] = static_cast<float>(cell);
      at[1] = 4;
    }
    // One hidden unit, the second channel's mean; gates sigmoid(0) and sigmoid(4), offsets -1
    // and 2.
    const SqueezeExcite layer{DenseLayer(Floats{0, 1}, Floats{0}, *kernels),
                              DenseLayer(Floats{0, 1, 0, 0}, Floats{0, 0, -1, 2}, *kernels),
                              kernels};
    layer.apply(canvas, 1, skip.data(), x.data());
    const float* const cell_7 = x.data() + canvas.row_begin(1) + 3 * canvas.cell_stride();
    EXPECT_NEAR(cell_7[0], 0.5 * 7 - 1, 1e-5) << kernels->name;
    EXPECT_NEAR(cell_7[1], 4 / (1 + std::exp(-4.0)) + 2, 1e-5) << kernels->name;
    EXPECT_EQ(x.data()[canvas.row_begin(0)], 0.0F) << "the ReLU: 0 - 1";
  }
}

TEST(Softmax, IsStableForLargeLogits) {
  std::array<float, 3> values = {1000.0F, 999.0F, -1000.0F};
  softmax(values);
  EXPECT_NEAR(values[0], 1 / (1 + std::exp(-1.0F)), 1e-6);
  EXPECT_NEAR(values[1], 1 - values[0], 1e-6);
  EXPECT_EQ(values[2], 0.0F);
  EXPECT_NEAR(softplus(-200.0F), 0.0F, 1e-6);
  EXPECT_NEAR(softplus(200.0F), 200.0F, 1e-4);
}

}  // namespace
}  // namespace faultline
