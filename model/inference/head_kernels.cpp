// The network's small layers on a CPU as plain loops over floats.
#include "model/inference/head_kernels.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace faultline {

DenseLayer::DenseLayer(std::span<const float> weight, std::span<const float> bias,
                       const LaneKernels& kernels)
    : kernels_(&kernels),
      inputs_(weight.size() / bias.size()),
      outputs_(bias.size()),
      weight_(rounded_up(outputs_, kernels.lanes) * inputs_),
      bias_(rounded_up(outputs_, kernels.lanes)) {
  assert(weight.size() == inputs_ * outputs_);
  const std::size_t lanes = kernels.lanes;
  std::ranges::copy(bias, bias_.data());
  for (std::size_t out = 0; out < outputs_; ++out)
    for (std::size_t in = 0; in < inputs_; ++in)
      weight_.data()[(out / lanes * inputs_ + in) * lanes + out % lanes] =
          weight[out * inputs_ + in];
}

void DenseLayer::apply(const float* x, std::size_t count, float* y, bool relu) const {
  kernels_->dense({.count = count,
                   .inputs = inputs_,
                   .outputs = outputs_,
                   .x = x,
                   .weight = weight_.data(),
                   .bias = bias_.data(),
                   .y = y,
                   .relu = relu});
}

DenseLayer make_dense(const FoldedLinear& layer) {
  return {layer.weight.values, layer.bias.values};
}

void SqueezeExcite::apply(const Canvas& canvas, std::size_t count, const float* skip,
                          float* x) const {
  const std::size_t channels = canvas.channels;
  const CellGrid grid = canvas.grid();
  std::vector<float> means(count * channels), squeezed(count * squeeze.outputs()),
      excited(count * 2 * channels);
  const auto inside = [&](std::size_t position) {
    return position * canvas.floats() + canvas.row_begin(0);
  };
  const float share = 1.0F / static_cast<float>(canvas.height * canvas.width);
  for (std::size_t p = 0; p < count; ++p)
    kernels->add_cells(grid, x + inside(p), share, means.data() + p * channels);
  squeeze.apply(means.data(), count, squeezed.data(), true);
  excite.apply(squeezed.data(), count, excited.data(), false);
  for (std::size_t p = 0; p < count; ++p) {
    float* gate = excited.data() + p * 2 * channels;
    for (std::size_t c = 0; c < channels; ++c)
      gate[c] = 1.0F / (1.0F + std::exp(-gate[c]));
    kernels->gate_cells(grid, gate, gate + channels, skip + inside(p), x + inside(p));
  }
}

void BoardExchange::offsets(std::span<const float> means, std::size_t channels,
                            std::vector<float>& out) const {
  const std::size_t boards = means.size() / channels;
  std::vector<float> seen(boards * 3 * channels);
  std::vector<float> all(channels);
  for (std::size_t b = 0; b < boards; ++b)
    for (std::size_t c = 0; c < channels; ++c)
      all[c] += means[b * channels + c] / static_cast<float>(boards);
  for (std::size_t b = 0; b < boards; ++b) {
    float* const to = seen.data() + b * 3 * channels;
    if (b > 0) std::ranges::copy(means.subspan((b - 1) * channels, channels), to);
    if (b + 1 < boards)
      std::ranges::copy(means.subspan((b + 1) * channels, channels), to + channels);
    std::ranges::copy(all, to + 2 * channels);
  }
  out.resize(boards * channels);
  exchange.apply(seen.data(), boards, out.data(), false);
}

void BoardExchange::apply(const Canvas& canvas, std::span<float* const> boards) const {
  const std::size_t channels = canvas.channels;
  const CellGrid grid = canvas.grid();
  const float share = 1.0F / static_cast<float>(canvas.height * canvas.width);
  std::vector<float> means(boards.size() * channels), added;
  for (std::size_t b = 0; b < boards.size(); ++b)
    kernels->add_cells(grid, boards[b] + canvas.row_begin(0), share, means.data() + b * channels);
  offsets(means, channels, added);
  const std::vector<float> zeroes(channels);
  for (std::size_t b = 0; b < boards.size(); ++b) {
    float* const x = boards[b] + canvas.row_begin(0);
    kernels->gate_cells(grid, zeroes.data(), added.data() + b * channels, x, x);
  }
}

void PolicyHead::logits(const CellPlaces& places, const float* heads,
                        std::span<const PolicyIndex> moves, float* out) const {
  const auto query_at = [&](std::int32_t policy_cell) {
    const std::size_t all_levels = levels * boards;
    const std::size_t cell = static_cast<std::size_t>(policy_cell) / all_levels;
    const std::size_t level = static_cast<std::size_t>(policy_cell) % all_levels;
    return heads + cell / places.width * places.row_stride +
           cell % places.width * places.cell_stride +
           (boards > 1 ? level * places.board_stride : level * dim);
  };
  for (const PolicyIndex& move : moves) {
    const float* query = query_at(move.from);
    const float* key = query_at(move.to) + levels * dim;
    const float* kind = kind_queries.data() + static_cast<std::size_t>(move.kind) * dim;
    *out++ = kernels->policy_dot(query, kind, key, dim) +
             kind_biases[static_cast<std::size_t>(move.kind)];
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
