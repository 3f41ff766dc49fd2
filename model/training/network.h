// The network as LibTorch tensors: its values, their initialisation, and the forward pass for
// training. Includes ATen; for the .cpp files of this folder and its tests only.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "model/encoding/encoding.h"
#include "model/net_config.h"
#include "model/network_description.h"

namespace faultline {

/// A network's values: two flat tensors, and views into them by name. Flat, so that one operation
/// updates, averages, clips or saves all of it.
class NetworkWeights {
 public:
  /// Zeroes on `device`, all of type float. Throws as describe_network does.
  NetworkWeights(const EncodingInfo& encoding, const NetConfig& config, at::Device device);

  /// Draws the initial values on the CPU, so that they do not depend on the device.
  void initialise(std::uint64_t seed);
  NetworkWeights clone_to(at::Device device) const;
  /// A copy as plain floats.
  NetworkValues values() const;
  /// Copies values of the same network over these.
  void set_values(const NetworkValues& values);
  /// Makes the parameters autograd leaves whose gradients accumulate in one flat tensor, which is
  /// returned.
  at::Tensor require_gradients();

  const at::Tensor& operator[](const std::string& name) const { return views_.at(name); }
  const at::Tensor& operator[](const TensorSpec& spec) const { return views_.at(spec.name); }
  const at::Tensor& parameters() const { return parameters_; }
  const at::Tensor& statistics() const { return statistics_; }
  const NetworkLayout& layout() const { return layout_; }
  const NetworkDescription& description() const { return description_; }
  const EncodingInfo& encoding() const { return description_.encoding; }
  const NetConfig& config() const { return description_.config; }

 private:
  NetworkDescription description_;
  NetworkLayout layout_;
  at::Tensor parameters_;  // [parameter_count]
  at::Tensor statistics_;  // [statistic_count]
  std::map<std::string, at::Tensor> views_;
};

/// The heads' outputs. Queries and keys have a row for each policy cell: row = position *
/// policy_cells + policy cell.
struct NetworkOutput {
  at::Tensor queries;     // [batch * policy_cells, policy_dim]
  at::Tensor keys;        // [batch * policy_cells, policy_dim]
  at::Tensor wdl_logits;  // [batch, 3]
  at::Tensor moves_left;  // [batch] in units of kMovesLeftScale plies, positive
};

/// planes: [batch, planes, height, width]. `training`: batch norms use the batch's statistics and
/// update the running ones with `momentum`.
NetworkOutput forward(const NetworkWeights& weights, const at::Tensor& planes, bool training,
                      double momentum = 0.1);

/// A batch's moves as index tensors on `device`.
struct MoveIndex {
  at::Tensor from;    // [moves] int64, rows of queries
  at::Tensor to;      // [moves] int64, rows of keys
  at::Tensor kind;    // [moves] int64
  at::Tensor padded;  // [moves] int64: offset of each move in a [batch, longest] table
  std::int64_t batch = 0;
  std::int64_t longest = 0;
};
MoveIndex move_index(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                     int policy_cells, at::Device device);

/// One logit per move, [moves]: (query[from] + kind_query[kind]) . key[to] / sqrt(d) +
/// kind_bias[kind]. Uses gathers and products; on a CPU a fused version (see policy_dots.h).
at::Tensor policy_logits(const NetworkWeights& weights, const NetworkOutput& out,
                         const MoveIndex& moves);
/// The same, always with gathers and products: the reference for testing the fused version.
at::Tensor policy_logits_by_gathers(const NetworkWeights& weights, const NetworkOutput& out,
                                    const MoveIndex& moves);

/// Log of the softmax over each position's moves as a [batch, longest] table; entries without a
/// move hold a large negative number.
at::Tensor policy_log_softmax(const at::Tensor& logits, const MoveIndex& moves);

}  // namespace faultline
