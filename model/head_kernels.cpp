// The network's small parts on a CPU as plain loops over floats.
#include "model/head_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

namespace faultline {
namespace {

constexpr std::size_t kLanes = 16;
/// Sixteen floats; the compiler splits it where registers are shorter.
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// `Rows` inputs against sixteen outputs.
template <std::size_t Rows>
void dense_tile(const float* x, std::size_t inputs, const float* weight, Lanes bias,
                std::array<Lanes, Rows>& sums) {
  sums.fill(bias);
  for (std::size_t i = 0; i < inputs; ++i) {
    const Lanes w = load(weight + i * kLanes);
    for (std::size_t row = 0; row < Rows; ++row)
      sums[row] += x[row * inputs + i] * w;
  }
}

}  // namespace

DenseLayer::DenseLayer(std::span<const float> weight, std::span<const float> bias)
    : inputs_(weight.size() / bias.size()), outputs_(bias.size()) {
  assert(weight.size() == inputs_ * outputs_);
  const std::size_t groups = (outputs_ + kLanes - 1) / kLanes;
  weight_.resize(groups * inputs_ * kLanes);
  bias_.assign(bias.begin(), bias.end());
  bias_.resize(groups * kLanes);
  for (std::size_t out = 0; out < outputs_; ++out)
    for (std::size_t in = 0; in < inputs_; ++in)
      weight_[(out / kLanes * inputs_ + in) * kLanes + out % kLanes] = weight[out * inputs_ + in];
}

void DenseLayer::apply(const float* x, std::size_t count, float* y, bool rectify) const {
  constexpr std::size_t kRows = 8;
  for (std::size_t out = 0; out < outputs_; out += kLanes) {
    const float* weight = weight_.data() + out * inputs_;
    const Lanes bias = load(bias_.data() + out);
    const std::size_t width = std::min(kLanes, outputs_ - out);
    const auto store = [&](std::size_t row, Lanes sum) {
      if (rectify)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sum[lane] = std::max(sum[lane], 0.0F);
      std::memcpy(y + row * outputs_ + out, &sum, width * sizeof(float));
    };
    std::size_t row = 0;
    for (; row + kRows <= count; row += kRows) {
      std::array<Lanes, kRows> sums;
      dense_tile<kRows>(x + row * inputs_, inputs_, weight, bias, sums);
      for (std::size_t r = 0; r < kRows; ++r)
        store(row + r, sums[r]);
    }
    for (; row < count; ++row) {
      std::array<Lanes, 1> sums;
      dense_tile<1>(x + row * inputs_, inputs_, weight, bias, sums);
      store(row, sums[0]);
    }
  }
}

void relu(std::span<float> values) {
  // Pointers and a plain comparison: through the span, and with std::max's references, the compiler
  // does not vectorise, and this loop then costs a quarter of the network.
  float* const v = values.data();
  const std::size_t count = values.size();
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    v[i] = v[i] > 0 ? v[i] : 0.0F;
}

void add_relu(std::span<float> values, const float* others) {
  float* const v = values.data();
  const std::size_t count = values.size();
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float sum = v[i] + others[i];
    v[i] = sum > 0 ? sum : 0.0F;
  }
}

void SqueezeExcite::apply(float* x, const float* skip, std::size_t count, std::size_t cells,
                          std::size_t channels) const {
  std::vector<float> means(count * channels), squeezed(count * squeeze.outputs()),
      excited(count * 2 * channels);
  for (std::size_t p = 0; p < count; ++p) {
    float* mean = means.data() + p * channels;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const float* row = x + (p * cells + cell) * channels;
#pragma omp simd
      for (std::size_t c = 0; c < channels; ++c)
        mean[c] += row[c];
    }
    for (std::size_t c = 0; c < channels; ++c)
      mean[c] /= static_cast<float>(cells);
  }
  squeeze.apply(means.data(), count, squeezed.data(), true);
  excite.apply(squeezed.data(), count, excited.data(), false);
  for (std::size_t p = 0; p < count; ++p) {
    float* gate = excited.data() + p * 2 * channels;
    const float* offset = gate + channels;
    for (std::size_t c = 0; c < channels; ++c)
      gate[c] = 1.0F / (1.0F + std::exp(-gate[c]));
    for (std::size_t cell = 0; cell < cells; ++cell) {
      float* row = x + (p * cells + cell) * channels;
      const float* from = skip + (p * cells + cell) * channels;
#pragma omp simd
      for (std::size_t c = 0; c < channels; ++c) {
        const float sum = gate[c] * row[c] + offset[c] + from[c];
        row[c] = sum > 0 ? sum : 0.0F;
      }
    }
  }
}

void planes_to_channels_last(const float* in, std::size_t count, std::size_t planes,
                             std::size_t cells, float* out) {
  for (std::size_t p = 0; p < count; ++p, in += planes * cells, out += planes * cells)
    for (std::size_t plane = 0; plane < planes; ++plane)
      for (std::size_t cell = 0; cell < cells; ++cell)
        out[cell * planes + plane] = in[plane * cells + cell];
}

void PolicyHead::logits(const float* rows, std::size_t stride, std::span<const PolicyIndex> moves,
                        float* out) const {
  for (const PolicyIndex& move : moves) {
    const float* query = rows + static_cast<std::size_t>(move.from) * stride;
    const float* key = rows + static_cast<std::size_t>(move.to) * stride + dim;
    const float* kind = kind_queries.data() + static_cast<std::size_t>(move.kind) * dim;
    float dot = 0;
#pragma omp simd reduction(+ : dot)
    for (std::size_t i = 0; i < dim; ++i)
      dot += (query[i] + kind[i]) * key[i];
    *out++ = dot + kind_biases[static_cast<std::size_t>(move.kind)];
  }
}

void softmax(std::span<float> values) {
  const float largest = *std::ranges::max_element(values);
  float sum = 0;
  for (float& value : values)
    sum += value = std::exp(value - largest);
  const float scale = 1.0F / sum;
  for (float& value : values)
    value *= scale;
}

float softplus(float x) {
  return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace faultline
