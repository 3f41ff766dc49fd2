// The calls into oneDNN, versions 2.6 and 3.
#include "model/inference/onednn/library.h"

#include <array>
#include <cassert>
#include <cstring>

#include <omp.h>

namespace faultline::onednn {
namespace {

bool has_isa(dnnl::cpu_isa wanted) {
  // The values are sets of bits, one for each extension.
  const auto bits = [](dnnl::cpu_isa isa) { return static_cast<unsigned>(isa); };
  return (bits(dnnl::get_effective_cpu_isa()) & bits(wanted)) == bits(wanted);
}

memory::format_tag tag_of(Layout layout) {
  static_assert(kBlock == 16);
  return layout == Layout::ChannelsLast ? memory::format_tag::nhwc : memory::format_tag::nChw16c;
}

DataType weight_type(DataType source) {
  return source == DataType::u8 ? DataType::s8 : source;
}

/// What follows a convolution, in this order.
dnnl::primitive_attr attributes(const ConvolutionSpec& spec) {
  dnnl::post_ops then;
  if (spec.factor)
    then.append_binary(dnnl::algorithm::binary_mul,
                       memory::desc({1, spec.out, 1, 1}, DataType::f32, memory::format_tag::nchw));
  if (spec.accumulate) then.append_sum(1.0F);
#if DNNL_VERSION_MAJOR >= 3
  if (spec.relu) then.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#else
  if (spec.relu) then.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#endif
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(then);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::convolution_forward::primitive_desc describe(const dnnl::engine& engine,
                                                   const ConvolutionSpec& spec) {
  const auto source =
      activations(spec.positions, spec.in, spec.height, spec.width, spec.source, spec.layout);
  const auto destination =
      activations(spec.positions, spec.out, spec.height, spec.width, spec.destination, spec.layout);
  const memory::desc weights({spec.out, spec.in, spec.size, spec.size}, weight_type(spec.source),
                             memory::format_tag::any);
  const memory::desc bias({spec.out}, DataType::f32, memory::format_tag::x);
  const memory::dims stride = {1, 1}, margin = {spec.size / 2, spec.size / 2};
  const auto algorithm =
      spec.winograd ? dnnl::algorithm::convolution_winograd : dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine,          dnnl::prop_kind::forward_inference,
          algorithm,       source,
          weights,         bias,
          destination,     stride,
          margin,          margin,
          attributes(spec)};
#else
  return {dnnl::convolution_forward::desc(dnnl::prop_kind::forward_inference, algorithm, source,
                                          weights, bias, destination, stride, margin, margin),
          attributes(spec), engine};
#endif
}

/// Copies `values` into memory of its own.
memory filled(const dnnl::engine& engine, const memory::desc& desc, const void* values) {
  memory to(desc, engine);
  std::memcpy(to.get_data_handle(), values, desc.get_size());
  return to;
}

}  // namespace

bool runs_natively(Precision precision) {
  switch (precision) {
    case Precision::Fp32:
      return true;
    case Precision::Bf16:
      return has_isa(dnnl::cpu_isa::avx512_core_bf16);
    case Precision::Int8:
      return has_isa(dnnl::cpu_isa::avx2);
  }
  return false;
}

int largest_weight() {
  const bool adds_in_32_bits =
      has_isa(dnnl::cpu_isa::avx512_core_vnni) || has_isa(dnnl::cpu_isa::avx2_vnni);
  return adds_in_32_bits ? 127 : 63;
}

bool has_avx512() {
  return has_isa(dnnl::cpu_isa::avx512_core);
}

bool has_matrix_units() {
  return has_isa(dnnl::cpu_isa::avx512_core_amx);
}

std::string description() {
  const dnnl_version_t* const version = dnnl_version();
  const auto isa = [] {
    if (has_isa(dnnl::cpu_isa::avx512_core_amx)) return "avx512_core_amx";
    if (has_isa(dnnl::cpu_isa::avx512_core_bf16)) return "avx512_core_bf16";
    if (has_isa(dnnl::cpu_isa::avx512_core_vnni)) return "avx512_core_vnni";
    if (has_isa(dnnl::cpu_isa::avx512_core)) return "avx512_core";
    if (has_isa(dnnl::cpu_isa::avx2_vnni)) return "avx2_vnni";
    return has_isa(dnnl::cpu_isa::avx2) ? "avx2" : "sse41";
  };
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch) + " " + isa();
}

void use_one_thread() {
  if (omp_get_max_threads() != 1) omp_set_num_threads(1);
}

void limit_kernel_cache() {
  // A network has about twenty kernels (five convolutions at four group sizes); LibTorch's training
  // shares the cache. Oldest first, kernels that no network uses any more are dropped.
  constexpr int kKernels = 256;
  if (dnnl::get_primitive_cache_capacity() != kKernels)
    dnnl::set_primitive_cache_capacity(kKernels);
}

memory::desc activations(int positions, int channels, int height, int width, DataType type,
                         Layout layout) {
  assert(channels % kBlock == 0);
  return {{positions, channels, height, width}, type, tag_of(layout)};
}

Weights::Weights(const dnnl::engine& engine, const memory::dims& shape,
                 const std::vector<float>& weight, const std::vector<float>& bias,
                 const std::vector<float>& factor)
    : Weights(engine, shape, DataType::f32, weight.data(), bias, factor) {}
Weights::Weights(const dnnl::engine& engine, const memory::dims& shape,
                 const std::vector<std::int8_t>& weight, const std::vector<float>& bias,
                 const std::vector<float>& factor)
    : Weights(engine, shape, DataType::s8, weight.data(), bias, factor) {}
Weights::Weights(const dnnl::engine& engine, const memory::dims& shape, DataType type,
                 const void* weight, const std::vector<float>& bias,
                 const std::vector<float>& factor)
    : plain_(filled(engine, {shape, type, memory::format_tag::oihw}, weight)),
      bias_(filled(engine, {{shape[0]}, DataType::f32, memory::format_tag::x}, bias.data())) {
  assert(bias.size() == static_cast<std::size_t>(shape[0]));
  assert(factor.empty() || factor.size() == bias.size());
  if (!factor.empty())
    factor_ = filled(engine, {{1, shape[0], 1, 1}, DataType::f32, memory::format_tag::nchw},
                     factor.data());
}

Convolution::Convolution(const dnnl::engine& engine, const ConvolutionSpec& spec)
    : factor_(spec.factor) {
  const auto description = describe(engine, spec);
  source_ = description.src_desc();
  destination_ = description.dst_desc();
  weights_ = description.weights_desc();
  implementation_ = description.impl_info_str();
  scratch_ = description.scratchpad_desc().get_size();
  primitive_ = dnnl::convolution_forward(description);
}

bool Convolution::optimised() const {
  return implementation_.find("ref") == std::string::npos &&
         implementation_.find("gemm") == std::string::npos;
}

void Convolution::prepare(const dnnl::engine& engine, Weights& weights) const {
  for (const memory& packed : weights.packed_)
    if (packed.get_desc() == weights_) return;
  memory packed(weights_, engine);
  dnnl::stream stream(engine);
  dnnl::reorder(weights.plain_, packed).execute(stream, weights.plain_, packed);
  stream.wait();
  weights.packed_.push_back(std::move(packed));
}

void Convolution::run(const dnnl::stream& stream, const Weights& weights, const memory& source,
                      const memory& destination, const memory& scratch) const {
  const memory* packed = nullptr;
  for (const memory& candidate : weights.packed_)
    if (weights.packed_.size() == 1 || candidate.get_desc() == weights_) packed = &candidate;
  assert(packed != nullptr);
  // The C interface: the C++ one would build a map for each call.
  std::array<dnnl_exec_arg_t, 6> arguments = {{{DNNL_ARG_SRC, source.get()},
                                               {DNNL_ARG_DST, destination.get()},
                                               {DNNL_ARG_WEIGHTS, packed->get()},
                                               {DNNL_ARG_BIAS, weights.bias_.get()},
                                               {DNNL_ARG_SCRATCHPAD, scratch.get()},
                                               {}}};
  int count = 5;
  if (factor_)
    arguments[static_cast<std::size_t>(count++)] = {
        DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, weights.factor_.get()};
  dnnl::error::wrap_c_api(
      dnnl_primitive_execute(primitive_.get(), stream.get(), count, arguments.data()),
      "a convolution could not be executed");
}

}  // namespace faultline::onednn
