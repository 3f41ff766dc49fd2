// Folded networks' layers as LibTorch operations. Only for libtorch_backend.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <ATen/ATen.h>

#include "model/inference/folded_network.h"
#include "model/inference/gpu_kernels.h"

namespace faultline {

/// Which convolutions cuDNN computes together with bias, residual and ReLU, by the shape of their
/// weights. Safe for several threads.
class FusedConvolutions {
 public:
  /// Tries it on the first use. On boards of `height` by `width` cells.
  static bool has(const at::Tensor& weight, const at::Tensor& bias, std::int64_t height,
                  std::int64_t width);

  static at::Tensor relu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    const std::int64_t pad = weight.size(2) / 2;
    return at::cudnn_convolution_relu(x, weight, bias, {1, 1}, {pad, pad}, {1, 1}, 1);
  }
  /// ReLU(convolution of x + y).
  static at::Tensor add_relu(const at::Tensor& x, const at::Tensor& y, const at::Tensor& weight,
                             const at::Tensor& bias) {
    const std::int64_t pad = weight.size(2) / 2;
    return at::cudnn_convolution_add_relu(x, weight, y, 1, bias, {1, 1}, {pad, pad}, {1, 1}, 1);
  }
};

/// Folded weights as tensors on the device. Convolutions have the backend's precision and are
/// channels-last; everything else is float.
struct Placement {
  at::Device device;
  at::ScalarType type;
  /// Whether cuDNN should compute bias, residual and ReLU together with convolutions.
  bool fuse = false;
  /// Whether what lies between convolutions is computed by gpu_kernels.h.
  bool kernels = false;
  std::int64_t height, width;  // of boards

  at::Tensor plain(const FloatTensor& folded) const {
    // from_blob does not own its memory; the copy makes the tensor independent on a CPU too.
    return at::from_blob(const_cast<float*>(folded.values.data()), folded.shape, at::kFloat)
        .to(device, /*non_blocking=*/false, /*copy=*/true);
  }
};

/// A convolution of stride 1, padded with as many cells before as after.
struct Convolution {
  /// For an input with `more` channels, which count nothing.
  Convolution(const FoldedConvolution& folded, const Placement& placement, std::int64_t more = 0)
      : weight(at::constant_pad_nd(placement.plain(folded.weight), {0, 0, 0, 0, 0, more})
                   .to(placement.type)
                   .contiguous(at::MemoryFormat::ChannelsLast)),
        bias(placement.plain(folded.bias).to(placement.type)),
        fused(placement.fuse && weight.size(2) > 1 &&
              FusedConvolutions::has(weight, bias, placement.height, placement.width)) {}

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, weight.size(2) / 2);
  }
  at::Tensor without_bias(const at::Tensor& x) const {
    return at::conv2d(x, weight, {}, 1, weight.size(2) / 2);
  }
  /// Of size 1: [cells, channels].
  at::Tensor by_cells(const at::Tensor& x) const {
    return at::linear(x.permute({0, 2, 3, 1}).reshape({-1, x.size(1)}), weight.flatten(1), bias);
  }
  at::Tensor relu(const at::Tensor& x) const {
    return fused ? FusedConvolutions::relu(x, weight, bias) : (*this)(x).relu_();
  }
  /// ReLU(convolution of x + y).
  at::Tensor add_relu(const at::Tensor& x, const at::Tensor& y) const {
    return fused ? FusedConvolutions::add_relu(x, y, weight, bias) : (*this)(x).add_(y).relu_();
  }

  at::Tensor weight, bias;
  bool fused;
};

struct Linear {
  Linear(const FoldedLinear& folded, const Placement& placement)
      : weight(placement.plain(folded.weight)), bias(placement.plain(folded.bias)) {}
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
  at::Tensor weight, bias;
};

struct SqueezeExcite {
  SqueezeExcite(const FoldedSqueezeExcite& folded, const Placement& placement)
      : weights{placement.plain(folded.squeeze.weight).t().contiguous(),
                placement.plain(folded.squeeze.bias),
                placement.plain(folded.excite.weight).t().contiguous(),
                placement.plain(folded.excite.bias)},
        fused(placement.kernels && weights.fit(placement.height * placement.width)) {}
  /// ReLU(x + y * gates + offsets), where y = convolution of `hidden`, and gates and offsets follow
  /// from it.
  at::Tensor operator()(const at::Tensor& x, const Convolution& convolution,
                        const at::Tensor& hidden) const {
    if (!fused) return gpu::squeeze_excite_by_operations(x, convolution(hidden), weights);
    return gpu::squeeze_excite(x, convolution.without_bias(hidden), convolution.bias, weights);
  }
  gpu::SqueezeExciteWeights weights;
  bool fused;
};

// The trunk's blocks, one for each of FoldedTrunkBlock.

/// Which boards of a batch exist, for networks whose positions have several. Only these are
/// computed; they lie one after another ("compact" below), padded with further ones. Undefined
/// tensors: every position is one board.
struct ExistingBoards {
  at::Tensor rows;    // [compact] int64, of [count * boards]; count * boards: padding
  at::Tensor counts;  // [count, 1] float, per position
  std::int64_t boards = 1;

  bool defined() const { return rows.defined(); }
  std::int64_t total() const { return counts.size(0) * boards; }
  /// [compact, n] as [count, boards, n], zero where there is no board.
  at::Tensor spread(const at::Tensor& compact) const {
    const auto n = compact.size(1);
    return at::zeros({total() + 1, n}, compact.options())
        .index_copy_(0, rows, compact)
        .narrow(0, 0, total())
        .view({-1, boards, n});
  }
  /// The inverse.
  at::Tensor gather(const at::Tensor& spread) const {
    return spread.flatten(0, 1).index_select(0, rows.clamp_max(total() - 1));
  }
};

struct Stem {
  at::Tensor operator()(const at::Tensor& planes, const ExistingBoards& existing) const {
    const auto x = convolution.relu(planes);
    if (!exchange) return x;
    const auto means = existing.spread(x.mean({2, 3}, false, at::kFloat));
    // A board of zeroes before the first and after the last: those above begin at 0, below at 2.
    const auto padded = at::constant_pad_nd(means, {0, 0, 1, 1});
    const auto all = (means.sum(1) / existing.counts).unsqueeze(1);
    const auto seen = at::cat({padded.narrow(1, 0, existing.boards),
                               padded.narrow(1, 2, existing.boards), all.expand_as(means)},
                              2);
    const auto added = (*exchange)(existing.gather(seen)).to(x.scalar_type());
    return x.add(added.view({-1, x.size(1), 1, 1})).relu_();
  }
  Convolution convolution;
  std::optional<Linear> exchange;
};

struct ResidualBlock {
  at::Tensor operator()(const at::Tensor& x, const ExistingBoards&) const {
    const auto hidden = first.relu(x);
    if (!squeeze_excite) return second.add_relu(hidden, x);
    return (*squeeze_excite)(x, second, hidden);
  }
  Convolution first, second;
  std::optional<SqueezeExcite> squeeze_excite;
};

using TrunkBlock = std::variant<Stem, ResidualBlock>;

struct TrunkBlockMaker {
  const Placement& placement;
  TrunkBlock operator()(const FoldedStem& stem) const {
    const std::int64_t in = stem.convolution.weight.shape[1];
    Stem made{Convolution(stem.convolution, placement,
                          placement.kernels ? gpu::padded_channels(in) - in : 0),
              std::nullopt};
    if (stem.exchange) made.exchange = Linear(*stem.exchange, placement);
    return made;
  }
  TrunkBlock operator()(const FoldedResidualBlock& folded) const {
    ResidualBlock block{Convolution(folded.first, placement), Convolution(folded.second, placement),
                        std::nullopt};
    if (folded.squeeze_excite)
      block.squeeze_excite = SqueezeExcite(*folded.squeeze_excite, placement);
    return block;
  }
};

}  // namespace faultline
