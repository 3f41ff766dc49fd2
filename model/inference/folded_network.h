// A network ready for inference, as plain floats: batch norms folded into the preceding
// convolutions, the heads' 1x1 convolutions merged into one. Every backend is built from this.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/inference/activation_ranges.h"
#include "model/network_description.h"

namespace faultline {

/// Row-major values with their shape.
struct FloatTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

struct FoldedConvolution {
  FloatTensor weight;  // [out, in, size, size]
  FloatTensor bias;    // [out]
};

struct FoldedLinear {
  FloatTensor weight;  // [out, in]
  FloatTensor bias;    // [out]
};

struct FoldedSqueezeExcite {
  FoldedLinear squeeze;  // [squeezed, channels]
  FoldedLinear excite;   // [2 * channels, squeezed]: gates before the sigmoid, then offsets
};

/// The trunk's blocks, one kind for each of TrunkBlockSpec.
struct FoldedStem {
  FoldedConvolution convolution;         // a ReLU follows
  std::optional<FoldedLinear> exchange;  // see StemSpec
};
struct FoldedResidualBlock {
  FoldedConvolution first, second;
  std::optional<FoldedSqueezeExcite> squeeze_excite;
};
using FoldedTrunkBlock = std::variant<FoldedStem, FoldedResidualBlock>;

struct FoldedNetwork {
  EncodingInfo encoding;
  NetConfig config;
  std::vector<BoardPlanes> boards;  // what the trunk sees
  std::vector<FoldedTrunkBlock> trunk;
  /// 1x1, to [queries / sqrt(dim) level by level, keys level by level, value channels before their
  /// ReLU].
  FoldedConvolution heads;
  FloatTensor kind_queries;   // [kinds, dim], / sqrt(dim)
  FloatTensor kind_biases;    // [kinds]
  FoldedLinear value_hidden;  // [value_hidden, cells * value_channels], ReLU follows
  FoldedLinear value_out;  // [4, value_hidden]: win, draw, loss logits; moves left before softplus

  std::optional<ActivationRanges> ranges = {};  // for int8

  int board_count() const { return static_cast<int>(boards.size()); }
  int board_planes() const { return static_cast<int>(boards.front().size()); }
  /// Levels that share a cell's channels: 1 where each is a board of its own.
  int cell_levels() const { return encoding.levels / board_count(); }
  /// See PolicyHeadSpec::row.
  std::int32_t policy_row(std::int32_t policy_cell) const {
    return policy_cell % board_count() * encoding.cells() + policy_cell / board_count();
  }
  int query_channels() const { return cell_levels() * config.policy_dim; }
  int head_channels() const { return 2 * query_channels() + config.value_channels; }
};

/// Folds in double precision, then rounds. Throws std::invalid_argument if the values do not match
/// their description.
FoldedNetwork fold(const NetworkValues& network);

}  // namespace faultline
