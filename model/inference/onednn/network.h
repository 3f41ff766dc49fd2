// A folded network as oneDNN convolutions: its weights, packed once, and the compiled kernels for
// groups of 1, 2, 4 … positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/inference/aligned_floats.h"
#include "model/inference/folded_network.h"
#include "model/inference/head_kernels.h"
#include "model/inference/onednn/element_kernels.h"
#include "model/inference/onednn/library.h"
#include "model/inference/precision.h"

namespace faultline::onednn {

/// How a network of some shape is computed.
struct Plan {
  Precision precision = Precision::Fp32;
  Layout layout = Layout::ChannelsLast;
  bool winograd = false;  // the trunk's convolutions, one position at a time
  int group = 1;          // the most positions computed together, a power of two
};
/// The fastest on the processors measured (docs/inference.md).
Plan choose_plan(const FoldedNetwork& network, Precision precision);

/// Never modified after its construction: safe for several threads, each with a workspace.
class Network {
 public:
  /// Int8 needs network.ranges. Throws std::invalid_argument if they are missing or too few, and
  /// dnnl::error if the processor lacks the instructions.
  Network(const FoldedNetwork& network, const Plan& plan);

  /// A thread's activations and temporary memory.
  class Workspace;
  std::shared_ptr<Workspace> make_workspace() const;

  /// The most positions that run() takes.
  std::size_t largest_group() const { return static_cast<std::size_t>(plan_.group); }
  /// Applies the trunk and the heads' convolution to `count` positions ([count, planes, height,
  /// width]), a power of two of them. Returns [count, boards, cells, head_stride()] floats inside
  /// `workspace`, with the channels in the order of FoldedNetwork::heads.
  const float* run(const float* planes, std::size_t count, Workspace& workspace) const;
  std::size_t head_stride() const { return head_channels_; }
  /// run() computes all of a position's boards; only the existing ones mean anything.
  const std::vector<BoardPlanes>& boards() const { return boards_; }
  /// Floats of a position's heads.
  std::size_t heads_floats() const {
    return boards_.size() * static_cast<std::size_t>(height_ * width_) * head_channels_;
  }
  /// "brgconv:avx512_core_vnni", of the trunk's convolutions.
  const std::string& implementation() const { return groups_.back().first.implementation(); }

 private:
  struct Stem {
    Weights convolution;
    std::optional<BoardExchange> exchange;
  };
  struct ResidualBlock {
    Weights first, second;
    std::optional<SqueezeExcite> squeeze_excite;
    float source_scale = 1;  // int8: of the input, as the first convolution reads it
  };
  using TrunkBlock = std::variant<Stem, ResidualBlock>;
  /// The kernels for one number of positions, each of which has one board or several.
  struct Group {
    int boards = 0;   // of all positions
    int at_once = 0;  // boards in the trunk: all, or 1
    Convolution stem, first, second_added, second_plain, heads;
  };
  struct Maker;
  struct Preparer;
  struct Run;

  bool int8() const { return plan_.precision == Precision::Int8; }
  /// The number format of what goes from block to block, and of what the first and last layers
  /// read.
  DataType trunk_type() const;
  DataType ends_type() const;
  Group compile(int boards) const;

  Plan plan_;
  dnnl::engine engine_;
  int height_, width_;
  std::vector<BoardPlanes> boards_;
  std::size_t floats_;         // of a position's planes
  std::size_t planes_;         // of a board, without padding
  std::size_t channels_;       // of the trunk, without padding
  std::size_t padded_planes_;  // with padding
  std::size_t padded_channels_;
  std::size_t head_channels_;
  std::vector<TrunkBlock> trunk_;
  Weights heads_;
  std::vector<Group> groups_;  // ascending: 1, 2, 4 … positions
};

}  // namespace faultline::onednn
