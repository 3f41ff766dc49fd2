// Made-up tensors, to see whether two ways of computing agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include <ATen/ATen.h>

namespace faultline {

/// The same each time, on the CPU.
class MadeUp {
 public:
  /// Floats from -1 to 1.
  at::Tensor operator()(at::IntArrayRef shape) {
    auto values = at::empty(shape, at::kFloat);
    std::generate_n(values.data_ptr<float>(), values.numel(),
                    [&] { return static_cast<float>(rng_()) * 0x1p-31F - 1; });
    return values;
  }
  /// The same in bf16; channels-last if there are four dimensions.
  at::Tensor bf16(at::IntArrayRef shape) {
    const auto t = (*this)(shape).to(at::kBFloat16);
    return t.dim() == 4 ? t.contiguous(at::MemoryFormat::ChannelsLast) : t;
  }
  /// int32 from 0 to below `most`.
  at::Tensor below(int most, at::IntArrayRef shape) {
    auto values = at::empty(shape, at::kInt);
    std::generate_n(values.data_ptr<int>(), values.numel(),
                    [&] { return static_cast<int>(rng_() % static_cast<unsigned>(most)); });
    return values;
  }

 private:
  std::mt19937 rng_{1};
};

/// Whether `given` is `exact` as far as bf16 says: it has 8 bits of mantissa, and sums may be
/// rounded in another order. On any devices.
inline bool agrees_in_bf16(const at::Tensor& exact, const at::Tensor& given) {
  const auto a = exact.to(at::kCPU).to(at::kFloat), b = given.to(at::kCPU).to(at::kFloat);
  return (a - b).abs().max().item<double>() <= 0.02 * (1 + a.abs().max().item<double>());
}

}  // namespace faultline
