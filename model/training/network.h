// The network as LibTorch tensors: its values, their initialisation, and the forward pass for
// training. Includes ATen; for the .cpp files of this folder and its tests only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "model/encoding/encoding.h"
#include "model/net_config.h"
#include "model/network_description.h"
#include "model/training/flat_tensors.h"

namespace faultline {

/// A network's values: two flat tensors, and views into them by name. Flat, so that one operation
/// updates, clips or saves all of it.
class NetworkWeights {
 public:
  /// Zeroes on `device`, all of type float. Throws as describe_network does.
  NetworkWeights(const EncodingInfo& encoding, const NetConfig& config, at::Device device);

  /// Draws the initial values on the CPU, so that they do not depend on the device.
  void initialise(std::uint64_t seed);
  /// A copy as plain floats.
  NetworkValues values() const;
  /// Copies values of the same network over these.
  void set_values(const NetworkValues& values);
  /// Makes the parameters autograd leaves whose gradients accumulate in one flat tensor, which is
  /// returned; a stacked tensor shares its part of it with the tensors that it consists of.
  at::Tensor require_gradients();
  /// Begins a training pass in `type`: rounds all parameters to it with one operation. The layers
  /// then read the rounded ones (ForwardMode), whose gradients gather_gradients() adds to the flat
  /// tensor of require_gradients() with another one, once the pass is over.
  void begin_pass(at::ScalarType type);
  void gather_gradients(const at::Tensor& gradient);

  const at::Tensor& operator[](const std::string& name) const { return views_.at(name); }
  const at::Tensor& operator[](const TensorSpec& spec) const { return views_.at(spec.name); }
  /// In `type`: what begin_pass() has rounded, if `training`.
  at::Tensor in(at::ScalarType type, const std::string& name, bool training) const;
  at::Tensor in(at::ScalarType type, const TensorSpec& spec, bool training) const {
    return in(type, spec.name, training);
  }
  /// Tensors that are adjacent in the flat array, stacked along their first dimension, so that one
  /// product computes them all: the policy's queries and keys, the value head's outputs.
  at::Tensor policy_weight(at::ScalarType type, bool training) const {
    return in(type, kPolicyWeight, training);
  }
  at::Tensor policy_bias(at::ScalarType type, bool training) const {
    return in(type, kPolicyBias, training);
  }
  const at::Tensor& value_weight() const { return views_.at(kValueWeight); }
  const at::Tensor& value_bias() const { return views_.at(kValueBias); }
  /// Flat, with gaps (FlatTensors).
  const at::Tensor& parameters() const { return parameters_; }
  const at::Tensor& statistics() const { return statistics_; }
  /// Weight decay applies to so many leading floats of parameters().
  std::int64_t decaying() const { return decaying_; }
  const FlatTensors& parameter_places() const { return parameter_places_; }
  /// chosen_planes() of the network's boards, on its device.
  const at::Tensor& board_planes() const { return board_planes_; }
  const NetworkLayout& layout() const { return layout_; }
  const NetworkDescription& description() const { return description_; }
  const EncodingInfo& encoding() const { return description_.encoding; }
  const NetConfig& config() const { return description_.config; }

 private:
  static constexpr const char* kPolicyWeight = "policy.query+key.weight";
  static constexpr const char* kPolicyBias = "policy.query+key.bias";
  static constexpr const char* kValueWeight = "value.wdl+moves_left.weight";
  static constexpr const char* kValueBias = "value.wdl+moves_left.bias";

  void stack(const char* name, const TensorSpec& first, const TensorSpec& second);

  NetworkDescription description_;
  NetworkLayout layout_;
  FlatTensors parameter_places_, statistic_places_;
  at::Tensor parameters_, statistics_;
  std::int64_t decaying_ = 0;
  at::Tensor board_planes_;
  std::map<std::string, at::Tensor> views_;
  /// The parameters in another type than float, for training passes.
  struct Rounded {
    at::Tensor parameters, gradient;
    std::map<std::string, at::Tensor> views;  // leaves, whose gradients are parts of `gradient`
  };
  std::optional<Rounded> rounded_;
};

/// The heads' outputs, floats in every precision.
struct NetworkOutput {
  /// [batch * boards * cells, 2 * levels * dim]: a cell's queries by level, then its keys by level;
  /// levels that are boards of their own do not share cells (PolicyHeadSpec). Zeroes for boards
  /// that do not exist.
  at::Tensor policy_vectors;
  at::Tensor wdl_logits;  // [batch, 3]
  at::Tensor moves_left;  // [batch] in units of kMovesLeftScale plies, positive
};

/// How a forward pass computes.
struct ForwardMode {
  /// Batch norms use the batch's statistics and update the running ones (by a tenth).
  bool training = false;
  /// The type of the trunk and of the heads' products over all cells. Norms keep floats for their
  /// statistics, and what follows the value head's cells is always computed in floats.
  at::ScalarType type = at::kFloat;
};

/// The boards of a batch that exist (NetworkDescription::boards), and their activations.
struct TrunkOutput {
  at::Tensor x;  // [boards, channels, height, width] of ForwardMode::type, channels last
  /// [boards] int64: position * (boards per position) + board. Undefined where a position is one
  /// board.
  at::Tensor existing;
  std::int64_t positions = 0;
};
/// planes: [batch, planes, height, width]. `existing`: TrunkOutput's, where it is known; else it is
/// found in the planes, for which the host waits if these are on another device.
TrunkOutput forward_trunk(const NetworkWeights& weights, const at::Tensor& planes, ForwardMode mode,
                          const at::Tensor& existing = {});
/// The heads' outputs for the trunk's.
NetworkOutput forward_heads(const NetworkWeights& weights, const TrunkOutput& trunk,
                            ForwardMode mode);
/// Both.
NetworkOutput forward(const NetworkWeights& weights, const at::Tensor& planes, ForwardMode mode,
                      const at::Tensor& existing = {});

/// A batch's moves as index tensors on `device`.
struct MoveIndex {
  at::Tensor from;    // [moves] int64: position * policy_cells + row of the cell it starts from
  at::Tensor to;      // [moves] int64: the same of the cell it goes to
  at::Tensor kind;    // [moves] int64
  at::Tensor padded;  // [moves] int64: offset of each move in a [batch, longest] table, whose end
                      // is the place of moves that do not count
  std::int64_t batch = 0;
  std::int64_t longest = 0;
};
MoveIndex move_index(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                     const NetworkDescription& network, at::Device device);
/// Writes a MoveIndex's tensors one after another, each of `table.size()` / 4 values: those of the
/// moves, then of padding, whose place in the table is its end.
void write_move_table(std::span<const PolicyIndex> moves, std::span<const std::uint32_t> first_move,
                      const NetworkDescription& network, std::int64_t longest,
                      std::span<std::int64_t> table);

/// One logit per move, [moves]: (query[from] + kind_query[kind]) . key[to] / sqrt(d) +
/// kind_bias[kind]. policy_loss.h has a fused version for training on a CPU.
at::Tensor policy_logits(const NetworkWeights& weights, const at::Tensor& policy_vectors,
                         const MoveIndex& moves);

/// Log of the softmax over each position's moves as a [batch, longest] table; entries without a
/// move hold a large negative number.
at::Tensor policy_log_softmax(const at::Tensor& logits, const MoveIndex& moves);

}  // namespace faultline
