// A network ready for inference: batch norms folded into the convolutions before them, the heads'
// 1x1 convolutions joined into one. Includes ATen; for this folder's .cpp files only.
#pragma once

#include <optional>
#include <vector>

#include <ATen/ATen.h>

#include "model/training/network.h"

namespace faultline {

struct FoldedConv {
  at::Tensor weight;  // [out, in, size, size], channels-last
  at::Tensor bias;    // [out]
};

struct FoldedLinear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out]
};

struct FoldedSqueezeExcite {
  FoldedLinear squeeze;  // [channels / ratio, channels]
  FoldedLinear excite;   // [2 * channels, channels / ratio]: gates before the sigmoid, then offsets
};

struct FoldedBlock {
  FoldedConv first, second;
  std::optional<FoldedSqueezeExcite> squeeze_excite;
};

struct FoldedNetwork {
  EncodingInfo encoding;
  NetConfig config;
  FoldedConv stem;
  std::vector<FoldedBlock> blocks;
  /// 1x1, to [a level's queries / sqrt(d) after the other's, keys, value planes before their ReLU].
  FoldedConv heads;
  at::Tensor kind_queries;    // [kinds, d], / sqrt(d)
  at::Tensor kind_biases;     // [kinds]
  FoldedLinear value_hidden;  // [value_hidden, cells * value_channels], ReLU follows
  FoldedLinear value_out;  // [4, value_hidden]: win, draw, loss logits; moves left before softplus

  int query_channels() const { return encoding.levels * config.policy_dim; }
  int head_channels() const { return 2 * query_channels() + config.value_channels; }
};

/// Copies: later changes of `weights` do not show. Convolutions become `type`; what follows them
/// (kinds, value) stays float.
FoldedNetwork fold(const NetworkWeights& weights, at::Device device, at::ScalarType type);

}  // namespace faultline
