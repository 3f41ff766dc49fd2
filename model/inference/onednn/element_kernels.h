// What lies between oneDNN's convolutions: writing planes into its layouts, squeeze-and-excitation,
// rounding to 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/inference/head_kernels.h"
#include "model/inference/onednn/library.h"
#include "model/level_boards.h"

namespace faultline::onednn {

/// The upper half of a float.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// The places of one position's activations: element `lane` of block `block` at `cell`.
struct BlockLayout {
  BlockLayout(Layout layout, std::size_t cell_count, std::size_t channels)
      : cells(cell_count),
        blocks(channels / kBlock),
        cell_stride(layout == Layout::ChannelsLast ? channels : kBlock),
        block_stride(layout == Layout::ChannelsLast ? kBlock : cell_count * kBlock) {}
  std::size_t at(std::size_t cell, std::size_t block) const {
    return cell * cell_stride + block * block_stride;
  }
  std::size_t elements() const { return cells * blocks * kBlock; }

  std::size_t cells, blocks, cell_stride, block_stride;
};

/// The chosen planes, of layout.cells floats each, into one board's activations. The remaining
/// channels of the last block become zero; those of further blocks stay as they are.
void write_planes(const float* planes, const BoardPlanes& chosen, const BlockLayout& layout,
                  float* to);
void write_planes(const float* planes, const BoardPlanes& chosen, const BlockLayout& layout,
                  BFloat16* to);

/// min(max(x * scale, 0), 255), rounded.
void round_to_bytes(const float* x, std::size_t count, float scale, std::uint8_t* to);

void round_to_bfloat16(const float* x, std::size_t count, BFloat16* to);

/// One position's activations with their channels in order: to[cell][channel].
void gather_cells(const float* x, const BlockLayout& layout, float* to);

/// Working memory of squeeze_excite, per thread.
struct SqueezeExciteMemory {
  std::vector<float> means, squeezed, excited, gates;
};
/// Computes for each of `count` positions: skip = max(gate * y + offset + skip, 0), with gates and
/// offsets from the means of y (SqueezeExcite in head_kernels.h). `channels`: those that are not
/// padding.
void squeeze_excite(const SqueezeExcite& layer, const BlockLayout& layout, std::size_t channels,
                    std::size_t count, const float* y, float* skip, SqueezeExciteMemory& memory);
void squeeze_excite(const SqueezeExcite& layer, const BlockLayout& layout, std::size_t channels,
                    std::size_t count, const float* y, BFloat16* skip, SqueezeExciteMemory& memory);

/// Working memory of exchange_boards, per thread.
struct BoardExchangeMemory {
  std::vector<float> means, offsets, padded;
};
/// What one position's boards learn of each other, in place (BoardExchange in head_kernels.h).
void exchange_boards(const BoardExchange& layer, const BlockLayout& layout, std::size_t channels,
                     std::size_t boards, float* x, BoardExchangeMemory& memory);
void exchange_boards(const BoardExchange& layer, const BlockLayout& layout, std::size_t channels,
                     std::size_t boards, BFloat16* x, BoardExchangeMemory& memory);

}  // namespace faultline::onednn
