// The hand-written kernels against LibTorch's, on boards and channel counts that fit no register.
#include "model/inference/convolution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/inference/head_kernels.h"

namespace faultline {
namespace {

std::vector<float> values(const at::Tensor& tensor) {
  const auto plain = tensor.contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

/// [count, channels, height, width] as canvases.
AlignedFloats to_canvases(const at::Tensor& x, const Canvas& canvas) {
  const auto count = static_cast<std::size_t>(x.size(0));
  AlignedFloats out(count * canvas.floats());
  const auto planes = values(x);
  for (std::size_t i = 0; i < count; ++i)
    write_canvas(planes.data() + i * canvas.channels * canvas.height * canvas.width, canvas,
                 out.data() + i * canvas.floats());
  return out;
}

struct Case {
  int height, width, in, out, size;
};

class ConvolutionOf : public testing::TestWithParam<Case> {};

TEST_P(ConvolutionOf, AgreesWithLibTorchAndKeepsTheBorderZero) {
  const Case c = GetParam();
  at::manual_seed(c.height + c.width + c.in + c.out);
  constexpr std::int64_t kCount = 3;
  const auto x = at::randn({kCount, c.in, c.height, c.width});
  const auto skip = at::randn({kCount, c.out, c.height, c.width});
  const auto weight = at::randn({c.out, c.in, c.size, c.size}) / std::sqrt(c.in * c.size * c.size);
  const auto bias = at::randn({c.out});
  const auto expected = (at::conv2d(x, weight, bias, 1, c.size / 2) + skip).relu();

  const auto canvas = [&](int channels) {
    return Canvas{static_cast<std::size_t>(c.height), static_cast<std::size_t>(c.width),
                  static_cast<std::size_t>(channels)};
  };
  const Convolution convolution(values(weight), values(bias), canvas(c.in), canvas(c.out));
  const AlignedFloats from = to_canvases(x, canvas(c.in));
  AlignedFloats in_place = to_canvases(skip, canvas(c.out));
  convolution.apply(from.data(), kCount, in_place.data(), in_place.data(), true);

  // Border and padding are part of what is compared: the expected canvases have zeroes there.
  const AlignedFloats wanted = to_canvases(expected, canvas(c.out));
  for (std::size_t i = 0; i < kCount * canvas(c.out).floats(); ++i)
    ASSERT_NEAR(in_place.data()[i], wanted.data()[i], 2e-5) << "float " << i;
}
INSTANTIATE_TEST_SUITE_P(Boards, ConvolutionOf,
                         testing::Values(Case{8, 8, 20, 32, 3}, Case{8, 8, 64, 64, 3},
                                         Case{8, 8, 32, 72, 1}, Case{9, 10, 23, 48, 3},
                                         Case{6, 8, 5, 4, 3}, Case{8, 16, 16, 16, 3},
                                         Case{3, 1, 1, 100, 3}, Case{8, 13, 7, 33, 1}));

class DenseOf : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(DenseOf, AgreesWithLibTorch) {
  const auto [inputs, outputs, count] = GetParam();
  at::manual_seed(inputs);
  const auto x = at::randn({count, inputs}), weight = at::randn({outputs, inputs}) / 10,
             bias = at::randn({outputs});
  const DenseLayer level(values(weight), values(bias));
  for (const bool rectify : {false, true}) {
    auto expected = at::linear(x, weight, bias);
    if (rectify) expected = expected.relu();
    std::vector<float> y(static_cast<std::size_t>(count * outputs), -7.0F);
    level.apply(values(x).data(), static_cast<std::size_t>(count), y.data(), rectify);
    const auto wanted = values(expected);
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_NEAR(y[i], wanted[i], 1e-4);
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, DenseOf,
                         testing::Values(std::tuple{512, 64, 19}, std::tuple{64, 4, 8},
                                         std::tuple{3, 17, 1}, std::tuple{16, 32, 25}));

}  // namespace
}  // namespace faultline
