// What lies between oneDNN's convolutions, as plain loops.
#include "model/inference/onednn/element_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace faultline::onednn {
namespace {

float to_float(float value) {
  return value;
}
float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

void store(float value, float& to) {
  to = value;
}
/// Rounds to the nearest, ties to even. (Too large values become infinite and are refused at the
/// end.)
void store(float value, BFloat16& to) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  to.bits = static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// Most cells of most planes are zero: those are cleared at once, and only the others visited.
template <class T>
void write_planes_as(const float* planes, const BoardPlanes& chosen, const BlockLayout& layout,
                     T* to) {
  const std::size_t count = chosen.size();
  for (std::size_t block = 0; block * kBlock < count; ++block)
    for (std::size_t cell = 0; cell < layout.cells; ++cell)
      std::fill_n(to + layout.at(cell, block), kBlock, T{});
  constexpr std::size_t kChunk = 16;
  for (std::size_t p = 0; p < count; ++p) {
    if (chosen[p] == kNoPlane) continue;
    const float* plane = planes + static_cast<std::size_t>(chosen[p]) * layout.cells;
    T* const at = to + layout.at(0, p / kBlock) + p % kBlock;
    for (std::size_t first = 0; first < layout.cells; first += kChunk) {
      const std::size_t end = std::min(first + kChunk, layout.cells);
      bool any = false;
      for (std::size_t cell = first; cell < end; ++cell)
        any |= plane[cell] != 0.0F;
      if (!any) continue;
      for (std::size_t cell = first; cell < end; ++cell)
        store(plane[cell], at[cell * layout.cell_stride]);
    }
  }
}

/// means: [count, channels], of each canvas's cells.
template <class T>
void average_cells(const BlockLayout& layout, std::size_t channels, std::size_t count, const T* x,
                   std::vector<float>& means) {
  means.resize(count * channels);
  const float share = 1.0F / static_cast<float>(layout.cells);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t block = 0; block < layout.blocks; ++block) {
      const T* from = x + p * layout.elements() + layout.at(0, block);
      float sums[kBlock] = {};
      for (std::size_t cell = 0; cell < layout.cells; ++cell)
#pragma omp simd
        for (std::size_t lane = 0; lane < kBlock; ++lane)
          sums[lane] += to_float(from[cell * layout.cell_stride + lane]);
      const std::size_t first = block * kBlock;
      for (std::size_t lane = 0; lane < kBlock && first + lane < channels; ++lane)
        means[p * channels + first + lane] = sums[lane] * share;
    }
}

template <class T>
void exchange_boards_as(const BoardExchange& layer, const BlockLayout& layout, std::size_t channels,
                        std::size_t boards, T* x, BoardExchangeMemory& memory) {
  average_cells(layout, channels, boards, x, memory.means);
  layer.offsets(memory.means, channels, memory.offsets);
  // Padding: x is zero there, and stays so.
  memory.padded.assign(layout.blocks * kBlock, 0.0F);
  for (std::size_t b = 0; b < boards; ++b) {
    std::copy_n(memory.offsets.data() + b * channels, channels, memory.padded.data());
    for (std::size_t block = 0; block < layout.blocks; ++block) {
      T* const first = x + b * layout.elements() + layout.at(0, block);
      const float* const offset = memory.padded.data() + block * kBlock;
      for (std::size_t cell = 0; cell < layout.cells; ++cell) {
        T* const to = first + cell * layout.cell_stride;
#pragma omp simd
        for (std::size_t lane = 0; lane < kBlock; ++lane) {
          const float sum = to_float(to[lane]) + offset[lane];
          store(sum > 0 ? sum : 0.0F, to[lane]);
        }
      }
    }
  }
}

template <class T>
void squeeze_excite_as(const SqueezeExcite& layer, const BlockLayout& layout, std::size_t channels,
                       std::size_t count, const float* y, T* skip, SqueezeExciteMemory& memory) {
  const std::size_t padded = layout.blocks * kBlock;
  memory.squeezed.resize(count * layer.squeeze.outputs());
  memory.excited.resize(count * layer.excite.outputs());
  memory.gates.resize(padded * 2);
  average_cells(layout, channels, count, y, memory.means);
  layer.squeeze.apply(memory.means.data(), count, memory.squeezed.data(), true);
  layer.excite.apply(memory.squeezed.data(), count, memory.excited.data(), false);
  // Padding: y and skip are zero there, and stay so.
  std::ranges::fill(memory.gates, 0.0F);
  for (std::size_t p = 0; p < count; ++p) {
    const float* excited = memory.excited.data() + p * 2 * channels;
    float* const gates = memory.gates.data();
    float* const offsets = gates + padded;
    for (std::size_t c = 0; c < channels; ++c)
      gates[c] = 1.0F / (1.0F + std::exp(-excited[c]));
    std::copy_n(excited + channels, channels, offsets);
    for (std::size_t block = 0; block < layout.blocks; ++block) {
      const std::size_t begin = p * layout.elements() + layout.at(0, block);
      const float* const gate = gates + block * kBlock;
      const float* const offset = offsets + block * kBlock;
      for (std::size_t cell = 0; cell < layout.cells; ++cell) {
        const float* const from = y + begin + cell * layout.cell_stride;
        T* const to = skip + begin + cell * layout.cell_stride;
#pragma omp simd
        for (std::size_t lane = 0; lane < kBlock; ++lane) {
          const float sum = gate[lane] * from[lane] + offset[lane] + to_float(to[lane]);
          store(sum > 0 ? sum : 0.0F, to[lane]);
        }
      }
    }
  }
}

}  // namespace

void write_planes(const float* planes, const BoardPlanes& chosen, const BlockLayout& layout,
                  float* to) {
  write_planes_as(planes, chosen, layout, to);
}
void write_planes(const float* planes, const BoardPlanes& chosen, const BlockLayout& layout,
                  BFloat16* to) {
  write_planes_as(planes, chosen, layout, to);
}

void round_to_bytes(const float* x, std::size_t count, float scale, std::uint8_t* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float scaled = x[i] * scale + 0.5F;
    to[i] = static_cast<std::uint8_t>(static_cast<int>(scaled < 255.0F ? scaled : 255.0F));
  }
}

void round_to_bfloat16(const float* x, std::size_t count, BFloat16* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    store(x[i], to[i]);
}

void gather_cells(const float* x, const BlockLayout& layout, float* to) {
  for (std::size_t block = 0; block < layout.blocks; ++block)
    for (std::size_t cell = 0; cell < layout.cells; ++cell)
      std::copy_n(x + layout.at(cell, block), kBlock, to + (cell * layout.blocks + block) * kBlock);
}

void squeeze_excite(const SqueezeExcite& layer, const BlockLayout& layout, std::size_t channels,
                    std::size_t count, const float* y, float* skip, SqueezeExciteMemory& memory) {
  squeeze_excite_as(layer, layout, channels, count, y, skip, memory);
}
void squeeze_excite(const SqueezeExcite& layer, const BlockLayout& layout, std::size_t channels,
                    std::size_t count, const float* y, BFloat16* skip,
                    SqueezeExciteMemory& memory) {
  squeeze_excite_as(layer, layout, channels, count, y, skip, memory);
}

void exchange_boards(const BoardExchange& layer, const BlockLayout& layout, std::size_t channels,
                     std::size_t boards, float* x, BoardExchangeMemory& memory) {
  exchange_boards_as(layer, layout, channels, boards, x, memory);
}
void exchange_boards(const BoardExchange& layer, const BlockLayout& layout, std::size_t channels,
                     std::size_t boards, BFloat16* x, BoardExchangeMemory& memory) {
  exchange_boards_as(layer, layout, channels, boards, x, memory);
}

}  // namespace faultline::onednn
