// The calls into oneDNN. What differs between its versions 2 and 3 is in library.cpp and nowhere
// else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <dnnl.hpp>

#include "model/inference/precision.h"

namespace faultline::onednn {

using DataType = dnnl::memory::data_type;
using dnnl::memory;

/// How a group of positions lies in memory; channels are multiples of kBlock.
enum class Layout : std::uint8_t {
  ChannelsLast,  // [positions, cells, channels]
  Blocked        // [positions, blocks of channels, cells, kBlock]
};
inline constexpr int kBlock = 16;

/// Whether oneDNN computes in this precision, and faster than in fp32, on this processor.
bool runs_natively(Precision precision);
/// The largest magnitude of 8-bit weights for which products with unsigned activations do not
/// saturate: 127, or 63 on processors that add pairs of products in 16 bits (those without VNNI).
int largest_weight();
/// Whether it has AVX-512, without which oneDNN has no Winograd convolutions.
bool has_avx512();
/// Whether it has matrix units (AMX) for bf16 and int8.
bool has_matrix_units();
/// "2.6.3, avx512_core_bf16".
std::string description();

/// Makes the calling thread compute alone: its OpenMP regions then start no threads, and so none
/// waits busily.
void use_one_thread();
/// Bounds the memory of compiled kernels that oneDNN keeps, of all networks together.
void limit_kernel_cache();

/// [positions, channels, height, width].
memory::desc activations(int positions, int channels, int height, int width, DataType type,
                         Layout layout);

/// relu(factor * (weight * x + bias) + destination), stride 1, zeroes outside the board; factor,
/// destination and ReLU where they are asked for. (Int8 results are scaled with `factor`, not with
/// oneDNN's scales: those are constants of the compiled kernel in version 2, which would have to
/// be compiled for every network anew.)
struct ConvolutionSpec {
  int positions = 1;
  int height = 0;
  int width = 0;
  int in = 0;
  int out = 0;
  int size = 3;  // 1 or 3
  DataType source = DataType::f32;
  DataType destination = DataType::f32;
  Layout layout = Layout::ChannelsLast;
  bool winograd = false;
  bool factor = false;      // one per output channel
  bool accumulate = false;  // adds what is in the destination
  bool relu = false;
};

/// One layer's weights, in the formats of the convolutions that were prepared with them.
class Weights {
 public:
  Weights() = default;
  /// weight: [out, in, size, size], as float or 8-bit integers; bias, factor: [out]; `factor` may
  /// be empty.
  Weights(const dnnl::engine& engine, const memory::dims& shape, const std::vector<float>& weight,
          const std::vector<float>& bias, const std::vector<float>& factor = {});
  Weights(const dnnl::engine& engine, const memory::dims& shape,
          const std::vector<std::int8_t>& weight, const std::vector<float>& bias,
          const std::vector<float>& factor);

 private:
  friend class Convolution;
  Weights(const dnnl::engine& engine, const memory::dims& shape, DataType type, const void* weight,
          const std::vector<float>& bias, const std::vector<float>& factor);

  memory plain_;                // [out, in, size, size]
  std::vector<memory> packed_;  // in each format that is needed
  memory bias_, factor_;        // [out], [1, out, 1, 1]
};

/// A compiled convolution. Safe for several threads, each with its own memory and stream.
class Convolution {
 public:
  Convolution() = default;
  /// Throws dnnl::error if oneDNN has no such convolution on this processor.
  Convolution(const dnnl::engine& engine, const ConvolutionSpec& spec);

  /// oneDNN's name of the implementation: "brgconv:avx512_core_vnni".
  const std::string& implementation() const { return implementation_; }
  /// False for oneDNN's plain loops, which are hundreds of times slower.
  bool optimised() const;
  std::size_t scratch_bytes() const { return scratch_; }
  const memory::desc& source() const { return source_; }
  const memory::desc& destination() const { return destination_; }

  /// Brings `weights` into this convolution's format; call it before run().
  void prepare(const dnnl::engine& engine, Weights& weights) const;
  /// `scratch`: at least scratch_bytes(), of this thread.
  void run(const dnnl::stream& stream, const Weights& weights, const memory& source,
           const memory& destination, const memory& scratch) const;

 private:
  dnnl::primitive primitive_;
  memory::desc source_, destination_, weights_;
  std::string implementation_;
  std::size_t scratch_ = 0;
  bool factor_ = false;
};

}  // namespace faultline::onednn
