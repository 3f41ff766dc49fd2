// Folded networks' layers as LibTorch operations. Only for libtorch_backend.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <ATen/ATen.h>

#include "model/inference/folded_network.h"

namespace faultline {

/// Folded weights as tensors on the device. Convolutions have the backend's precision and are
/// channels-last; everything else is float.
struct Placement {
  at::Device device;
  at::ScalarType type;
  /// Whether cuDNN should compute bias, residual and ReLU together with convolutions.
  bool fuse = false;

  at::Tensor plain(const FloatTensor& folded) const {
    // from_blob does not own its memory; the copy makes the tensor independent on a CPU too.
    return at::from_blob(const_cast<float*>(folded.values.data()), folded.shape, at::kFloat)
        .to(device, /*non_blocking=*/false, /*copy=*/true);
  }
};

/// Of stride 1, with as many cells before as after.
struct Convolution {
  Convolution(const FoldedConvolution& folded, const Placement& placement)
      : weight(placement.plain(folded.weight)
                   .to(placement.type)
                   .contiguous(at::MemoryFormat::ChannelsLast)),
        bias(placement.plain(folded.bias).to(placement.type)),
        fused(placement.fuse && fuses()) {}

  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, weight.size(2) / 2);
  }
  at::Tensor relu(const at::Tensor& x) const { return fused ? fused_relu(x) : (*this)(x).relu_(); }
  /// ReLU(convolution of x + y).
  at::Tensor add_relu(const at::Tensor& x, const at::Tensor& y) const {
    return fused ? fused_add_relu(x, y) : (*this)(x).add_(y).relu_();
  }

  at::Tensor weight, bias;
  bool fused;

 private:
  at::Tensor fused_relu(const at::Tensor& x) const {
    const std::int64_t pad = weight.size(2) / 2;
    return at::cudnn_convolution_relu(x, weight, bias, {1, 1}, {pad, pad}, {1, 1}, 1);
  }
  at::Tensor fused_add_relu(const at::Tensor& x, const at::Tensor& y) const {
    const std::int64_t pad = weight.size(2) / 2;
    return at::cudnn_convolution_add_relu(x, weight, y, 1, bias, {1, 1}, {pad, pad}, {1, 1}, 1);
  }
  /// Whether the fused operations are there for such a convolution and mean the same.
  bool fuses() const {
    try {
      const auto values = [&](std::int64_t channels) {
        return at::linspace(-1, 1, 2 * channels * 64, weight.options().dtype(at::kFloat))
            .view({2, channels, 8, 8})
            .to(weight.scalar_type())
            .contiguous(at::MemoryFormat::ChannelsLast);
      };
      const auto x = values(weight.size(1)), y = values(weight.size(0));
      const auto convolved = (*this)(x).to(at::kFloat);
      const auto same = [&](const at::Tensor& a, const at::Tensor& b) {
        const double tolerance = 0.03 * (1 + convolved.abs().max().item<double>());
        return (a - b.to(at::kFloat)).abs().max().item<double>() <= tolerance;
      };
      return same(convolved.relu(), fused_relu(x)) &&
             same((convolved + y.to(at::kFloat)).relu(), fused_add_relu(x, y));
    } catch (const c10::Error&) {
      return false;
    }
  }
};

struct Linear {
  Linear(const FoldedLinear& folded, const Placement& placement)
      : weight(placement.plain(folded.weight)), bias(placement.plain(folded.bias)) {}
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
  at::Tensor weight, bias;
};

struct SqueezeExcite {
  /// ReLU(x + y * gates + offsets), where gates and offsets follow from y.
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& y) const {
    const auto squeezed = squeeze(y.mean({2, 3}, false, at::kFloat)).relu_();
    const auto parts = excite(squeezed)
                           .to(y.scalar_type())
                           .view({y.size(0), 2 * y.size(1), 1, 1})
                           .split(y.size(1), 1);
    return at::addcmul(x, y, parts[0].sigmoid()).add_(parts[1]).relu_();
  }
  Linear squeeze, excite;
};

// The trunk's blocks, one for each of FoldedTrunkBlock.

/// Which boards of a batch exist, for networks whose positions have several. Only these are
/// computed; they lie one after another ("compact" below), with further ones behind them that fill
/// the batch up. Undefined tensors: every position is one board.
struct ExistingBoards {
  at::Tensor rows;    // [compact] int64, of [count * boards]; count * boards: fills up
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
    return (*squeeze_excite)(x, second(hidden));
  }
  Convolution first, second;
  std::optional<SqueezeExcite> squeeze_excite;
};

using TrunkBlock = std::variant<Stem, ResidualBlock>;

struct TrunkBlockMaker {
  const Placement& placement;
  TrunkBlock operator()(const FoldedStem& stem) const {
    Stem made{Convolution(stem.convolution, placement), std::nullopt};
    if (stem.exchange) made.exchange = Linear(*stem.exchange, placement);
    return made;
  }
  TrunkBlock operator()(const FoldedResidualBlock& folded) const {
    ResidualBlock block{Convolution(folded.first, placement), Convolution(folded.second, placement),
                        std::nullopt};
    if (folded.squeeze_excite)
      block.squeeze_excite = SqueezeExcite{Linear(folded.squeeze_excite->squeeze, placement),
                                           Linear(folded.squeeze_excite->excite, placement)};
    return block;
  }
};

}  // namespace faultline
