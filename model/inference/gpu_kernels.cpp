// Launches of the kernels.
#include "model/inference/gpu_kernels.h"

#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "model/inference/gpu/kernels.h"
#include "model/inference/gpu_launch.h"
#include "model/inference/made_up.h"

namespace faultline::gpu {
namespace {

SqueezeExciteWeights moved(const SqueezeExciteWeights& w, at::Device device) {
  return {w.squeeze.to(device), w.squeeze_bias.to(device), w.excite.to(device),
          w.excite_bias.to(device)};
}

/// Whether a device's kernel gives what plain operations give on the CPU, for made-up tensors.
bool agrees(at::Device device, std::int64_t channels, std::int64_t squeezed, std::int64_t cells) {
  constexpr std::int64_t kBoards = 3;
  MadeUp made_up;
  const auto x = made_up.bf16({kBoards, channels, cells, 1}),
             y = made_up.bf16({kBoards, channels, cells, 1}), bias = made_up.bf16({channels});
  const SqueezeExciteWeights weights{made_up({channels, squeezed}), made_up({squeezed}),
                                     made_up({squeezed, 2 * channels}), made_up({2 * channels})};
  const auto exact = squeeze_excite_by_operations(
      x.to(at::kFloat), y.to(at::kFloat) + bias.to(at::kFloat).view({1, channels, 1, 1}), weights);
  return agrees_in_bf16(
      exact, squeeze_excite(x.to(device), y.to(device), bias.to(device), moved(weights, device)));
}

/// The same of the other kernels, whose loops on the CPU are the measure.
bool agrees(at::Device device) try {
  MadeUp made_up;
  const PackedPlanes planes{made_up.below(1 << 30, {4, 11, 2}).to(at::kLong).__lshift__(20),
                            made_up({4, 11}), 10, 9};
  const BoardPlaces places{made_up.below(4 * 3 + 1, {9}), made_up.below(11 + 1, {3, 5})};
  const BoardPlaces placed{places.rows.to(device), places.chosen.to(device)};
  const auto heads = made_up.bf16({100, 2 * 2 * 24 + 5});
  const auto indices = made_up.below(6, {3, 50});
  const auto queries = made_up({6, 24}), biases = made_up({6});
  const auto logits = at::empty({50}, at::kFloat), given = at::empty({50}, at::device(device));
  policy_logits(heads, indices, queries, biases, 2, logits);
  policy_logits(heads.to(device), indices.to(device), queries.to(device), biases.to(device), 2,
                given);
  return agrees_in_bf16(place_planes(planes, {}), place_planes(planes.to(device), {})) &&
         agrees_in_bf16(place_planes(planes, places), place_planes(planes.to(device), placed)) &&
         agrees_in_bf16(logits, given) &&
         agrees_in_bf16(value_input(heads, 96), value_input(heads.to(device), 96));
} catch (const std::exception& e) {
  TORCH_WARN("faultline: the program's own kernels fail on ", device.str(), ": ", e.what());
  return false;
}

}  // namespace

bool has_kernels(at::Device device) {
  if (device.is_cpu()) return true;
  static std::mutex mutex;  // guards known
  static std::map<std::string, bool> known;
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = known.try_emplace(device.str(), false);
  if (is_new && driver_has_kernels(device)) {
    found->second = agrees(device);
    if (!found->second)
      TORCH_WARN("faultline: the program's own kernels are not used on ", device.str(),
                 ": they do not compute there what they compute on the CPU");
  }
  return found->second;
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
  if (is_new) try {
      found->second = agrees(squeeze.device(), channels, squeezed, cells);
    } catch (const std::exception& e) {
      TORCH_WARN("faultline: squeeze-and-excitation is computed without its kernel: ", e.what());
    }
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

at::Tensor place_planes(const PackedPlanes& planes, const BoardPlaces& places) {
  const std::int64_t positions = planes.numbers.size(0), plane_count = planes.numbers.size(1);
  const bool all = !places.rows.defined();
  const std::int64_t levels = all ? 1 : places.chosen.size(0),
                     channels = all ? plane_count : places.chosen.size(1),
                     boards = all ? positions : places.rows.size(0);
  auto out =
      at::empty({boards, padded_channels(channels), planes.height, planes.width},
                planes.numbers.options().dtype(at::kBFloat16), at::MemoryFormat::ChannelsLast);
  launch<PlacePlanesKernel>("place_planes",
                            {.words = read<unsigned long>(planes.words),
                             .numbers = read<float>(planes.numbers),
                             .rows = read<int>(places.rows),
                             .chosen = read<int>(places.chosen),
                             .out = write<Bf16>(out),
                             .plane_count = static_cast<int>(plane_count),
                             .cells = static_cast<int>(planes.height * planes.width),
                             .levels = static_cast<int>(levels),
                             .channels = static_cast<int>(channels),
                             .padded = length(out, 1),
                             .row_end = static_cast<int>(positions * levels)},
                            boards, planes.numbers.device());
  return out;
}

at::Tensor unpack_by_operations(const PackedPlanes& planes) {
  const auto places = at::arange(64, planes.words.options());
  const std::int64_t positions = planes.numbers.size(0), count = planes.numbers.size(1);
  return planes.words.unsqueeze(3)
      .__rshift__(places)
      .__and__(1)
      .view({positions, count, -1})
      .narrow(2, 0, planes.height * planes.width)
      .to(at::kFloat)
      .mul_(planes.numbers.unsqueeze(2))
      .view({positions, count, planes.height, planes.width});
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
