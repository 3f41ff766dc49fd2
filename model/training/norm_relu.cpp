// Batch norm, residual and ReLU in one operation, for training on a CPU.
#include "model/training/norm_relu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <torch/csrc/autograd/custom_function.h>

#include "model/network_description.h"
#include "model/training/norm_kernels.h"

namespace faultline {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// A float's upper half; rounds to nearest, ties to even.
struct Bf16 {
  std::uint16_t bits;
};
inline float load(float value) {
  return value;
}
inline float load(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
inline void store(float value, float& to) {
  to = value;
}
inline void store(float value, Bf16& to) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  to.bits = static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

/// Values by cell: [rows, channels] of T.
struct Shape {
  std::int64_t rows;
  std::int64_t channels;
};
Shape shape_of(const at::Tensor& x) {
  return {x.numel() / x.size(1), x.size(1)};
}

/// Sums over rows: floats for a few dozen rows at a time, doubles beyond.
class ColumnSums {
 public:
  explicit ColumnSums(std::int64_t channels)
      : sums_(static_cast<std::size_t>(channels)), partial_(sums_.size()) {}
  float* partial() { return partial_.data(); }
  void flush() {
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      sums_[c] += static_cast<double>(partial_[c]);
      partial_[c] = 0;
    }
  }
  double operator[](std::int64_t c) const { return sums_[static_cast<std::size_t>(c)]; }

 private:
  std::vector<double> sums_;
  std::vector<float> partial_;
};
constexpr std::int64_t kRowsAFlush = 64;

/// Calls add(row) for every row, and flushes the sums in between.
template <class Add>
void sum_rows(Shape shape, ColumnSums& one, ColumnSums& two, Add&& add) {
  for (std::int64_t begin = 0; begin < shape.rows; begin += kRowsAFlush) {
    const std::int64_t end = std::min(begin + kRowsAFlush, shape.rows);
    for (std::int64_t row = begin; row < end; ++row)
      add(row);
    one.flush();
    two.flush();
  }
}

/// Adds up differences from `shift` (anything near the mean, so that no digits are lost) and their
/// squares.
template <class T>
void add_moments(const T* x, Shape shape, const float* shift, ColumnSums& sums,
                 ColumnSums& squares) {
  float *s = sums.partial(), *q = squares.partial();
  sum_rows(shape, sums, squares, [&](std::int64_t row) {
    const T* from = x + row * shape.channels;
#pragma omp simd
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      const float d = load(from[c]) - shift[c];
      s[c] += d;
      q[c] += d * d;
    }
  });
}

template <class T, bool kResidual>
void scale_and_rectify(const T* x, const T* residual, Shape shape, const float* scale,
                       const float* offset, T* y) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t at = row * shape.channels;
#pragma omp simd
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      float value = load(x[at + c]) * scale[c] + offset[c];
      if constexpr (kResidual) value += load(residual[at + c]);
      store(value < 0 ? 0.0F : value, y[at + c]);  // keeps NaN, so that it reaches the loss
    }
  }
}

template <class T>
void add_slopes(const T* upstream, const T* y, const T* x, Shape shape, const float* mean,
                ColumnSums& sums, ColumnSums& products) {
  float *s = sums.partial(), *p = products.partial();
  sum_rows(shape, sums, products, [&](std::int64_t row) {
    const std::int64_t at = row * shape.channels;
#pragma omp simd
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      const float slope = load(y[at + c]) > 0 ? load(upstream[at + c]) : 0.0F;
      s[c] += slope;
      p[c] += slope * (load(x[at + c]) - mean[c]);
    }
  });
}

/// dx = a slope + b x + d; the residual's gradient is the slope itself.
template <class T, bool kResidual>
void write_gradients(const T* upstream, const T* y, const T* x, Shape shape, const float* a,
                     const float* b, const float* d, T* to_x, T* to_residual) {
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const std::int64_t at = row * shape.channels;
#pragma omp simd
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      const float slope = load(y[at + c]) > 0 ? load(upstream[at + c]) : 0.0F;
      store(a[c] * slope + b[c] * load(x[at + c]) + d[c], to_x[at + c]);
      if constexpr (kResidual) store(slope, to_residual[at + c]);
    }
  }
}

template <class T>
T* values(const at::Tensor& t) {
  return t.defined() ? static_cast<T*>(t.data_ptr()) : nullptr;
}

template <class T>
at::Tensor forward_of(const at::Tensor& x, const BatchNormTensors& norm, const at::Tensor& residual,
                      at::Tensor& mean, at::Tensor& inverse_deviation) {
  const Shape shape = shape_of(x);
  const auto rows = static_cast<double>(shape.rows);
  auto *running_mean = norm.mean.data_ptr<float>(),
       *running_variance = norm.variance.data_ptr<float>();
  ColumnSums sums(shape.channels), squares(shape.channels);
  add_moments(values<const T>(x), shape, running_mean, sums, squares);
  const auto *gain = norm.gain.data_ptr<float>(), *bias = norm.bias.data_ptr<float>();
  const auto coefficients = at::empty({2, shape.channels}, norm.gain.options());
  auto *scale = coefficients.data_ptr<float>(), *offset = scale + shape.channels;
  mean = at::empty_like(norm.mean);
  inverse_deviation = at::empty_like(norm.mean);
  auto *means = mean.data_ptr<float>(), *inverses = inverse_deviation.data_ptr<float>();
  for (std::int64_t c = 0; c < shape.channels; ++c) {
    const double difference = sums[c] / rows;
    const double m = static_cast<double>(running_mean[c]) + difference;
    const double variance = std::max(squares[c] / rows - difference * difference, 0.0);
    const double inverse = 1 / std::sqrt(variance + kBatchNormEpsilon);
    means[c] = static_cast<float>(m);
    inverses[c] = static_cast<float>(inverse);
    scale[c] = static_cast<float>(static_cast<double>(gain[c]) * inverse);
    offset[c] = static_cast<float>(static_cast<double>(bias[c]) -
                                   m * static_cast<double>(gain[c]) * inverse);
    const double unbiased = variance * rows / std::max(rows - 1, 1.0);
    running_mean[c] += static_cast<float>(kBatchNormMomentum * difference);
    running_variance[c] += static_cast<float>(
        kBatchNormMomentum * (unbiased - static_cast<double>(running_variance[c])));
  }
  auto y = at::empty_like(x);
  if (residual.defined())
    scale_and_rectify<T, true>(values<const T>(x), values<const T>(residual), shape, scale, offset,
                               values<T>(y));
  else
    scale_and_rectify<T, false>(values<const T>(x), nullptr, shape, scale, offset, values<T>(y));
  return y;
}

struct Gradients {
  at::Tensor x, residual, gain, bias;
};
template <class T>
Gradients backward_of(const at::Tensor& upstream, const at::Tensor& y, const at::Tensor& x,
                      const at::Tensor& gain, const at::Tensor& mean,
                      const at::Tensor& inverse_deviation, bool has_residual) {
  const Shape shape = shape_of(x);
  const auto rows = static_cast<double>(shape.rows);
  const auto* means = mean.data_ptr<float>();
  ColumnSums sums(shape.channels), products(shape.channels);
  add_slopes(values<const T>(upstream), values<const T>(y), values<const T>(x), shape, means, sums,
             products);
  Gradients to{at::empty_like(x), has_residual ? at::empty_like(x) : at::Tensor(),
               at::empty_like(gain), at::empty_like(gain)};
  const auto coefficients = at::empty({3, shape.channels}, gain.options());
  auto *a = coefficients.data_ptr<float>(), *b = a + shape.channels, *d = b + shape.channels;
  const auto *gains = gain.data_ptr<float>(), *inverses = inverse_deviation.data_ptr<float>();
  for (std::int64_t c = 0; c < shape.channels; ++c) {
    const double inverse = static_cast<double>(inverses[c]);
    const double to_gain = products[c] * inverse;
    const double scale = static_cast<double>(gains[c]) * inverse;
    const double slope_of_x = -scale * inverse * to_gain / rows;
    to.gain.data_ptr<float>()[c] = static_cast<float>(to_gain);
    to.bias.data_ptr<float>()[c] = static_cast<float>(sums[c]);
    a[c] = static_cast<float>(scale);
    b[c] = static_cast<float>(slope_of_x);
    d[c] = static_cast<float>(-scale * sums[c] / rows - slope_of_x * static_cast<double>(means[c]));
  }
  if (has_residual)
    write_gradients<T, true>(values<const T>(upstream), values<const T>(y), values<const T>(x),
                             shape, a, b, d, values<T>(to.x), values<T>(to.residual));
  else
    write_gradients<T, false>(values<const T>(upstream), values<const T>(y), values<const T>(x),
                              shape, a, b, d, values<T>(to.x), nullptr);
  return to;
}

at::Tensor channels_last(const at::Tensor& t) {
  return t.contiguous(at::MemoryFormat::ChannelsLast);
}

struct NormRelu final : torch::autograd::Function<NormRelu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given_x,
                            const at::Tensor& gain, const at::Tensor& bias, const at::Tensor& mean,
                            const at::Tensor& variance, const at::Tensor& given_residual,
                            bool has_residual) {
    const auto x = channels_last(given_x);
    const auto residual = has_residual ? channels_last(given_residual) : at::Tensor();
    const BatchNormTensors norm{gain, bias, mean, variance};
    at::Tensor batch_mean, inverse_deviation;
    const auto y = x.scalar_type() == at::kFloat
                       ? forward_of<float>(x, norm, residual, batch_mean, inverse_deviation)
                       : forward_of<Bf16>(x, norm, residual, batch_mean, inverse_deviation);
    context->save_for_backward({x, y, gain, batch_mean, inverse_deviation});
    context->saved_data["residual"] = has_residual;
    return y;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &y = saved[1], &gain = saved[2], &mean = saved[3],
               &inverse_deviation = saved[4];
    const bool residual = context->saved_data["residual"].toBool();
    const auto upstream = channels_last(gradients[0]);
    const Gradients to =
        x.scalar_type() == at::kFloat
            ? backward_of<float>(upstream, y, x, gain, mean, inverse_deviation, residual)
            : backward_of<Bf16>(upstream, y, x, gain, mean, inverse_deviation, residual);
    return {to.x, to.gain, to.bias, {}, {}, to.residual, {}};
  }
};

}  // namespace

at::Tensor norm_relu(const at::Tensor& x, const BatchNormTensors& norm,
                     const at::Tensor& residual) {
  const bool known = x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  if (norm_kernels_fit(x)) return norm_relu_by_kernels(x, norm, residual);
  if (!x.is_cpu() || !known) return norm_relu_by_operations(x, norm, residual);
  // LibTorch 1.13 refuses undefined tensors as arguments: x stands in for an absent residual, and
  // has no gradient in that place.
  return NormRelu::apply(x, norm.gain, norm.bias, norm.mean, norm.variance,
                         residual.defined() ? residual : x, residual.defined());
}

at::Tensor norm_relu_by_operations(const at::Tensor& x, const BatchNormTensors& norm,
                                   const at::Tensor& residual) {
  auto y = at::batch_norm(x, norm.gain, norm.bias, norm.mean, norm.variance, /*training=*/true,
                          kBatchNormMomentum, kBatchNormEpsilon, true);
  if (residual.defined()) y.add_(residual);
  return y.relu_();
}

}  // namespace faultline
