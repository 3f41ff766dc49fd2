// What lies between the convolutions of folded networks, as fused kernels (gpu/kernels.h): for
// LibTorch's CUDA devices, and for CPU tensors as loops that test them. Tensors are bf16 and
// channels-last, on one device; everything is submitted to the current stream.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

namespace faultline::gpu {

/// Whether the kernels can be used on a device: on a CPU always; on a GPU if the program was built
/// with CUDA's headers, the driver takes them, and their results are those of the CPU. Says on the
/// standard error, once, why not. Safe for several threads, as is everything here.
bool has_kernels(at::Device device);

/// Weights of a squeeze-and-excitation as the kernel reads them: float, contiguous.
struct SqueezeExciteWeights {
  at::Tensor squeeze;       // [channels, squeezed]
  at::Tensor squeeze_bias;  // [squeezed]
  at::Tensor excite;        // [squeezed, 2 * channels]
  at::Tensor excite_bias;   // [2 * channels]

  /// Whether the kernel computes such a block on the weights' device, for boards of so many cells:
  /// it is compared with plain operations at the first time.
  bool fit(std::int64_t cells) const;
};

/// ReLU(x + y * gates + offsets) with y = convolved + bias, of [boards, channels, height, width].
at::Tensor squeeze_excite(const at::Tensor& x, const at::Tensor& convolved, const at::Tensor& bias,
                          const SqueezeExciteWeights& weights);
/// The same by LibTorch's operations, for any type.
at::Tensor squeeze_excite_by_operations(const at::Tensor& x, const at::Tensor& y,
                                        const SqueezeExciteWeights& weights);

/// Which planes the boards of a batch have: undefined tensors where each position is one board.
struct BoardPlaces {
  at::Tensor rows;    // [boards] int32: position * levels + level; positions * levels: no board
  at::Tensor chosen;  // [levels, channels] int32 planes; plane_count: zeroes
};
/// Planes as bits (model/encoding/bit_planes.h) on boards of `height` by `width` cells.
struct PackedPlanes {
  at::Tensor words;    // [positions, plane_count, words of a plane] int64
  at::Tensor numbers;  // [positions, plane_count] float
  std::int64_t height, width;

  PackedPlanes to(at::Device device) const {
    return {words.to(device), numbers.to(device), height, width};
  }
};
/// [boards, channels padded to a multiple of 8, height, width] in bf16.
at::Tensor place_planes(const PackedPlanes& planes, const BoardPlaces& places);
/// [positions, plane_count, height, width] float by LibTorch's operations.
at::Tensor unpack_by_operations(const PackedPlanes& planes);
std::int64_t padded_channels(std::int64_t channels);

/// Writes the [moves] logits. heads: [cells, channels], of which the first are levels * dim of
/// queries and as many of keys; indices: [3, moves] int32 rows of queries, of keys, kinds.
void policy_logits(const at::Tensor& heads, const at::Tensor& indices,
                   const at::Tensor& kind_queries, const at::Tensor& kind_biases,
                   std::int64_t levels, at::Tensor logits);

/// [rows, channels] from channel `first` on as floats after a ReLU.
at::Tensor value_input(const at::Tensor& heads, std::int64_t first);

}  // namespace faultline::gpu
