// A network's trunk with the hand-written kernels of convolution.h and head_kernels.h.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "model/inference/convolution.h"
#include "model/inference/folded_network.h"
#include "model/inference/head_kernels.h"

namespace faultline {

/// The canvases of a network: the input's, the trunk's, the heads'.
struct Canvases {
  explicit Canvases(const FoldedNetwork& network);
  Canvas planes, trunk, heads;
  friend bool operator==(const Canvases&, const Canvases&) = default;
};

Convolution make_convolution(const FoldedConvolution& folded, const Canvas& in, const Canvas& out);

/// Activations of `group` positions with `boards` boards each at a time. The canvases' borders and
/// padding stay zero.
struct CpuTrunkMemory {
  CpuTrunkMemory(const Canvases& shapes, std::size_t group, std::size_t boards);
  AlignedFloats inputs;
  std::array<AlignedFloats, 3> canvases;  // a block's input, its middle, its output
  std::vector<std::size_t> first_board;   // by position, and the number of all boards
};

class CpuTrunk {
 public:
  /// Called with each activation (a canvas per board) after its ReLU, in the order of
  /// ActivationRanges.
  using Observer = std::function<void(const float* activations, std::size_t boards)>;

  explicit CpuTrunk(const FoldedNetwork& network);
  /// Positions that are best computed together.
  std::size_t group() const { return group_; }
  /// Per position, at most.
  std::size_t boards() const { return boards_.size(); }
  const Canvases& canvases() const { return canvases_; }

  /// `count` positions, at most those of `memory`; `planes`: [count, planes, height, width].
  /// Returns the output inside `memory`: a canvas per board that exists, those of a position from
  /// memory.first_board on.
  const float* apply(const float* planes, std::size_t count, CpuTrunkMemory& memory,
                     const Observer& observe = {}) const;

 private:
  struct Stem {
    Convolution convolution;
    std::optional<BoardExchange> exchange;
  };
  struct ResidualBlock {
    Convolution first, second;
    std::optional<SqueezeExcite> squeeze_excite;
  };
  struct Run;
  struct Maker;

  Canvases canvases_;
  std::size_t floats_;  // of a position's planes
  std::vector<BoardPlanes> boards_;
  std::vector<std::variant<Stem, ResidualBlock>> blocks_;
  std::size_t group_ = 1;
};

}  // namespace faultline
