// Launches of the kernels.
#include "model/inference/gpu_kernels.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <tuple>

#include "model/inference/gpu/emulation.h"
#include "model/inference/gpu/kernels.h"
#include "model/inference/gpu_driver.h"

namespace faultline::gpu {
namespace {

template <class Kernel>
void launch(const char* name, typename Kernel::Arguments arguments, std::int64_t blocks,
            at::Device device) {
  if (blocks == 0) return;
  if (device.is_cpu())
    emulate<Kernel>(arguments, static_cast<int>(blocks), [](auto&&) {});
  else
    launch_on_gpu(device, name, static_cast<unsigned>(blocks), Kernel::kThreads, &arguments);
}

template <class T>
const T* read(const at::Tensor& t) {
  return t.defined() ? static_cast<const T*>(t.data_ptr()) : nullptr;
}
template <class T>
T* write(const at::Tensor& t) {
  return static_cast<T*>(t.data_ptr());
}
int length(const at::Tensor& t, std::int64_t dimension) {
  return static_cast<int>(t.size(dimension));
}

/// Whether the kernel's result is that of plain operations, for made-up tensors.
bool agrees(const SqueezeExciteWeights& weights, std::int64_t cells) try {
  constexpr std::int64_t kBoards = 3;
  std::mt19937 rng(1);
  const auto made_up = [&](at::IntArrayRef shape) {
    auto values = at::empty(shape, at::kFloat);
    float* const begin = values.data_ptr<float>();
    std::generate_n(begin, values.numel(),
                    [&] { return static_cast<float>(rng()) * 0x1p-31F - 1; });
    return values.to(weights.squeeze.device());
  };
  const auto bf16 = [](const at::Tensor& t) {
    return t.to(at::kBFloat16).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const std::int64_t channels = weights.squeeze.size(0), squeezed = weights.squeeze.size(1);
  const auto x = bf16(made_up({kBoards, channels, cells, 1})),
             y = bf16(made_up({kBoards, channels, cells, 1}));
  const auto bias = made_up({channels}).to(at::kBFloat16);
  const SqueezeExciteWeights made{made_up({channels, squeezed}), made_up({squeezed}),
                                  made_up({squeezed, 2 * channels}), made_up({2 * channels})};
  const auto exact = squeeze_excite_by_operations(
      x.to(at::kFloat), y.to(at::kFloat) + bias.to(at::kFloat).view({1, channels, 1, 1}), made);
  const auto given = squeeze_excite(x, y, bias, made).to(at::kFloat);
  // bf16 has 8 bits of mantissa.
  return (exact - given).abs().max().item<double>() <=
         0.01 * (1 + exact.abs().max().item<double>());
} catch (const std::exception& e) {
  TORCH_WARN("faultline: squeeze-and-excitation is computed without its kernel: ", e.what());
  return false;
}

}  // namespace

bool has_kernels(at::Device device) {
  return device.is_cpu() || driver_has_kernels(device);
}

bool SqueezeExciteWeights::fit(std::int64_t cells) const {
  const std::int64_t channels = squeeze.size(0), squeezed = squeeze.size(1);
  if (channels % 8 != 0 || channels > SqueezeExciteKernel::kMostChannels ||
      squeezed > SqueezeExciteKernel::kThreads || !has_kernels(squeeze.device()))
    return false;
  using Key = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
  static std::mutex mutex;  // guards known
  static std::map<Key, bool> known;
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] =
      known.try_emplace(Key(squeeze.device().str(), channels, squeezed, cells), false);
  if (is_new) found->second = agrees(*this, cells);
  return found->second;
}

at::Tensor squeeze_excite(const at::Tensor& x, const at::Tensor& convolved, const at::Tensor& bias,
                          const SqueezeExciteWeights& weights) {
  const auto old = x.contiguous(at::MemoryFormat::ChannelsLast),
             added = convolved.contiguous(at::MemoryFormat::ChannelsLast);
  auto out = at::empty_like(old);
  launch<SqueezeExciteKernel>("squeeze_excite",
                              {.x = read<Bf16>(old),
                               .convolved = read<Bf16>(added),
                               .bias = read<Bf16>(bias),
                               .squeeze = read<float>(weights.squeeze),
                               .squeeze_bias = read<float>(weights.squeeze_bias),
                               .excite = read<float>(weights.excite),
                               .excite_bias = read<float>(weights.excite_bias),
                               .out = write<Bf16>(out),
                               .cells = static_cast<int>(x.size(2) * x.size(3)),
                               .channels = length(x, 1),
                               .squeezed = length(weights.squeeze, 1)},
                              x.size(0), x.device());
  return out;
}

at::Tensor squeeze_excite_by_operations(const at::Tensor& x, const at::Tensor& y,
                                        const SqueezeExciteWeights& weights) {
  const auto squeezed =
      at::addmm(weights.squeeze_bias, y.mean({2, 3}, false, at::kFloat), weights.squeeze).relu_();
  const auto parts = at::addmm(weights.excite_bias, squeezed, weights.excite)
                         .to(y.scalar_type())
                         .view({y.size(0), 2 * y.size(1), 1, 1})
                         .split(y.size(1), 1);
  return at::addcmul(x, y, parts[0].sigmoid()).add_(parts[1]).relu_();
}

std::int64_t padded_channels(std::int64_t channels) {
  return (channels + 7) / 8 * 8;
}

at::Tensor place_planes(const at::Tensor& planes, const BoardPlaces& places) {
  const bool all = !places.rows.defined();
  const std::int64_t levels = all ? 1 : places.chosen.size(0),
                     channels = all ? planes.size(1) : places.chosen.size(1),
                     boards = all ? planes.size(0) : places.rows.size(0);
  const auto given = planes.contiguous();
  auto out = at::empty({boards, padded_channels(channels), planes.size(2), planes.size(3)},
                       planes.options().dtype(at::kBFloat16), at::MemoryFormat::ChannelsLast);
  launch<PlacePlanesKernel>("place_planes",
                            {.planes = read<float>(given),
                             .rows = read<int>(places.rows),
                             .chosen = read<int>(places.chosen),
                             .out = write<Bf16>(out),
                             .plane_count = length(planes, 1),
                             .cells = static_cast<int>(planes.size(2) * planes.size(3)),
                             .levels = static_cast<int>(levels),
                             .channels = static_cast<int>(channels),
                             .padded = length(out, 1),
                             .row_end = static_cast<int>(planes.size(0) * levels)},
                            boards, planes.device());
  return out;
}

void policy_logits(const at::Tensor& heads, const at::Tensor& indices,
                   const at::Tensor& kind_queries, const at::Tensor& kind_biases,
                   std::int64_t levels, at::Tensor logits) {
  const std::int64_t moves = indices.size(1);
  const int* const from = read<int>(indices);
  launch<PolicyKernel>("policy_logits",
                       {.heads = read<Bf16>(heads),
                        .from = from,
                        .to = from + moves,
                        .kind = from + 2 * moves,
                        .kind_query = read<float>(kind_queries),
                        .kind_bias = read<float>(kind_biases),
                        .logits = write<float>(logits),
                        .moves = static_cast<int>(moves),
                        .dim = length(kind_queries, 1),
                        .levels = static_cast<int>(levels),
                        .channels = length(heads, 1)},
                       (moves + PolicyKernel::kMovesPerBlock - 1) / PolicyKernel::kMovesPerBlock,
                       heads.device());
}

at::Tensor value_input(const at::Tensor& heads, std::int64_t first) {
  auto out = at::empty({heads.size(0), heads.size(1) - first}, heads.options().dtype(at::kFloat));
  launch<ValueInputKernel>(
      "value_input",
      {.heads = read<Bf16>(heads),
       .out = write<float>(out),
       .rows = length(heads, 0),
       .channels = length(heads, 1),
       .first = static_cast<int>(first)},
      (out.numel() + ValueInputKernel::kThreads - 1) / ValueInputKernel::kThreads, heads.device());
  return out;
}

}  // namespace faultline::gpu
