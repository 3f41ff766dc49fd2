// Autograd functions on the kernels of gpu/norm_kernels.h.
#include "model/training/norm_kernels.h"

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/inference/gpu/norm_kernels.h"
#include "model/inference/gpu_launch.h"
#include "model/inference/gpu_operations.h"
#include "model/inference/made_up.h"
#include "model/network_description.h"

namespace faultline {
namespace {

using gpu::Bf16;
using gpu::length;
using gpu::read;
using gpu::write;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor channels_last(const at::Tensor& t) {
  return t.contiguous(at::MemoryFormat::ChannelsLast);
}
int cells_of(const at::Tensor& x) {
  return static_cast<int>(x.size(2) * x.size(3));
}
std::int64_t blocks_of_channels(const at::Tensor& x) {
  return (x.size(1) + gpu::NormSums::kChannels - 1) / gpu::NormSums::kChannels;
}
at::TensorOptions floats(const at::Tensor& x) {
  return x.options().dtype(at::kFloat).memory_format(c10::nullopt);
}

struct Statistics {
  at::Tensor sums;          // [boards, 2, channels]: of x - the running mean so far
  at::Tensor coefficients;  // [5, channels]; see gpu::NormForwardKernel
};
Statistics statistics_of(const at::Tensor& x, const BatchNormTensors& norm) {
  Statistics made{at::empty({x.size(0), 2, x.size(1)}, floats(x)),
                  at::empty({5, x.size(1)}, floats(x))};
  gpu::launch<gpu::BoardSumsKernel<false>>("board_sums",
                                           {.x = read<Bf16>(x),
                                            .upstream = nullptr,
                                            .out = nullptr,
                                            .shift = read<float>(norm.mean),
                                            .sums = write<float>(made.sums),
                                            .cells = cells_of(x),
                                            .channels = length(x, 1)},
                                           x.size(0), x.device());
  gpu::launch<gpu::NormForwardKernel>("norm_forward",
                                      {.sums = read<float>(made.sums),
                                       .gain = read<float>(norm.gain),
                                       .bias = read<float>(norm.bias),
                                       .running_mean = write<float>(norm.mean),
                                       .running_variance = write<float>(norm.variance),
                                       .coefficients = write<float>(made.coefficients),
                                       .boards = length(x, 0),
                                       .cells = cells_of(x),
                                       .channels = length(x, 1),
                                       .momentum = static_cast<float>(kBatchNormMomentum),
                                       .epsilon = static_cast<float>(kBatchNormEpsilon)},
                                      blocks_of_channels(x), x.device());
  return made;
}

at::Tensor applied(const at::Tensor& x, const at::Tensor& residual, const at::Tensor& coefficients,
                   const at::Tensor& gates) {
  auto out = at::empty_like(x);
  gpu::launch<gpu::NormApplyKernel>("norm_apply",
                                    {.x = read<Bf16>(x),
                                     .residual = read<Bf16>(residual),
                                     .coefficients = read<float>(coefficients),
                                     .gates = read<float>(gates),
                                     .out = write<Bf16>(out),
                                     .cells = cells_of(x),
                                     .channels = length(x, 1)},
                                    x.size(0), x.device());
  return out;
}

/// [boards, 2, channels]: of the slopes, and of these times (x - mean).
at::Tensor slope_sums(const at::Tensor& x, const at::Tensor& upstream, const at::Tensor& out,
                      const at::Tensor& coefficients) {
  auto sums = at::empty({x.size(0), 2, x.size(1)}, floats(x));
  gpu::launch<gpu::BoardSumsKernel<true>>("slope_sums",
                                          {.x = read<Bf16>(x),
                                           .upstream = read<Bf16>(upstream),
                                           .out = read<Bf16>(out),
                                           .shift = read<float>(coefficients),
                                           .sums = write<float>(sums),
                                           .cells = cells_of(x),
                                           .channels = length(x, 1)},
                                          x.size(0), x.device());
  return sums;
}

struct Gradients {
  at::Tensor x, residual, gain, bias;
};
/// `sums`: of the slopes behind the norm. `gates`: [boards, 2, channels] or undefined.
Gradients gradients_of(const at::Tensor& x, const at::Tensor& upstream, const at::Tensor& out,
                       const at::Tensor& coefficients, const at::Tensor& sums,
                       const at::Tensor& gates, bool has_residual) {
  const std::int64_t channels = x.size(1);
  Gradients to{at::empty_like(x), has_residual ? at::empty_like(x) : at::Tensor(),
               at::empty({channels}, floats(x)), at::empty({channels}, floats(x))};
  const auto slopes = at::empty({3, channels}, floats(x));
  gpu::launch<gpu::NormBackwardKernel>("norm_backward",
                                       {.sums = read<float>(sums),
                                        .coefficients = read<float>(coefficients),
                                        .to_gain = write<float>(to.gain),
                                        .to_bias = write<float>(to.bias),
                                        .slopes = write<float>(slopes),
                                        .boards = length(x, 0),
                                        .cells = cells_of(x),
                                        .channels = length(x, 1)},
                                       blocks_of_channels(x), x.device());
  gpu::launch<gpu::NormSlopesKernel>("norm_slopes",
                                     {.x = read<Bf16>(x),
                                      .upstream = read<Bf16>(upstream),
                                      .out = read<Bf16>(out),
                                      .slopes = read<float>(slopes),
                                      .gates = read<float>(gates),
                                      .to_x = write<Bf16>(to.x),
                                      .to_residual = write<Bf16>(to.residual),
                                      .cells = cells_of(x),
                                      .channels = length(x, 1)},
                                     x.size(0), x.device());
  return to;
}

struct NormReluKernels final : torch::autograd::Function<NormReluKernels> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given_x,
                            const at::Tensor& gain, const at::Tensor& bias, const at::Tensor& mean,
                            const at::Tensor& variance, const at::Tensor& given_residual,
                            bool has_residual) {
    const auto x = channels_last(given_x);
    const auto residual = has_residual ? channels_last(given_residual) : at::Tensor();
    const auto made = statistics_of(x, {gain, bias, mean, variance});
    const auto out = applied(x, residual, made.coefficients, {});
    context->save_for_backward({x, out, made.coefficients});
    context->saved_data["residual"] = has_residual;
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &out = saved[1], &coefficients = saved[2];
    const auto given = channels_last(upstream[0]);
    const Gradients to =
        gradients_of(x, given, out, coefficients, slope_sums(x, given, out, coefficients), {},
                     context->saved_data["residual"].toBool());
    return {to.x, to.gain, to.bias, {}, {}, to.residual, {}};
  }
};

struct NormSqueezeExciteKernels final : torch::autograd::Function<NormSqueezeExciteKernels> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given_x,
                            const at::Tensor& gain, const at::Tensor& bias, const at::Tensor& mean,
                            const at::Tensor& variance, const at::Tensor& given_residual,
                            const at::Tensor& squeeze, const at::Tensor& squeeze_bias,
                            const at::Tensor& excite, const at::Tensor& excite_bias) {
    const auto x = channels_last(given_x), residual = channels_last(given_residual);
    const auto [sums, coefficients] = statistics_of(x, {gain, bias, mean, variance});
    const auto means =
        at::addcmul(coefficients[4], sums.select(1, 0), coefficients[2], 1.0 / cells_of(x));
    const auto squeezed = at::addmm(squeeze_bias, means, squeeze.t()).relu_();
    const auto gates = at::addmm(excite_bias, squeezed, excite.t()).view({x.size(0), 2, x.size(1)});
    gates.select(1, 0).sigmoid_();
    const auto out = applied(x, residual, coefficients, gates);
    context->save_for_backward(
        {x, out, coefficients, sums, means, squeezed, gates, bias, squeeze, excite});
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &out = saved[1], &coefficients = saved[2], &sums = saved[3],
               &means = saved[4], &squeezed = saved[5], &gates = saved[6], &bias = saved[7],
               &squeeze = saved[8], &excite = saved[9];
    const double cells = cells_of(x);
    const auto given = channels_last(upstream[0]);
    const auto slopes = slope_sums(x, given, out, coefficients);
    const auto slope = slopes.select(1, 0), product = slopes.select(1, 1),
               gate = gates.select(1, 0);
    // norm(x) = (x - mean) * scale + bias.
    const auto to_gate = product * coefficients[2] + slope * bias;
    const auto to_excited =
        at::stack({to_gate * gate * (1 - gate), slope}, 1).view({x.size(0), -1});
    const auto to_squeezed = to_excited.mm(excite).mul_(squeezed.gt(0));
    const auto to_means = to_squeezed.mm(squeeze);
    auto centred = sums.select(1, 0) / cells;
    centred -= centred.mean(0, true);
    const auto behind =
        at::stack({gate * slope + to_means, gate * product + to_means * centred}, 1);
    const Gradients to = gradients_of(x, given, out, coefficients, behind,
                                      at::stack({gate, to_means / cells}, 1), true);
    return {to.x,
            to.gain,
            to.bias,
            {},
            {},
            to.residual,
            to_squeezed.t().mm(means),
            to_squeezed.sum(0),
            to_excited.t().mm(squeezed),
            to_excited.sum(0)};
  }
};

/// Value and gradients of both functions for made-up tensors, on a device.
std::vector<at::Tensor> made_up_results(at::Device device) {
  constexpr std::int64_t kChannels = 24, kSqueezed = 5;
  const c10::AutoGradMode with_gradients(true);
  MadeUp made_up;
  const auto leaf = [&](at::Tensor t) { return t.to(device).set_requires_grad(true); };
  const auto x = leaf(made_up.bf16({40, kChannels, 5, 3})),
             residual = leaf(made_up.bf16({40, kChannels, 5, 3}));
  const BatchNormTensors norm{leaf(made_up({kChannels})), leaf(made_up({kChannels})),
                              made_up({kChannels}).to(device), made_up({kChannels}).to(device)};
  const SqueezeExciteTensors layers{
      leaf(made_up({kSqueezed, kChannels})), leaf(made_up({kSqueezed})),
      leaf(made_up({2 * kChannels, kSqueezed})), leaf(made_up({2 * kChannels}))};
  const auto upstream = made_up.bf16({40, kChannels, 5, 3}).to(device);
  const auto one = norm_relu_by_kernels(x, norm, residual),
             two = norm_squeeze_excite_by_kernels(one, norm, x, layers);
  two.backward(upstream);
  return {one.detach(),
          two.detach(),
          x.grad(),
          residual.grad(),
          norm.gain.grad(),
          norm.bias.grad(),
          norm.mean,
          norm.variance,
          layers.squeeze.grad(),
          layers.excite.grad(),
          layers.excite_bias.grad()};
}

bool agrees(at::Device device) try {
  const auto here = made_up_results(at::kCPU), there = made_up_results(device);
  for (std::size_t i = 0; i < here.size(); ++i)
    if (!agrees_in_bf16(here[i], there[i])) {
      TORCH_WARN("faultline: training steps do without this program's kernels on ", device.str(),
                 ": they do not compute there what they compute on the CPU (part ", i, ")");
      return false;
    }
  return true;
} catch (const std::exception& e) {
  TORCH_WARN("faultline: training steps do without this program's kernels on ", device.str(), ": ",
             e.what());
  return false;
}

}  // namespace

bool norm_kernels_fit(const at::Tensor& x) {
  if (x.scalar_type() != at::kBFloat16 || x.size(1) % 8 != 0 ||
      x.size(1) > gpu::BoardThreads::kMostChannels || !uses_kernels(x.device(), Precision::Bf16))
    return false;
  static std::mutex mutex;  // guards known
  static std::map<std::string, bool> known;
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = known.try_emplace(x.device().str(), false);
  if (is_new) found->second = x.is_cpu() || agrees(x.device());
  return found->second;
}

at::Tensor norm_relu_by_kernels(const at::Tensor& x, const BatchNormTensors& norm,
                                const at::Tensor& residual) {
  // LibTorch 1.13 refuses undefined tensors as arguments: see norm_relu().
  return NormReluKernels::apply(x, norm.gain, norm.bias, norm.mean, norm.variance,
                                residual.defined() ? residual : x, residual.defined());
}

at::Tensor norm_squeeze_excite_by_kernels(const at::Tensor& x, const BatchNormTensors& norm,
                                          const at::Tensor& residual,
                                          const SqueezeExciteTensors& layers) {
  return NormSqueezeExciteKernels::apply(x, norm.gain, norm.bias, norm.mean, norm.variance,
                                         residual, layers.squeeze, layers.squeeze_bias,
                                         layers.excite, layers.excite_bias);
}

}  // namespace faultline
