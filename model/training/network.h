// The network as plain tensors: which it has, how they start, and the forward pass for training.
// Includes ATen; for the .cpp files of this folder and its tests only.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "model/encoding/encoding.h"
#include "model/inference/backend.h"
#include "model/net_config.h"

namespace faultline {

/// The moves-left output is softplus(x) times this many plies.
inline constexpr float kMovesLeftScale = 20.0F;
inline constexpr double kBatchNormEpsilon = 1e-5;

/// One tensor of a network.
struct TensorSpec {
  std::string name;  // "blocks.0.conv1"
  std::vector<std::int64_t> shape;
  double init_std = 0;  // normal with this deviation around init_mean
  double init_mean = 0;
  bool decays = false;  // takes part in weight decay: matrices and kernels, not biases and norms
  std::int64_t numel() const;
};

/// The tensors in a fixed order: parameters (decaying ones first), and the batch norms' running
/// means and variances, which no gradient reaches.
struct NetworkLayout {
  std::vector<TensorSpec> parameters;
  std::vector<TensorSpec> statistics;
  std::int64_t decaying = 0;  // the first so many elements of the parameters decay
  std::int64_t parameter_count() const;
  std::int64_t statistic_count() const;
};
NetworkLayout network_layout(const EncodingInfo& encoding, const NetConfig& config);

/// A network's values: two flat tensors, and views into them by name. Flat, because one operation
/// then updates, averages, clips or saves all of it.
class NetworkWeights {
 public:
  /// Zeroes on `device`, all of type float.
  NetworkWeights(EncodingInfo encoding, NetConfig config, at::Device device);

  /// Draws the starting values on the CPU, so that they do not depend on the device.
  void initialise(std::uint64_t seed);
  NetworkWeights clone_to(at::Device device) const;
  /// Turns the parameters into leaves whose gradients gather in one flat tensor, which is returned.
  at::Tensor require_gradients();

  const at::Tensor& operator[](const std::string& name) const { return views_.at(name); }
  const at::Tensor& parameters() const { return parameters_; }
  const at::Tensor& statistics() const { return statistics_; }
  const NetworkLayout& layout() const { return layout_; }
  const EncodingInfo& encoding() const { return encoding_; }
  const NetConfig& config() const { return config_; }

 private:
  EncodingInfo encoding_;
  NetConfig config_;
  NetworkLayout layout_;
  at::Tensor parameters_;  // [parameter_count]
  at::Tensor statistics_;  // [statistic_count]
  std::map<std::string, at::Tensor> views_;
};

/// What the tower's end says. Rows of queries and keys are places: row = position * places + place.
struct NetworkOutput {
  at::Tensor queries;     // [batch * places, policy_dim]
  at::Tensor keys;        // [batch * places, policy_dim]
  at::Tensor wdl_logits;  // [batch, 3]
  at::Tensor moves_left;  // [batch] in units of kMovesLeftScale plies, positive
};

/// planes: [batch, planes, height, width]. `training`: batch norms use the batch's statistics and
/// move the running ones by `momentum` towards them.
NetworkOutput forward(const NetworkWeights& weights, const at::Tensor& planes, bool training,
                      double momentum = 0.1);

/// A batch's moves as index tensors on `device`.
struct MoveIndex {
  at::Tensor from;    // [moves] int64, rows of queries
  at::Tensor to;      // [moves] int64, rows of keys
  at::Tensor kind;    // [moves] int64
  at::Tensor padded;  // [moves] int64: place of each move in a [batch, longest] table
  std::int64_t batch = 0;
  std::int64_t longest = 0;
};
MoveIndex move_index(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                     int places, at::Device device);

/// One logit a move, [moves]: (query[from] + kind_query[kind]) . key[to] / sqrt(d) +
/// kind_bias[kind]. Built of gathers and products; on a CPU a fused version of the same (see
/// policy_dots.h).
at::Tensor policy_logits(const NetworkWeights& weights, const NetworkOutput& out,
                         const MoveIndex& moves);
/// The same, always of gathers and products: what the fused version is tested against.
at::Tensor policy_logits_by_gathers(const NetworkWeights& weights, const NetworkOutput& out,
                                    const MoveIndex& moves);

/// Log of the softmax over each position's moves as a [batch, longest] table; places without a move
/// hold a very low number.
at::Tensor policy_log_softmax(const at::Tensor& logits, const MoveIndex& moves);

}  // namespace faultline
