// Convolutions for small boards on a CPU.
#include "model/inference/convolution.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace faultline {
namespace {

/// Cells of a row computed together, two output vectors each: as many as leave registers for the
/// two weights and an input. Each input is then used twice and each weight for all cells.
constexpr std::size_t kMostCells = kVectorRegisters == 32 ? 12 : 6;

struct Tile {
  const float* x;      // the cell above and left of the first one (or the first one, for 1x1)
  std::size_t size;    // 1 or 3
  std::size_t inputs;  // channels
  std::size_t x_cell;  // strides in floats
  std::size_t x_row;
  const float* weight;  // [size * size, inputs, Vectors * kLanes]
  const float* bias;
  const float* skip;  // null: none
  float* y;
  std::size_t y_cell;
  bool relu;
};

template <std::size_t Cells, std::size_t Vectors>
void compute(const Tile& t) {
  std::array<std::array<Lanes, Vectors>, Cells> sums;
  for (auto& cell : sums)
    for (std::size_t v = 0; v < Vectors; ++v)
      cell[v] = load_lanes(t.bias + v * kLanes);

  const float* weight = t.weight;
  const std::size_t x_cell = t.x_cell;
  for (std::size_t dy = 0; dy < t.size; ++dy)
    for (std::size_t dx = 0; dx < t.size; ++dx) {
      const float* x = t.x + dy * t.x_row + dx * x_cell;
      for (std::size_t i = 0; i < t.inputs; ++i, weight += Vectors * kLanes) {
        std::array<Lanes, Vectors> w;
        for (std::size_t v = 0; v < Vectors; ++v)
          w[v] = load_lanes(weight + v * kLanes);
#pragma GCC unroll 12
        for (std::size_t cell = 0; cell < Cells; ++cell)
#pragma GCC unroll 2
          for (std::size_t v = 0; v < Vectors; ++v)
            sums[cell][v] += x[cell * x_cell + i] * w[v];
      }
    }

  for (std::size_t cell = 0; cell < Cells; ++cell)
    for (std::size_t v = 0; v < Vectors; ++v) {
      const std::size_t offset = cell * t.y_cell + v * kLanes;
      Lanes sum = sums[cell][v];
      if (t.skip != nullptr) sum += load_lanes(t.skip + offset);
      store_lanes(t.relu ? rectified(sum) : sum, t.y + offset);
    }
}

using Compute = void (*)(const Tile&);

template <std::size_t Vectors>
Compute compute_for(std::size_t cells) {
  static constexpr auto kTable = []<std::size_t... N>(std::index_sequence<N...>) {
    return std::array<Compute, kMostCells>{&compute<N + 1, Vectors>...};
  }
  (std::make_index_sequence<kMostCells>());
  return kTable[cells - 1];
}

}  // namespace

Convolution::Convolution(std::span<const float> weight, std::span<const float> bias, Canvas in,
                         Canvas out)
    : in_(in), out_(out), bias_(whole_lanes(out.channels)) {
  const std::size_t taps = weight.size() / (in.channels * out.channels);
  size_ = taps == 1 ? 1 : 3;
  assert(taps == size_ * size_ && weight.size() == taps * in.channels * out.channels);
  assert(bias.size() == out.channels && in.height == out.height && in.width == out.width);
  weight_ = AlignedFloats(taps * in.channels * whole_lanes(out.channels));
  std::ranges::copy(bias, bias_.data());
  float* to = weight_.data();
  for (std::size_t first = 0; first < out.cell_stride();) {
    const std::size_t group = std::min(2 * kLanes, out.cell_stride() - first);
    for (std::size_t tap = 0; tap < taps; ++tap)
      for (std::size_t i = 0; i < in.channels; ++i)
        for (std::size_t o = first; o < first + group; ++o, ++to)
          if (o < out.channels) *to = weight[(o * in.channels + i) * taps + tap];
    first += group;
  }
}

void Convolution::apply(const float* x, std::size_t count, const float* skip, float* y,
                        bool relu) const {
  const std::size_t parts = (in_.width + kMostCells - 1) / kMostCells;
  const std::size_t back = size_ == 3 ? in_.row_stride() + in_.cell_stride() : 0;
  Tile tile{.x = nullptr,
            .size = size_,
            .inputs = in_.channels,
            .x_cell = in_.cell_stride(),
            .x_row = in_.row_stride(),
            .weight = weight_.data(),
            .bias = bias_.data(),
            .skip = nullptr,
            .y = nullptr,
            .y_cell = out_.cell_stride(),
            .relu = relu};
  // Output channels outermost: their weights stay in the L1 cache for all positions.
  for (std::size_t first = 0; first < out_.cell_stride();) {
    const std::size_t group = std::min(2 * kLanes, out_.cell_stride() - first);
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t row = 0; row < in_.height; ++row)
        for (std::size_t part = 0; part < parts; ++part) {
          const std::size_t begin = part * in_.width / parts, end = (part + 1) * in_.width / parts;
          tile.x = x + p * in_.floats() + in_.row_begin(row) + begin * in_.cell_stride() - back;
          const std::size_t offset =
              p * out_.floats() + out_.row_begin(row) + begin * out_.cell_stride() + first;
          tile.y = y + offset;
          tile.skip = skip == nullptr ? nullptr : skip + offset;
          (group == 2 * kLanes ? compute_for<2>(end - begin) : compute_for<1>(end - begin))(tile);
        }
    tile.weight += size_ * size_ * in_.channels * group;
    tile.bias += group;
    first += group;
  }
}

void write_canvas(const float* planes, const Canvas& canvas, float* to) {
  const std::size_t stride = canvas.cell_stride();
  for (std::size_t channel = 0; channel < canvas.channels; ++channel)
    for (std::size_t row = 0; row < canvas.height; ++row) {
      float* cell = to + canvas.row_begin(row) + channel;
      for (std::size_t column = 0; column < canvas.width; ++column, cell += stride)
        *cell = *planes++;
    }
}

}  // namespace faultline
