// The network's small layers on a CPU as plain loops over floats.
#include "model/inference/head_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

namespace faultline {
namespace {

/// `Rows` inputs for one vector of outputs.
template <std::size_t Rows>
void dense_tile(const float* x, std::size_t inputs, const float* weight, Lanes bias,
                std::array<Lanes, Rows>& sums) {
  sums.fill(bias);
  for (std::size_t i = 0; i < inputs; ++i) {
    const Lanes w = load_lanes(weight + i * kLanes);
    for (std::size_t row = 0; row < Rows; ++row)
      sums[row] += x[row * inputs + i] * w;
  }
}

}  // namespace

DenseLayer::DenseLayer(std::span<const float> weight, std::span<const float> bias)
    : inputs_(weight.size() / bias.size()),
      outputs_(bias.size()),
      weight_(whole_lanes(outputs_) * inputs_),
      bias_(whole_lanes(outputs_)) {
  assert(weight.size() == inputs_ * outputs_);
  std::ranges::copy(bias, bias_.data());
  for (std::size_t out = 0; out < outputs_; ++out)
    for (std::size_t in = 0; in < inputs_; ++in)
      weight_.data()[(out / kLanes * inputs_ + in) * kLanes + out % kLanes] =
          weight[out * inputs_ + in];
}

void DenseLayer::apply(const float* x, std::size_t count, float* y, bool relu) const {
  constexpr std::size_t kRows = 8;
  for (std::size_t out = 0; out < outputs_; out += kLanes) {
    const float* weight = weight_.data() + out * inputs_;
    const Lanes bias = load_lanes(bias_.data() + out);
    const std::size_t width = std::min(kLanes, outputs_ - out);
    const auto store = [&](std::size_t row, Lanes sum) {
      if (relu) sum = rectified(sum);
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

void SqueezeExcite::apply(const Canvas& canvas, std::size_t count, const float* skip,
                          float* x) const {
  const std::size_t channels = canvas.channels, stride = canvas.cell_stride();
  std::vector<float> means(count * channels), squeezed(count * squeeze.outputs()),
      excited(count * 2 * channels);
  const auto for_each_cell = [&](std::size_t position, auto&& visit) {
    for (std::size_t row = 0; row < canvas.height; ++row)
      for (std::size_t column = 0; column < canvas.width; ++column)
        visit(position * canvas.floats() + canvas.row_begin(row) + column * stride);
  };
  const float share = 1.0F / static_cast<float>(canvas.height * canvas.width);
  for (std::size_t p = 0; p < count; ++p) {
    float* mean = means.data() + p * channels;
    for_each_cell(p, [&](std::size_t cell) {
#pragma omp simd
      for (std::size_t c = 0; c < channels; ++c)
        mean[c] += x[cell + c] * share;
    });
  }
  squeeze.apply(means.data(), count, squeezed.data(), true);
  excite.apply(squeezed.data(), count, excited.data(), false);
  for (std::size_t p = 0; p < count; ++p) {
    float* gate = excited.data() + p * 2 * channels;
    const float* offset = gate + channels;
    for (std::size_t c = 0; c < channels; ++c)
      gate[c] = 1.0F / (1.0F + std::exp(-gate[c]));
    for_each_cell(p, [&](std::size_t cell) {
#pragma omp simd
      for (std::size_t c = 0; c < channels; ++c) {
        const float sum = gate[c] * x[cell + c] + offset[c] + skip[cell + c];
        x[cell + c] = sum > 0 ? sum : 0.0F;
      }
    });
  }
}

void PolicyHead::logits(const CellPlaces& places, const float* heads,
                        std::span<const PolicyIndex> moves, float* out) const {
  const auto query_at = [&](std::int32_t policy_cell) {
    const std::size_t cell = static_cast<std::size_t>(policy_cell) / levels;
    const std::size_t level = static_cast<std::size_t>(policy_cell) % levels;
    return heads + cell / places.width * places.row_stride +
           cell % places.width * places.cell_stride + level * dim;
  };
  for (const PolicyIndex& move : moves) {
    const float* query = query_at(move.from);
    const float* key = query_at(move.to) + levels * dim;
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
