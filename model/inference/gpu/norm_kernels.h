// Kernels for NVIDIA GPUs that train: batch norm (Ioffe and Szegedy 2015) with what follows it,
// ReLU, residual, the gates and offsets of squeeze and excitation, forward and backward, in bf16
// and channels-last. Sums go by board first, one block each, then over the boards. As kernels.h has
// them: phases between barriers, and the same source as loops on a CPU.
#pragma once

#include "model/inference/gpu/kernels.h"

namespace faultline::gpu {

FAULTLINE_KERNEL float square_root(float value) {
#ifdef __CUDA_ARCH__
  return __nvvm_sqrt_rn_f(value);
#else
  return std::sqrt(value);
#endif
}
/// Keeps NaN, so that it reaches the loss.
FAULTLINE_KERNEL float relu_of_training(float value) {
  return value < 0 ? 0 : value;
}
FAULTLINE_KERNEL float channel_of(EightBf16 eight, int i) {
  return i % 2 == 0 ? lower(eight[i / 2]) : upper(eight[i / 2]);
}

/// How a block's threads share a board: each has eight neighbouring channels of every row-th cell.
/// Channels: a multiple of 8 up to 8 * kThreads.
struct BoardThreads {
  static constexpr int kThreads = 256, kMostChannels = 512;
  int groups, rows, group, row;
  long first;  // of the board, in EightBf16, with the group

  FAULTLINE_KERNEL static BoardThreads of(int channels, int cells, int block, int thread) {
    const int groups = channels / 8;
    return {groups, kThreads / groups, thread % groups, thread / groups,
            static_cast<long>(block) * cells * groups + thread % groups};
  }
  FAULTLINE_KERNEL bool idle() const { return row >= rows; }
  /// The thread's channels of the board's first cell; null of null.
  FAULTLINE_KERNEL const EightBf16* in(const Bf16* values) const {
    return values == nullptr ? nullptr : reinterpret_cast<const EightBf16*>(values) + first;
  }
  FAULTLINE_KERNEL EightBf16* in(Bf16* values) const {
    return values == nullptr ? nullptr : reinterpret_cast<EightBf16*>(values) + first;
  }
};

/// Two sums over each board's cells, by channel. Forward: of x - shift and of its square. Backward
/// (`kSlopes`): of the slope before the ReLU, upstream where the output is positive, and of the
/// slope times (x - shift). One block per board.
template <bool kSlopes>
struct BoardSumsKernel {
  static constexpr int kThreads = BoardThreads::kThreads, kBlocks = kSlopes ? 3 : 4, kPhases = 1;
  struct Arguments {
    const Bf16* x;               // [boards, cells, channels]
    const Bf16 *upstream, *out;  // the same, backward
    const float* shift;          // [channels]
    float* sums;                 // [boards, 2, channels]
    int cells, channels;
  };
  struct Shared {
    float one[8 * kThreads], two[8 * kThreads];  // [rows, channels]
  };

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared& s, int block, int thread) {
    const BoardThreads t = BoardThreads::of(a.channels, a.cells, block, thread);
    if constexpr (phase == 0) {
      if (t.idle()) return;
      const auto* const x = t.in(a.x);
      const auto* const upstream = t.in(a.upstream);
      const auto* const out = t.in(a.out);
      float shift[8], one[8] = {}, two[8] = {};
      for (int i = 0; i < 8; ++i)
        shift[i] = a.shift[8 * t.group + i];
      FAULTLINE_UNROLL
      for (int cell = t.row; cell < a.cells; cell += t.rows) {
        const long at = static_cast<long>(cell) * t.groups;
        const EightBf16 value = x[at];
        EightBf16 up, y;
        if constexpr (kSlopes) {
          up = upstream[at];
          y = out[at];
        }
        for (int i = 0; i < 8; ++i) {
          const float difference = channel_of(value, i) - shift[i];
          float factor = difference;
          if constexpr (kSlopes) factor = channel_of(y, i) > 0 ? channel_of(up, i) : 0;
          one[i] += factor;
          two[i] += factor * difference;
        }
      }
      for (int i = 0; i < 8; ++i) {
        s.one[t.row * a.channels + 8 * t.group + i] = one[i];
        s.two[t.row * a.channels + 8 * t.group + i] = two[i];
      }
    } else {
      for (int c = thread; c < a.channels; c += kThreads) {
        float one = 0, two = 0;
        for (int r = 0; r < t.rows; ++r) {
          one += s.one[r * a.channels + c];
          two += s.two[r * a.channels + c];
        }
        float* const to = a.sums + 2L * block * a.channels;
        to[c] = one;
        to[a.channels + c] = two;
      }
    }
  }
};

/// Sums of boards, [boards, 2, channels], over the boards, and what the norm makes of them. One
/// block has kChannels neighbouring channels.
struct NormSums {
  static constexpr int kThreads = 512, kBlocks = 1, kChannels = 32, kLanes = kThreads / kChannels;
  struct Shared {
    double one[kThreads], two[kThreads];  // [lanes, channels]
  };
  FAULTLINE_KERNEL static void add(const float* sums, int boards, int channels, Shared& s,
                                   int block, int thread) {
    const int c = block * kChannels + thread % kChannels;
    float one = 0, two = 0;
    if (c < channels) {
      FAULTLINE_UNROLL
      for (int board = thread / kChannels; board < boards; board += kLanes) {
        const float* const from = sums + 2L * board * channels + c;
        one += from[0];
        two += from[channels];
      }
    }
    s.one[thread] = static_cast<double>(one);
    s.two[thread] = static_cast<double>(two);
  }
  struct Totals {
    double one, two;
  };
  FAULTLINE_KERNEL static Totals total(const Shared& s, int thread) {
    Totals all{0, 0};
    for (int lane = 0; lane < kLanes; ++lane) {
      all.one += s.one[lane * kChannels + thread];
      all.two += s.two[lane * kChannels + thread];
    }
    return all;
  }
};

/// The batch's statistics from the sums of x - shift, where the shift is the running mean; the
/// running statistics move towards them.
struct NormForwardKernel : NormSums {
  static constexpr int kPhases = 1;
  struct Arguments {
    const float* sums;         // [boards, 2, channels]
    const float *gain, *bias;  // [channels]
    float *running_mean, *running_variance;
    float* coefficients;  // [5, channels]: mean, 1 / deviation, scale and offset of x * scale +
                          // offset, and what the shift becomes by these
    int boards, cells, channels;
    float momentum, epsilon;
  };

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared& s, int block, int thread) {
    if constexpr (phase == 0) {
      add(a.sums, a.boards, a.channels, s, block, thread);
    } else {
      const int c = block * kChannels + thread;
      if (thread >= kChannels || c >= a.channels) return;
      const Totals sum = total(s, thread);
      const double rows = static_cast<double>(a.boards) * a.cells, difference = sum.one / rows;
      double variance = sum.two / rows - difference * difference;
      variance = variance < 0 ? 0 : variance;  // keeps NaN
      const float inverse = 1 / square_root(static_cast<float>(variance) + a.epsilon);
      const float shift = a.running_mean[c], mean = shift + static_cast<float>(difference);
      const float scale = a.gain[c] * inverse, offset = a.bias[c] - mean * scale;
      const float made[5] = {mean, inverse, scale, offset, shift * scale + offset};
      for (int i = 0; i < 5; ++i)
        a.coefficients[i * a.channels + c] = made[i];
      const double unbiased = variance * rows / (rows > 1 ? rows - 1 : 1);
      a.running_mean[c] += a.momentum * static_cast<float>(difference);
      a.running_variance[c] += a.momentum * (static_cast<float>(unbiased) - a.running_variance[c]);
    }
  }
};

/// The gradients of gain and bias from the sums of the slopes behind the norm and of these times
/// (x - mean), and the coefficients of x's own: first * slope + second * x + third.
struct NormBackwardKernel : NormSums {
  static constexpr int kPhases = 1;
  struct Arguments {
    const float* sums;          // [boards, 2, channels]
    const float* coefficients;  // of NormForwardKernel
    float *to_gain, *to_bias;   // [channels]
    float* slopes;              // [3, channels]
    int boards, cells, channels;
  };

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared& s, int block, int thread) {
    if constexpr (phase == 0) {
      add(a.sums, a.boards, a.channels, s, block, thread);
    } else {
      const int c = block * kChannels + thread;
      if (thread >= kChannels || c >= a.channels) return;
      const Totals sum = total(s, thread);
      const double rows = static_cast<double>(a.boards) * a.cells;
      const double mean = static_cast<double>(a.coefficients[c]),
                   inverse = static_cast<double>(a.coefficients[a.channels + c]),
                   scale = static_cast<double>(a.coefficients[2 * a.channels + c]);
      const double to_gain = sum.two * inverse, of_x = -scale * inverse * to_gain / rows;
      a.to_gain[c] = static_cast<float>(to_gain);
      a.to_bias[c] = static_cast<float>(sum.one);
      a.slopes[c] = static_cast<float>(scale);
      a.slopes[a.channels + c] = static_cast<float>(of_x);
      a.slopes[2 * a.channels + c] = static_cast<float>(-scale * sum.one / rows - of_x * mean);
    }
  }
};

/// ReLU((x * scale + offset) * gate + added + residual). One block per board.
struct NormApplyKernel {
  static constexpr int kThreads = BoardThreads::kThreads, kBlocks = 5, kPhases = 0;
  struct Arguments {
    const Bf16* x;              // [boards, cells, channels]
    const Bf16* residual;       // the same, or null
    const float* coefficients;  // of NormForwardKernel
    const float* gates;         // [boards, 2, channels]: gates, and what is added; or null: 1 and 0
    Bf16* out;
    int cells, channels;
  };
  struct Shared {};

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared&, int block, int thread) {
    const BoardThreads t = BoardThreads::of(a.channels, a.cells, block, thread);
    if (t.idle()) return;
    const auto* const x = t.in(a.x);
    const auto* const residual = t.in(a.residual);
    auto* const out = t.in(a.out);
    float scale[8], offset[8];
    for (int i = 0; i < 8; ++i) {
      const int c = 8 * t.group + i;
      scale[i] = a.coefficients[2 * a.channels + c];
      offset[i] = a.coefficients[3 * a.channels + c];
      if (a.gates == nullptr) continue;
      const float* const gates = a.gates + 2L * block * a.channels + c;
      scale[i] *= gates[0];
      offset[i] = offset[i] * gates[0] + gates[a.channels];
    }
    for (int cell = t.row; cell < a.cells; cell += t.rows) {
      const long at = static_cast<long>(cell) * t.groups;
      const EightBf16 value = x[at];
      EightBf16 old = {0, 0, 0, 0}, sum;
      if (a.residual != nullptr) old = residual[at];
      for (int i = 0; i < 4; ++i)
        sum[i] = pair_of(
            relu_of_training(lower(value[i]) * scale[2 * i] + offset[2 * i] + lower(old[i])),
            relu_of_training(upper(value[i]) * scale[2 * i + 1] + offset[2 * i + 1] +
                             upper(old[i])));
      out[at] = sum;
    }
  }
};

/// The gradients of x and of the residual: first * (slope * gate + added) + second * x + third, and
/// the slope. One block per board.
struct NormSlopesKernel {
  static constexpr int kThreads = BoardThreads::kThreads, kBlocks = 4, kPhases = 0;
  struct Arguments {
    const Bf16 *x, *upstream, *out;  // [boards, cells, channels]
    const float* slopes;             // of NormBackwardKernel
    const float* gates;              // [boards, 2, channels]: gates, and what is added; or null
    Bf16* to_x;
    Bf16* to_residual;  // or null
    int cells, channels;
  };
  struct Shared {};

  template <int phase>
  FAULTLINE_KERNEL static void run(const Arguments& a, Shared&, int block, int thread) {
    const BoardThreads t = BoardThreads::of(a.channels, a.cells, block, thread);
    if (t.idle()) return;
    const auto* const x = t.in(a.x);
    const auto* const upstream = t.in(a.upstream);
    const auto* const out = t.in(a.out);
    auto* const to_x = t.in(a.to_x);
    auto* const to_residual = t.in(a.to_residual);
    float first[8], second[8], third[8];
    for (int i = 0; i < 8; ++i) {
      const int c = 8 * t.group + i;
      first[i] = a.slopes[c];
      second[i] = a.slopes[a.channels + c];
      third[i] = a.slopes[2 * a.channels + c];
      if (a.gates == nullptr) continue;
      const float* const gates = a.gates + 2L * block * a.channels + c;
      third[i] += first[i] * gates[a.channels];
      first[i] *= gates[0];
    }
    for (int cell = t.row; cell < a.cells; cell += t.rows) {
      const long at = static_cast<long>(cell) * t.groups;
      const EightBf16 value = x[at], up = upstream[at], y = out[at];
      EightBf16 to, through;
      for (int i = 0; i < 4; ++i) {
        const float one = lower(y[i]) > 0 ? lower(up[i]) : 0,
                    two = upper(y[i]) > 0 ? upper(up[i]) : 0;
        through[i] = pair_of(one, two);
        to[i] = pair_of(
            first[2 * i] * one + second[2 * i] * lower(value[i]) + third[2 * i],
            first[2 * i + 1] * two + second[2 * i + 1] * upper(value[i]) + third[2 * i + 1]);
      }
      to_x[at] = to;
      if (a.to_residual != nullptr) to_residual[at] = through;
    }
  }
};

}  // namespace faultline::gpu
