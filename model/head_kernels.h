// The network's small parts on a CPU as plain loops over floats: what follows the convolutions.
// They replace library calls that would cost more in overhead than in arithmetic, or that would go
// through whatever BLAS happens to be installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/encoding.h"

namespace faultline {

/// y = W x + b for many x at once, with the weights packed for vector registers.
class DenseLayer {
 public:
  DenseLayer() = default;
  /// weight: [outputs, inputs], row-major; bias: [outputs].
  DenseLayer(std::span<const float> weight, std::span<const float> bias);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  /// x: [count, inputs], y: [count, outputs], row-major and apart.
  void apply(const float* x, std::size_t count, float* y, bool relu) const;

 private:
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  std::vector<float> weight_;  // [outputs / 16, inputs, 16], padded with zeroes
  std::vector<float> bias_;    // [outputs], padded to a multiple of 16
};

/// values = max(values, 0).
void relu(std::span<float> values);
/// values = max(values + others, 0).
void add_relu(std::span<float> values, const float* others);

/// Squeeze-and-excitation with its residual and ReLU on one position, channels innermost:
/// x[cell, c] = max(gate[c] * x[cell, c] + offset[c] + skip[cell, c], 0) with
/// (gate before its sigmoid, offset) = excite(relu(squeeze(mean over cells of x))).
struct SqueezeExcite {
  DenseLayer squeeze;
  DenseLayer excite;
  void apply(float* x, const float* skip, std::size_t count, std::size_t cells,
             std::size_t channels) const;
};

/// [planes, cells] to [cells, planes] for each of `count` positions.
void planes_to_channels_last(const float* in, std::size_t count, std::size_t planes,
                             std::size_t cells, float* out);

/// The policy of one position. Row r of `rows` (`stride` floats apart) begins with cell r's query,
/// its key follows. Writes one logit a move.
struct PolicyHead {
  std::size_t dim = 0;
  std::vector<float> kind_queries;  // [kinds, dim]
  std::vector<float> kind_biases;   // [kinds]
  void logits(const float* rows, std::size_t stride, std::span<const PolicyIndex> moves,
              float* out) const;
};

/// In place, numerically safe; `values` must not be empty.
void softmax(std::span<float> values);
/// log(1 + exp(x)).
float softplus(float x);

}  // namespace faultline
