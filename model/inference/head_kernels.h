// The network's small layers on a CPU as plain loops over floats: everything after the
// convolutions. They replace library calls with more overhead than arithmetic, or that would depend
// on whatever BLAS happens to be installed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/inference/aligned_floats.h"
#include "model/inference/convolution.h"
#include "model/inference/folded_network.h"
#include "model/inference/lane_kernels.h"

namespace faultline {

/// y = W x + b for many x at once, with the weights packed for vector registers. The order of
/// additions is independent of the count, so that a result does not depend on the rest of the
/// batch. Eigen's products of mapped arrays take 2.6, 1.5 and 1.3 times as long at 8, 32 and 64
/// positions (512 to 64 floats, AVX-512; 0.6 times for a single one) and do not keep that order.
class DenseLayer {
 public:
  DenseLayer() = default;
  /// weight: [outputs, inputs], row-major; bias: [outputs].
  DenseLayer(std::span<const float> weight, std::span<const float> bias,
             const LaneKernels& kernels = lane_kernels());

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  /// x: [count, inputs], y: [count, outputs], row-major, not overlapping.
  void apply(const float* x, std::size_t count, float* y, bool relu) const;

 private:
  const LaneKernels* kernels_ = nullptr;
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  AlignedFloats weight_;  // [vectors of outputs, inputs, lanes], padded with zeroes
  AlignedFloats bias_;    // [vectors of outputs, lanes]
};

DenseLayer make_dense(const FoldedLinear& layer);

/// Squeeze-and-excitation with its residual and ReLU, x and skip being canvases of `count`
/// positions: x[cell, c] = max(gate[c] * x[cell, c] + offset[c] + skip[cell, c], 0) with
/// (gate before its sigmoid, offset) = excite(relu(squeeze(mean over cells of x))).
struct SqueezeExcite {
  DenseLayer squeeze;
  DenseLayer excite;
  const LaneKernels* kernels = &lane_kernels();
  void apply(const Canvas& canvas, std::size_t count, const float* skip, float* x) const;
};

/// What a stem's boards learn of each other (StemSpec), in place: `boards` points to the canvases
/// of one position's boards, x[cell, c] = max(x[cell, c] + exchange(means)[c], 0).
struct BoardExchange {
  DenseLayer exchange;
  const LaneKernels* kernels = &lane_kernels();
  void apply(const Canvas& canvas, std::span<float* const> boards) const;
  /// What is added to each board's cells, [boards, channels], from the means over its cells.
  void offsets(std::span<const float> means, std::size_t channels, std::vector<float>& out) const;
};

/// The places of a position's cells in memory, in floats.
struct CellPlaces {
  std::size_t board_stride;
  std::size_t width;
  std::size_t row_stride;
  std::size_t cell_stride;
};

/// The policy of one position, for which `heads` holds for each cell of each board its queries, one
/// per level that shares the cell, followed by its keys. Writes one logit per move.
struct PolicyHead {
  std::size_t dim = 0;
  std::size_t levels = 1;  // that share a cell
  std::size_t boards = 1;
  std::vector<float> kind_queries;  // [kinds, dim]
  std::vector<float> kind_biases;   // [kinds]
  const LaneKernels* kernels = &lane_kernels();
  void logits(const CellPlaces& places, const float* heads, std::span<const PolicyIndex> moves,
              float* out) const;
};

/// Computes the softmax in place, numerically stable; `values` must not be empty.
void softmax(std::span<float> values);
/// log(1 + exp(x)).
float softplus(float x);

}  // namespace faultline
