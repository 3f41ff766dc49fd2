// The loops of 8-bit inference on processors with AVX-512 and VNNI: the interface between them and
// the code around them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline {

/// Channels of a vector: canvases (convolution.h) have multiples of it. All strides and offsets are
/// in elements: those of floats and of bytes are the same.
inline constexpr std::size_t kVnniLanes = 16;

/// How many vectors of output channels are computed together where `left` remain.
[[gnu::always_inline]] constexpr std::size_t vnni_vectors(std::size_t left) {
  return left < 2 ? left : 2;
}

/// The stem, which multiplies few cells, since most of most planes are zero: y = bias, plus a 3x3
/// patch of weights, times the cell's value, for every cell that is not. `y` is a canvas, whose
/// border stays as it is.
struct VnniStemTask {
  std::size_t height, width, planes;
  std::size_t channels;  // a multiple of kVnniLanes
  const float* x;        // planes of [height, width] each
  /// [planes] which of those to read; negative: zeroes.
  const std::int32_t* chosen;
  const float* weight;  // as vnni_stem_weight_at() says, turned by half a turn
  /// What a plane of ones adds: laid out like `weight`, with the place, 3 * vnni_stem_place() of
  /// the row + that of the column, instead of the tap.
  const float* constant_weight;
  const float* bias;  // [channels]
  float* y;
  /// Working memory: [planes / 32 rounded up, vnni_stem_stride(cells)], by cell a bit for each
  /// plane that is not zero there; [9, channels].
  std::uint32_t* cell_planes;
  float* offsets;
};
/// The kind of a row or column of a canvas, of which 1 to `size` are inside: 0 for the first of
/// these, 2 for the last, 1 for others.
[[gnu::always_inline]] constexpr std::size_t vnni_stem_place(std::size_t line, std::size_t size) {
  return line == 1 ? 0 : line == size ? 2 : 1;
}
/// Cells, rounded up to whole vectors. (Always inline: the loops' object file may not export it.)
[[gnu::always_inline]] constexpr std::size_t vnni_stem_stride(std::size_t cells) {
  return (cells + kVnniLanes - 1) / kVnniLanes * kVnniLanes;
}
/// The size of VnniStemTask::cell_planes.
[[gnu::always_inline]] constexpr std::size_t vnni_stem_words(std::size_t planes,
                                                             std::size_t cells) {
  return (planes + 31) / 32 * vnni_stem_stride(cells);
}

/// The place at which the weights of the stem have that of a plane, a tap (row * 3 + column) and an
/// output: [parts of the outputs, planes, 3, 3, outputs of the part], the parts being those that
/// are computed together.
[[gnu::always_inline]] constexpr std::size_t vnni_stem_weight_at(std::size_t planes,
                                                                 std::size_t channels,
                                                                 std::size_t plane, std::size_t tap,
                                                                 std::size_t channel) {
  std::size_t first = 0, size = 0;
  for (;; first += size) {
    size = vnni_vectors((channels - first) / kVnniLanes) * kVnniLanes;
    if (channel < first + size) break;
  }
  return planes * 9 * first + (plane * 9 + tap) * size + channel - first;
}

/// x = max(x, 0) of a canvas's inside, and bytes = min(x * scale, 255), rounded, in a canvas.
struct VnniRoundTask {
  std::size_t height, width, channels;
  float* x;
  float scale;
  std::uint8_t* bytes;
};

/// A 3x3 convolution of one position: r = (W x + bias) * factor for its canvas x of bytes. With
/// `sums`, sums = max(sums + r, 0), rounded to `bytes` unless that is null; with `plain`, plain =
/// r; otherwise bytes = max(r, 0), rounded.
struct VnniConvolutionTask {
  std::size_t height, width;
  std::size_t inputs, outputs;  // channels: multiples of kVnniLanes
  const std::uint8_t* x;
  const std::int8_t* weight;  // as vnni_weight_at() says
  const float* bias;          // [outputs]
  const float* factor;        // [outputs]
  float* sums;
  float* plain;
  float scale;  // of `bytes` where there are sums
  std::uint8_t* bytes;
};
/// y = W x + bias for every cell of a canvas's inside, cell by cell: in fp32, or with x and the
/// weights rounded to bf16, for which the processor must have AVX512_BF16.
struct VnniHeadsTask {
  std::size_t height, width;
  std::size_t inputs, outputs;  // multiples of kVnniLanes
  const float* x;               // a canvas
  const float* weight;          // [vectors of outputs, inputs, kVnniLanes], for fp32
  /// Upper halves of floats: [vectors of outputs, inputs / 2, kVnniLanes, 2]. Null: fp32.
  const std::uint16_t* bf16_weight;
  std::uint16_t* rounded;  // working memory for bf16: a canvas
  const float* bias;       // [outputs]
  float* y;                // [height * width, outputs]
};

struct VnniKernels {
  void (*stem)(const VnniStemTask&);
  void (*round)(const VnniRoundTask&);
  void (*convolve)(const VnniConvolutionTask&);
  void (*heads)(const VnniHeadsTask&);
};

/// Null where this build has none, or the processor lacks the instructions.
const VnniKernels* vnni_kernels();

}  // namespace faultline
