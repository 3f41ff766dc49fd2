// The loops of 8-bit inference on processors with AVX-512 and VNNI: the interface between them and
// the code around them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline {

/// Channels of a vector: canvases (convolution.h) have multiples of it. All strides and offsets are
/// in elements: those of floats and of bytes are the same.
inline constexpr std::size_t kVnniLanes = 16;

/// The stem, which reads few cells, since most of most planes are zero: y = bias, plus a 3x3 patch
/// of weights for every cell that is not. `y` is a canvas; its border becomes arbitrary.
struct VnniStemTask {
  std::size_t height, width, planes;
  std::size_t channels;  // a multiple of kVnniLanes
  const float* x;        // planes of [height, width] each
  /// [planes] which of those to read; negative: zeroes.
  const std::int32_t* chosen;
  const float* weight;  // [planes, 3, 3, channels], turned by half a turn
  const float* bias;    // [channels]
  float* y;
  /// Planes with many equal cells, such as the fifty-move counter and the squares that exist, are
  /// kept: [planes, words(cells)] of a bit per cell, and [planes, canvas] what they add if their
  /// cells are 1. Zero-initialised at first.
  std::uint16_t* kept_cells;
  float* kept_sums;
};
/// The most cells of a board.
inline constexpr std::size_t kVnniMostCells = 64 * 64;
/// Words of kept_cells per plane. (Always inline: the loops' object file may not export it.)
[[gnu::always_inline]] constexpr std::size_t vnni_stem_words(std::size_t cells) {
  return (cells + 15) / 16;
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
/// How many vectors of output channels are computed together where `left` remain.
[[gnu::always_inline]] constexpr std::size_t vnni_vectors(std::size_t left) {
  return left < 2 ? left : 2;
}

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
