// Convolutions for small boards on a CPU. A library convolution has more overhead per call than a
// board takes to compute, and prefers large batches; these run as fast for one position as for a
// hundred, near the CPU's limit.
#pragma once

#include <cstddef>
#include <span>

#include "model/inference/aligned_floats.h"
#include "model/inference/lane_kernels.h"
#include "model/level_boards.h"

namespace faultline {

/// The memory layout of a position's activations: cells row by row inside a zero border one cell
/// wide, a cell's channels contiguous, padded with zeroes to whole cache lines.
struct Canvas {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  friend bool operator==(const Canvas&, const Canvas&) = default;

  std::size_t cell_stride() const { return rounded_up(channels, kLineFloats); }
  std::size_t row_stride() const { return (width + 2) * cell_stride(); }
  std::size_t floats() const { return (height + 2) * row_stride(); }
  /// The offset of the first cell of row `row`.
  std::size_t row_begin(std::size_t row) const { return (row + 1) * row_stride() + cell_stride(); }
  /// The cells inside the border, the first of which is at row_begin(0).
  CellGrid grid() const { return {height, width, channels, cell_stride(), row_stride()}; }
};

/// y = W * x + b, stride 1, with the border as zero padding.
class Convolution {
 public:
  Convolution() = default;
  /// weight: [out, in, size, size], size 1 or 3; bias: [out].
  Convolution(std::span<const float> weight, std::span<const float> bias, Canvas in, Canvas out,
              const LaneKernels& kernels = lane_kernels());

  const Canvas& in() const { return in_; }
  const Canvas& out() const { return out_; }

  /// `count` positions, each a canvas, contiguous; `y` must not overlap `x`. `skip`, if not null,
  /// has the layout of `y` and is added before the ReLU; it may be `y` itself.
  void apply(const float* x, std::size_t count, const float* skip, float* y, bool relu) const;

 private:
  const LaneKernels* kernels_ = nullptr;
  Canvas in_, out_;
  std::size_t size_ = 0;
  std::size_t output_vectors_ = 0;
  AlignedFloats
      weight_;  // pairs of output vectors (and a last single one): [pair, tap, in, 2 * lanes]
  AlignedFloats bias_;  // [output_vectors_ * lanes]
};

/// The chosen planes ([cells] each, one per channel) into the canvas, border and padding untouched.
void write_canvas(const float* planes, const BoardPlanes& chosen, const Canvas& canvas, float* to);

}  // namespace faultline
