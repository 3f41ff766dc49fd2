// The network, described once: its blocks in order and the tensors of each, with shapes, names and
// initial values. Training, folding and every backend iterate over this description; nothing else
// knows how the network is built. Plain data, no LibTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/inference/activation_ranges.h"
#include "model/level_boards.h"
#include "model/net_config.h"

// To add a kind of trunk block (attention, for example): a spec here with its for_each_tensor, an
// entry in TrunkBlockSpec and in describe_network; its forward pass in training/network.cpp; its
// folded form in inference/folded_network; and one kernel per backend. Each of those visits the
// variant, so that the compiler lists what is missing.

namespace faultline {

/// The moves-left output is softplus(x) times this many plies.
inline constexpr float kMovesLeftScale = 20.0F;
inline constexpr double kBatchNormEpsilon = 1e-5;

enum class TensorRole : std::uint8_t {
  Weight,    // trained, with weight decay: matrices and kernels
  Plain,     // trained, without weight decay: biases, norms, embeddings
  Mean,      // a batch norm's running mean, which no gradient reaches
  Variance,  // its running variance; never negative
};

/// One tensor of a network.
struct TensorSpec {
  std::string name;  // "blocks.0.conv1"
  std::vector<std::int64_t> shape;
  TensorRole role = TensorRole::Plain;
  double init_std =
      0;  // initialised from a normal distribution with this deviation around init_mean
  double init_mean = 0;
  std::int64_t numel() const;
};

/// y = norm(kernel * x), stride 1, zeroes outside the board.
struct ConvolutionNormSpec {
  TensorSpec kernel;          // [out, in, size, size], size 1 or 3
  TensorSpec gain, bias;      // [out], of the norm
  TensorSpec mean, variance;  // [out], running
};

/// y = weight x + bias.
struct LinearSpec {
  TensorSpec weight;  // [out, in], or [out, in, 1, 1] where it is applied to each cell
  TensorSpec bias;    // [out]
};

/// Squeeze-and-excitation (Hu et al. 2018) with offsets: sigmoid(gate) * x + offset, where
/// (gate, offset) = excite(relu(squeeze(mean over cells of x))).
struct SqueezeExciteSpec {
  LinearSpec squeeze;  // [max(1, channels / ratio), channels]
  LinearSpec excite;   // [2 * channels, squeezed]: gates, then offsets
};

/// x = relu(norm(conv3x3(planes))). Where levels are boards of their own, they then learn of each
/// other: x = relu(x + exchange(means over the cells of the board above, of the one below, and of
/// all boards)), with zeroes where there is no such board.
struct StemSpec {
  ConvolutionNormSpec convolution;
  std::optional<LinearSpec> exchange;  // [channels, 3 * channels]
};

/// x = relu(x + se(second(relu(first(x))))) (He et al. 2016); without squeeze-and-excitation, se is
/// the identity.
struct ResidualBlockSpec {
  ConvolutionNormSpec first, second;
  std::optional<SqueezeExciteSpec> squeeze_excite;
};

using TrunkBlockSpec = std::variant<StemSpec, ResidualBlockSpec>;

/// A move's logit: (query[from] + kind_query[kind]) . key[to] / sqrt(dim) + kind_bias[kind]. A cell
/// has a query and a key of `dim` floats for each of the levels that share it.
struct PolicyHeadSpec {
  LinearSpec query, key;  // [levels * dim, channels, 1, 1]
  TensorSpec kind_query;  // [kinds, dim]
  TensorSpec kind_bias;   // [kinds]
  int dim = 0;
  int levels = 1;  // 1 where each is a board of its own
  int boards = 1;
  /// The row of a policy cell among a position's vectors, [boards, cells, levels]; see PolicyIndex.
  std::int32_t row(std::int32_t policy_cell, std::int32_t cells) const {
    return policy_cell % boards * cells + policy_cell / boards;
  }
};

/// relu(norm(conv1x1)), cells outermost and channels innermost, a hidden layer with ReLU, and from
/// it win, draw and loss logits and the moves left before softplus. The hidden layers of several
/// boards are added up.
struct ValueHeadSpec {
  ConvolutionNormSpec convolution;
  LinearSpec hidden;      // [value_hidden, cells * value_channels]
  LinearSpec wdl;         // [3, value_hidden]
  LinearSpec moves_left;  // [1, value_hidden]
};

struct NetworkDescription {
  EncodingInfo encoding;
  NetConfig config;
  /// What the trunk sees: one board with all planes, or one per level (NetConfig::share_levels).
  std::vector<BoardPlanes> boards;
  std::vector<TrunkBlockSpec> trunk;  // the stem, then the blocks
  PolicyHeadSpec policy;
  ValueHeadSpec value;

  /// Calls `visit` with every tensor, in the order of the blocks.
  void for_each_tensor(const std::function<void(const TensorSpec&)>& visit) const;
};

/// The encoding tells whether the network sees planes of attacks, whatever `config` says.
/// Throws std::invalid_argument naming the field of `encoding` or `config` that is out of range.
NetworkDescription describe_network(const EncodingInfo& encoding, const NetConfig& config);

/// The offset of each tensor in the two flat arrays of a network's values: parameters (those with
/// weight decay first), and statistics. Within a group the order is that of for_each_tensor.
/// Checkpoints hold these arrays.
struct NetworkLayout {
  std::vector<TensorSpec> parameters;
  std::vector<TensorSpec> statistics;
  std::int64_t decaying = 0;  // weight decay applies to this many leading parameters
  std::int64_t parameter_count() const;
  std::int64_t statistic_count() const;
};
NetworkLayout network_layout(const NetworkDescription& description);

/// A network with its values, as plain floats.
struct NetworkValues {
  NetworkDescription description;
  std::vector<float> parameters;  // [parameter_count]
  std::vector<float> statistics;  // [statistic_count]
  /// Measured on positions of the games the network was trained with, for inference in 8 bits.
  std::optional<ActivationRanges> ranges = {};
};

}  // namespace faultline
