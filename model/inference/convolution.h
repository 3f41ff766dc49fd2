// Convolutions for small boards on a CPU. A library's convolution spends more on a call than a
// board takes to compute, and prefers large batches; these run at the same speed for one position
// as for a hundred, near the CPU's limit.
#pragma once

#include <cstddef>
#include <span>

#include "model/inference/lanes.h"

namespace faultline {

/// How a position's activations lie in memory: cells row by row inside a border one cell wide that
/// stays zero, a cell's channels together, padded with zeroes to whole vectors.
struct Canvas {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  friend bool operator==(const Canvas&, const Canvas&) = default;

  std::size_t cell_stride() const { return whole_lanes(channels); }
  std::size_t row_stride() const { return (width + 2) * cell_stride(); }
  std::size_t floats() const { return (height + 2) * row_stride(); }
  /// Where the cells of row `row` begin.
  std::size_t row_begin(std::size_t row) const { return (row + 1) * row_stride() + cell_stride(); }
};

/// y = W * x + b, stride 1, the border standing for what lies outside the board.
class Convolution {
 public:
  Convolution() = default;
  /// weight: [out, in, size, size], size 1 or 3; bias: [out].
  Convolution(std::span<const float> weight, std::span<const float> bias, Canvas in, Canvas out);

  const Canvas& in() const { return in_; }
  const Canvas& out() const { return out_; }

  /// `count` positions, each a canvas, one after the other; `y` apart from `x`. `skip`, if not
  /// null, lies like `y` and is added before the ReLU; it may be `y` itself.
  void apply(const float* x, std::size_t count, const float* skip, float* y, bool relu) const;

 private:
  Canvas in_, out_;
  std::size_t size_ = 0;
  AlignedFloats
      weight_;  // pairs of output vectors (and a last single one): [pair, tap, in, 2 * lanes]
  AlignedFloats bias_;  // [whole_lanes(out)]
};

/// [channels, cells] into the canvas, border and padding untouched.
void write_canvas(const float* planes, const Canvas& canvas, float* to);

}  // namespace faultline
