// Batch norms with what follows them, in training: fused loops, kernels and separate operations.
#include "model/training/norm_relu.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "model/inference/gpu/emulation.h"
#include "model/training/norm_kernels.h"

namespace faultline {
namespace {

double relative_distance(const at::Tensor& given, const at::Tensor& exact) {
  const auto a = given.to(at::kFloat), b = exact.to(at::kFloat);
  return (a - b).norm().item<double>() / b.norm().item<double>();
}

/// The value, the gradients of x, residual, gain and bias, and the updated running statistics.
std::vector<at::Tensor> norm_relu_parts(at::ScalarType type, bool with_residual,
                                        std::int64_t channels, decltype(norm_relu)* apply) {
  at::manual_seed(11);
  const auto leaf = [&](const at::Tensor& t) {
    return t.to(type).contiguous(at::MemoryFormat::ChannelsLast).set_requires_grad(true);
  };
  const auto x = leaf(at::randn({9, channels, 5, 7}) * 2 + 3);
  const auto residual = with_residual ? leaf(at::randn({9, channels, 5, 7})) : at::Tensor();
  const auto upstream =
      at::randn({9, channels, 5, 7}).to(type).contiguous(at::MemoryFormat::ChannelsLast);
  const BatchNormTensors norm{at::randn({channels}).set_requires_grad(true),
                              at::randn({channels}).set_requires_grad(true), at::randn({channels}),
                              at::rand({channels}) + 0.5};
  const auto y = apply(x, norm, residual);
  EXPECT_EQ(y.scalar_type(), type);
  EXPECT_TRUE(y.is_contiguous(at::MemoryFormat::ChannelsLast));
  y.backward(upstream);
  std::vector<at::Tensor> parts = {y.detach(),       x.grad(),  norm.gain.grad(),
                                   norm.bias.grad(), norm.mean, norm.variance};
  if (with_residual) parts.push_back(residual.grad());
  return parts;
}
TEST(NormRelu, EqualsTheSeparateOperations) {
  for (const auto type : {at::kFloat, at::kBFloat16})
    for (const bool with_residual : {false, true})
      for (const std::int64_t channels : {1, 8, 32, 37}) {
        const auto fused = norm_relu_parts(type, with_residual, channels, norm_relu);
        const auto plain = norm_relu_parts(type, with_residual, channels, norm_relu_by_operations);
        // In bf16 the separate operations round the normed values before the residual is added,
        // which lets the ReLU cut a few others.
        const double tolerance = type == at::kFloat ? 1e-5 : 0.15;
        for (std::size_t i = 0; i < fused.size(); ++i) {
          const auto exact = plain[i].to(at::kFloat);
          EXPECT_LT((fused[i].to(at::kFloat) - exact).norm().item<double>(),
                    tolerance * exact.norm().item<double>())
              << "part " << i << ", " << channels << " channels, residual " << with_residual << ", "
              << at::toString(type);
        }
      }
}

/// While it lives, the threads of kernels on a CPU run in a random order.
struct RandomThreadOrder {
  RandomThreadOrder() {
    gpu::thread_order = [](std::span<int> threads) {
      static std::mt19937 rng(5);
      std::ranges::shuffle(threads, rng);
    };
  }
  ~RandomThreadOrder() { gpu::thread_order = nullptr; }
  RandomThreadOrder(const RandomThreadOrder&) = delete;
  RandomThreadOrder& operator=(const RandomThreadOrder&) = delete;
  RandomThreadOrder(RandomThreadOrder&&) = delete;
  RandomThreadOrder& operator=(RandomThreadOrder&&) = delete;
};

TEST(NormKernels, OfReluEqualTheLoops) {
  const RandomThreadOrder random;
  for (const bool with_residual : {false, true})
    for (const std::int64_t channels : {8, 24, 128}) {
      const auto loops = norm_relu_parts(at::kBFloat16, with_residual, channels, norm_relu);
      const auto kernels =
          norm_relu_parts(at::kBFloat16, with_residual, channels, norm_relu_by_kernels);
      for (std::size_t i = 0; i < loops.size(); ++i)
        EXPECT_LT(relative_distance(kernels[i], loops[i]), 0.005)
            << "part " << i << ", " << channels << " channels, residual " << with_residual;
    }
}

/// Value, all gradients and the running statistics of a norm with squeeze and excitation.
template <class Apply>
std::vector<at::Tensor> norm_squeeze_excite_parts(std::int64_t channels, const Apply& apply) {
  at::manual_seed(12);
  constexpr std::int64_t kSqueezed = 5;
  const auto bf16 = [&] {
    return at::randn({6, channels, 5, 7})
        .to(at::kBFloat16)
        .contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto leaf = [](const at::Tensor& t) { return t.set_requires_grad(true); };
  const auto x = leaf((bf16() * 2 + 3).contiguous(at::MemoryFormat::ChannelsLast)),
             residual = leaf(bf16());
  const auto upstream = bf16();
  const BatchNormTensors norm{leaf(at::randn({channels})), leaf(at::randn({channels})),
                              at::randn({channels}), at::rand({channels}) + 0.5};
  const SqueezeExciteTensors layers{
      leaf(at::randn({kSqueezed, channels})), leaf(at::randn({kSqueezed})),
      leaf(at::randn({2 * channels, kSqueezed})), leaf(at::randn({2 * channels}))};
  const auto y = apply(x, norm, residual, layers);
  y.backward(upstream.to(y.scalar_type()));
  return {y.detach(),
          x.grad(),
          residual.grad(),
          norm.gain.grad(),
          norm.bias.grad(),
          norm.mean,
          norm.variance,
          layers.squeeze.grad(),
          layers.squeeze_bias.grad(),
          layers.excite.grad(),
          layers.excite_bias.grad()};
}
TEST(NormKernels, OfSqueezeAndExcitationEqualFloatOperations) {
  const RandomThreadOrder random;
  for (const std::int64_t channels : {8, 40, 128}) {
    const auto kernels = norm_squeeze_excite_parts(channels, norm_squeeze_excite_by_kernels);
    const auto plain = norm_squeeze_excite_parts(channels, [](const at::Tensor& x,
                                                              const BatchNormTensors& norm,
                                                              const at::Tensor& residual,
                                                              const SqueezeExciteTensors& layers) {
      const auto y = at::batch_norm(x.to(at::kFloat), norm.gain, norm.bias, norm.mean,
                                    norm.variance, true, kBatchNormMomentum, 1e-5, true);
      const auto squeezed = at::linear(y.mean({2, 3}), layers.squeeze, layers.squeeze_bias).relu();
      const auto gates = at::linear(squeezed, layers.excite, layers.excite_bias)
                             .view({x.size(0), 2, x.size(1), 1, 1});
      return (y * gates.select(1, 0).sigmoid() + gates.select(1, 1) + residual).relu();
    });
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_LT(relative_distance(kernels[i], plain[i]), 0.02)
          << "part " << i << ", " << channels << " channels";
  }
}

TEST(NormRelu, PassesOnWhatIsNotANumber) {
  auto x = at::randn({2, 4, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast);
  x[0][1][0][0] = std::numeric_limits<float>::quiet_NaN();
  const BatchNormTensors norm{at::ones({4}), at::zeros({4}), at::zeros({4}), at::ones({4})};
  const auto y = norm_relu(x, norm, {});
  EXPECT_TRUE(at::isnan(y.select(1, 1)).all().item<bool>());
  EXPECT_FALSE(at::isnan(y.select(1, 0)).any().item<bool>());
  const auto eight = at::cat({x, x}, 1).to(at::kBFloat16);
  const BatchNormTensors of_eight{at::ones({8}), at::zeros({8}), at::zeros({8}), at::ones({8})};
  const auto z = norm_relu_by_kernels(eight, of_eight, {});
  EXPECT_TRUE(at::isnan(z.select(1, 5)).all().item<bool>());
  EXPECT_FALSE(at::isnan(z.select(1, 4)).any().item<bool>());
}

}  // namespace
}  // namespace faultline
