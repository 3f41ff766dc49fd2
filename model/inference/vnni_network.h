// A folded network for the kernels of vnni_kernels.h: its weights, packed once, and the walk
// through its blocks. The number formats are those of oneDNN's int8 (docs/inference.md), but for
// the stem, which computes in fp32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/inference/aligned_floats.h"
#include "model/inference/convolution.h"
#include "model/inference/folded_network.h"
#include "model/inference/head_kernels.h"
#include "model/inference/vnni_kernels.h"

namespace faultline {

/// Never modified after its construction: safe for several threads, each with its own memory.
class VnniNetwork {
 public:
  /// `bf16_heads`: whether the heads are computed in bf16, for which the processor must have
  /// AVX512_BF16, or in fp32. Throws std::invalid_argument unless network.ranges fit the network.
  VnniNetwork(const FoldedNetwork& network, const VnniKernels& kernels, bool bf16_heads);

  /// Canvases of one position. The borders of those of bytes stay zero.
  struct Activations {
    explicit Activations(const VnniNetwork& network);
    AlignedFloats x, y;  // between blocks, before squeeze-and-excitation
    std::vector<std::uint8_t> bytes, middle;
    std::vector<std::uint16_t> rounded;  // for the heads in bf16
  };
  /// A thread's working memory, for one network only.
  struct Memory {
    explicit Memory(const VnniNetwork& network);
    std::vector<Activations> boards;         // of the positions, one after the other
    std::vector<std::size_t> first_board;    // by position, and the number of all boards
    AlignedFloats heads;                     // [boards, cells, head_stride()]
    std::vector<std::uint32_t> cell_planes;  // for the stem
    AlignedFloats offsets;                   // for the stem
  };

  /// The most positions that run() takes: 1 where all weights stay in the L2 cache, else a few,
  /// block by block.
  std::size_t group() const { return group_; }
  /// `planes`: [count, planes, height, width]. Returns [boards, cells, head_stride()] floats inside
  /// `memory`, with the channels in the order of FoldedNetwork::heads: of the boards that exist,
  /// those of a position from memory.first_board on.
  const float* run(const float* planes, std::size_t count, Memory& memory) const;
  std::size_t head_stride() const { return head_channels_; }
  /// Floats of a board's heads.
  std::size_t heads_floats() const { return cells() * head_channels_; }

 private:
  struct Convolution8 {
    AlignedArray<std::int8_t> weight;  // as the kernel reads them
    AlignedFloats bias, factor;        // [channels]
  };
  struct Block {
    Convolution8 first, second;
    std::optional<SqueezeExcite> squeeze_excite;
    float input_scale = 1;  // bytes per unit of its input
  };

  void add(const FoldedStem& stem, const ActivationRanges& ranges);
  void add(const FoldedResidualBlock& folded, const ActivationRanges& ranges);
  Convolution8 pack(const FoldedConvolution& folded, float source, float result) const;
  VnniConvolutionTask task(const Convolution8& convolution, const std::uint8_t* x) const;
  std::size_t cells() const { return canvas_.height * canvas_.width; }
  /// Computes the stem of one position.
  void run_stem(const float* planes, Memory& memory, std::span<Activations> boards) const;
  void run_block(const Block& block, const Block* next, Activations& at) const;
  void run_heads(Activations& at, float* heads) const;
  void round(const Block& block, Activations& at) const;

  const VnniKernels* kernels_;
  bool bf16_heads_;
  Canvas canvas_;  // of the trunk
  std::vector<BoardPlanes> boards_;
  std::size_t floats_;         // of a position's planes
  std::size_t planes_;         // of a board
  std::size_t channels_;       // padded
  std::size_t head_channels_;  // padded
  std::size_t group_ = 1;
  AlignedFloats stem_weight_, stem_constant_weight_;  // as the kernel reads them
  AlignedFloats stem_bias_;                           // [channels]
  std::optional<BoardExchange> exchange_;
  std::vector<Block> blocks_;
  AlignedFloats heads_weight_;                // [vectors, channels, kVnniLanes]
  AlignedArray<std::uint16_t> heads_halves_;  // or bf16: [vectors, channels / 2, kVnniLanes, 2]
  AlignedFloats heads_bias_;                  // [head_channels]
};

}  // namespace faultline
