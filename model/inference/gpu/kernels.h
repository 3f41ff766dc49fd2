// Kernels for NVIDIA GPUs between a network's convolutions, in bf16 and channels-last: each fuses
// what would be several passes over a batch's activations. A kernel is written as phases between
// barriers, functions of a block and a thread, so that clang compiles it to PTX
// (scripts/gpu-kernels) and a test runs the same source as loops on a CPU. No headers: the device
// has no standard library.
#pragma once

#ifdef __CUDA_ARCH__
#define FAULTLINE_KERNEL __attribute__((device)) __attribute__((always_inline)) inline
// Of a loop whose loads do not depend on each other: several are then under way at once.
#define FAULTLINE_UNROLL _Pragma("clang loop unroll_count(4)")
#else
#include <cmath>
#define FAULTLINE_KERNEL inline
#define FAULTLINE_UNROLL
#endif

namespace faultline::gpu {

using Bf16 = unsigned short;                                  // the upper half of a float
using EightBf16 = unsigned __attribute__((vector_size(16)));  // two a word, the first below
using FourFloats = float __attribute__((vector_size(16)));

FAULTLINE_KERNEL float float_of_bits(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
FAULTLINE_KERNEL unsigned bits_of_float(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
FAULTLINE_KERNEL float to_float(Bf16 value) {
  return float_of_bits(static_cast<unsigned>(value) << 16U);
}
/// Rounded to nearest, ties to even; of finite values.
FAULTLINE_KERNEL Bf16 to_bf16(float value) {
  const unsigned bits = bits_of_float(value);
  return static_cast<Bf16>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}
FAULTLINE_KERNEL float lower(unsigned pair) {
  return float_of_bits(pair << 16U);
}
FAULTLINE_KERNEL float upper(unsigned pair) {
  return float_of_bits(pair & 0xFFFF0000U);
}
FAULTLINE_KERNEL unsigned pair_of(float first, float second) {
#ifdef __CUDA_ARCH__
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
#else
  return static_cast<unsigned>(to_bf16(first)) | static_cast<unsigned>(to_bf16(second)) << 16U;
#endif
}
FAULTLINE_KERNEL float relu(float value) {
  return value > 0 ? value : 0;
}
FAULTLINE_KERNEL float sigmoid(float value) {
#ifdef __CUDA_ARCH__
  return 1 / (1 + __nvvm_ex2_approx_f(value * -1.44269504F));
#else
  return 1 / (1 + std::exp(-value));
#endif
}

/// ReLU(x + y * gates + offsets) (Hu et al. 2018), where y = convolved + bias and gates and offsets
/// follow from the means of y over the board's cells. One block per board. Channels: a multiple of
/// 8 up to kMostChannels; squeezed: up to kThreads.
struct SqueezeExciteKernel {
  // Five blocks at once leave a thread 48 registers: 24 µs for 1,024 boards of 128 channels on an
  // H200, where six, with 40 and a few spilled, took 31.
  static constexpr int kThreads = 256, kBlocks = 5, kPhases = 5, kMostChannels = 512;
  struct Arguments {
    const Bf16 *x, *convolved;  // [boards, cells, channels]
    const Bf16* bias;           // [channels]
    const float* squeeze;       // [channels, squeezed]
    const float* squeeze_bias;  // [squeezed]
    const float* excite;        // [squeezed, 2 * channels]: gates before the sigmoid, then offsets
    const float* excite_bias;   // [2 * channels]
    Bf16* out;                  // [boards, cells, channels]
    int cells, channels, squeezed;
  };
  struct Shared {
    float sums[8 * kThreads];  // by channel, of some of the cells
    float mean[kMostChannels];
    float partial[kThreads];  // of the squeezed values
    float squeezed[kThreads];
    float excited[2 * kMostChannels];  // gates, then offsets without the bias
  };

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared& s, int block, int thread) {
    // Each thread has eight neighbouring channels of every row-th cell.
    const int groups = a.channels / 8, rows = kThreads / groups;
    const int group = thread % groups, row = thread / groups;
    const long first = (static_cast<long>(block) * a.cells) * groups;  // in EightBf16
    const int parts = kThreads / a.squeezed, part = thread / a.squeezed,
              neuron = thread % a.squeezed;
    if constexpr (phase == 0) {
      float sum[8] = {};
      if (row < rows) {
        const auto* const y = reinterpret_cast<const EightBf16*>(a.convolved) + first + group;
        FAULTLINE_UNROLL
        for (int cell = row; cell < a.cells; cell += rows) {
          const EightBf16 eight = y[static_cast<long>(cell) * groups];
          for (int i = 0; i < 4; ++i) {
            sum[2 * i] += lower(eight[i]);
            sum[2 * i + 1] += upper(eight[i]);
          }
        }
        for (int i = 0; i < 8; ++i)
          s.sums[row * a.channels + 8 * group + i] = sum[i];
      }
    } else if constexpr (phase == 1) {
      for (int c = thread; c < a.channels; c += kThreads) {
        float sum = 0;
        for (int r = 0; r < rows && r < a.cells; ++r)
          sum += s.sums[r * a.channels + c];
        s.mean[c] = sum / static_cast<float>(a.cells) + to_float(a.bias[c]);
      }
    } else if constexpr (phase == 2) {
      if (part < parts) {
        float sum = 0;
        FAULTLINE_UNROLL
        for (int c = part; c < a.channels; c += parts)
          sum += a.squeeze[c * a.squeezed + neuron] * s.mean[c];
        s.partial[thread] = sum;
      }
    } else if constexpr (phase == 3) {
      if (thread < a.squeezed) {
        float sum = a.squeeze_bias[thread];
        for (int p = 0; p < parts; ++p)
          sum += s.partial[p * a.squeezed + thread];
        s.squeezed[thread] = relu(sum);
      }
    } else if constexpr (phase == 4) {
      for (int c = thread; c < 2 * a.channels; c += kThreads) {
        float sum = a.excite_bias[c];
        FAULTLINE_UNROLL
        for (int k = 0; k < a.squeezed; ++k)
          sum += a.excite[static_cast<long>(k) * 2 * a.channels + c] * s.squeezed[k];
        s.excited[c] = c < a.channels ? sigmoid(sum) : sum;
      }
    } else {
      if (row >= rows) return;
      const auto* __restrict const x = reinterpret_cast<const EightBf16*>(a.x) + first + group;
      const auto* __restrict const y =
          reinterpret_cast<const EightBf16*>(a.convolved) + first + group;
      auto* __restrict const out = reinterpret_cast<EightBf16*>(a.out) + first + group;
      const EightBf16 bias = reinterpret_cast<const EightBf16*>(a.bias)[group];
      float gate[8], offset[8];
      for (int i = 0; i < 8; ++i) {
        gate[i] = s.excited[8 * group + i];
        offset[i] = s.excited[a.channels + 8 * group + i] +
                    (i % 2 == 0 ? lower(bias[i / 2]) : upper(bias[i / 2])) * gate[i];
      }
      // Two cells at a time, so that four loads are under way at once.
      for (int cell = row; cell < a.cells; cell += 2 * rows) {
        const int other = cell + rows < a.cells ? cell + rows : cell;
        const long at[2] = {static_cast<long>(cell) * groups, static_cast<long>(other) * groups};
        const EightBf16 old[2] = {x[at[0]], x[at[1]]}, added[2] = {y[at[0]], y[at[1]]};
        for (int k = 0; k < 2; ++k) {
          EightBf16 sum;
          for (int i = 0; i < 4; ++i)
            sum[i] = pair_of(
                relu(lower(old[k][i]) + lower(added[k][i]) * gate[2 * i] + offset[2 * i]),
                relu(upper(old[k][i]) + upper(added[k][i]) * gate[2 * i + 1] + offset[2 * i + 1]));
          out[at[k]] = sum;
        }
      }
    }
  }
};

/// A network's input from bits (model/encoding/bit_planes.h): the planes of the boards that exist,
/// channels-last, padded with zeroes to a multiple of 8 channels. One block per board.
struct PlacePlanesKernel {
  static constexpr int kThreads = 256, kBlocks = 8, kPhases = 0;
  struct Arguments {
    const unsigned long* words;  // [positions, plane_count, (cells + 63) / 64]
    const float* numbers;        // [positions, plane_count]
    const int* rows;    // [boards]: position * levels + level; from `row_end` on padding; or null:
                        // every position is one board
    const int* chosen;  // [levels, channels] planes of a level, plane_count: zeroes; or null: all
    Bf16* out;          // [boards, cells, padded]
    int plane_count, cells, levels, channels, padded, row_end;
  };
  struct Shared {};

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared&, int block, int thread) {
    const int row = a.rows == nullptr ? block : a.rows[block];
    const int position = row / a.levels, level = row % a.levels;
    const int words = (a.cells + 63) / 64;
    const long first = static_cast<long>(position) * a.plane_count;
    auto* const out =
        reinterpret_cast<EightBf16*>(a.out) + static_cast<long>(block) * a.cells * (a.padded / 8);
    // Neighbouring threads read one word.
    for (int i = thread; i < a.cells * (a.padded / 8); i += kThreads) {
      const int cell = i % a.cells, group = i / a.cells;
      float value[8];
      for (int k = 0; k < 8; ++k) {
        const int channel = 8 * group + k;
        int plane = a.plane_count;
        if (channel < a.channels && row < a.row_end)
          plane = a.chosen == nullptr ? channel : a.chosen[level * a.channels + channel];
        value[k] = 0;
        if (plane < a.plane_count &&
            (a.words[(first + plane) * words + cell / 64] >> cell % 64 & 1))
          value[k] = a.numbers[first + plane];
      }
      EightBf16 eight;
      for (int k = 0; k < 4; ++k)
        eight[k] = pair_of(value[2 * k], value[2 * k + 1]);
      out[cell * (a.padded / 8) + group] = eight;
    }
  }
};

/// The logits of moves: (query + query of the kind) . key + bias of the kind. kLanes threads share
/// a move.
struct PolicyKernel {
  static constexpr int kThreads = 256, kBlocks = 8, kPhases = 1, kLanes = 8,
                       kMovesPerBlock = kThreads / kLanes;
  struct Arguments {
    const Bf16* heads;        // [cells of all boards, channels]: queries, keys, other channels
    const int *from, *to;     // [moves] rows of dim queries, of dim keys
    const int* kind;          // [moves]
    const float* kind_query;  // [kinds, dim]
    const float* kind_bias;   // [kinds]
    float* logits;            // [moves]
    int moves, dim, levels, channels;  // levels: rows of a cell
  };
  struct Shared {
    float partial[kThreads];
  };

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared& s, int block, int thread) {
    const int move = block * kMovesPerBlock + thread / kLanes, lane = thread % kLanes;
    if (move >= a.moves) return;
    if constexpr (phase == 0) {
      const int from = a.from[move], to = a.to[move];
      const Bf16* const query =
          a.heads + static_cast<long>(from / a.levels) * a.channels + from % a.levels * a.dim;
      const Bf16* const key = a.heads + static_cast<long>(to / a.levels) * a.channels +
                              (a.levels + to % a.levels) * a.dim;
      const float* const added = a.kind_query + static_cast<long>(a.kind[move]) * a.dim;
      float sum = 0;
      for (int d = lane; d < a.dim; d += kLanes)
        sum += (to_float(query[d]) + added[d]) * to_float(key[d]);
      s.partial[thread] = sum;
    } else if (lane == 0) {
      float sum = a.kind_bias[a.kind[move]];
      for (int i = 0; i < kLanes; ++i)
        sum += s.partial[thread + i];
      a.logits[move] = sum;
    }
  }
};

/// The value head's input: its channels of the heads as floats, after a ReLU. One thread per float.
struct ValueInputKernel {
  static constexpr int kThreads = 256, kBlocks = 8, kPhases = 0;
  struct Arguments {
    const Bf16* heads;  // [rows, channels]
    float* out;         // [rows, channels - first]
    int rows, channels, first;
  };
  struct Shared {};

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared&, int block, int thread) {
    const long i = static_cast<long>(block) * kThreads + thread;
    const int wanted = a.channels - a.first;
    const long row = i / wanted;
    if (row >= a.rows) return;
    a.out[i] = relu(to_float(a.heads[row * a.channels + a.first + i % wanted]));
  }
};

}  // namespace faultline::gpu
