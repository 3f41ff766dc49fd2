// The innermost loops of CPU inference, which a build may contain for several instruction sets: the
// interface between those copies and the code around them.
#pragma once

#include <cstddef>
#include <span>

namespace faultline {

/// A convolution of `count` positions; see Convolution::apply. Strides and offsets are in floats.
struct ConvolutionTask {
  std::size_t count, height, width;
  std::size_t size;            // 1 or 3
  std::size_t inputs;          // channels
  std::size_t output_vectors;  // vectors of `lanes` channels that hold the output channels
  const float* x;              // the first position's first cell inside the border
  std::size_t x_cell, x_row, x_position;
  const float* weight;  // pairs of output vectors, as Convolution packs them
  const float* bias;    // [output_vectors * lanes]
  const float* skip;    // as y, or null
  float* y;
  std::size_t y_cell, y_row, y_position;
  bool relu;
};

/// y = W x + b; see DenseLayer::apply.
struct DenseTask {
  std::size_t count, inputs, outputs;
  const float* x;       // [count, inputs]
  const float* weight;  // [vectors of outputs, inputs, lanes]
  const float* bias;    // [vectors of outputs, lanes]
  float* y;             // [count, outputs]
  bool relu;
};

/// One position's activations inside the border.
struct CellGrid {
  std::size_t height, width, channels;
  std::size_t cell_stride, row_stride;  // in floats
};

/// The loops, compiled for one instruction set. Wherever there are fused multiply-adds, all copies
/// give the same floats: they differ in how many sums they work on at once, not in any sum's order.
struct LaneKernels {
  const char* name;   // "avx512", "avx2", or "native": whatever the compiler was told to use
  std::size_t lanes;  // floats in a vector: 4, 8 or 16
  void (*convolve)(const ConvolutionTask&);
  void (*dense)(const DenseTask&);
  /// mean[c] += share * x[cell, c], summed over the cells; x is the first cell inside the border.
  void (*add_cells)(const CellGrid&, const float* x, float share, float* mean);
  /// x[cell, c] = max(gate[c] * x[cell, c] + offset[c] + skip[cell, c], 0).
  void (*gate_cells)(const CellGrid&, const float* gate, const float* offset, const float* skip,
                     float* x);
  /// The sum of (query[i] + kind[i]) * key[i].
  float (*policy_dot)(const float* query, const float* kind, const float* key, std::size_t dim);
};

/// All that this build contains and this processor can run, the fastest first; never empty.
std::span<const LaneKernels* const> usable_lane_kernels();
/// The fastest of them.
const LaneKernels& lane_kernels();

}  // namespace faultline
