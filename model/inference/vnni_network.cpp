// Packs a network's weights for 8-bit inference.
#include "model/inference/vnni_network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "model/inference/activation_ranges.h"

namespace faultline {
namespace {

std::size_t padded(std::size_t channels) {
  return rounded_up(channels, kVnniLanes);
}

AlignedFloats padded(const std::vector<float>& values, std::size_t size) {
  AlignedFloats result(size);
  std::ranges::copy(values, result.data());
  return result;
}

void check_ranges(const FoldedNetwork& network) {
  if (!network.ranges)
    throw std::invalid_argument("int8: the network has no activation ranges; see calibrate()");
  const std::size_t blocks = network.trunk.size() - 1;
  if (network.ranges->values.size() != ActivationRanges::count(blocks))
    throw std::invalid_argument("int8: the network has " +
                                std::to_string(network.ranges->values.size()) +
                                " activation ranges; " + std::to_string(blocks) + " blocks need " +
                                std::to_string(ActivationRanges::count(blocks)));
}

/// [out, in, 3, 3] as the stem reads it, turned by half a turn: what a cell adds to those around.
AlignedFloats pack_stem(const FoldedConvolution& folded, std::size_t planes, std::size_t channels) {
  const auto outputs = folded.bias.values.size();
  AlignedFloats packed(planes * 9 * channels);
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t i = 0; i < planes; ++i)
      for (std::size_t tap = 0; tap < 9; ++tap)
        packed.data()[vnni_stem_weight_at(planes, channels, i, 8 - tap, o)] =
            folded.weight.values[(o * planes + i) * 9 + tap];
  return packed;
}

/// What planes of ones add at each place of the board, from what pack_stem() returns.
AlignedFloats pack_constants(const AlignedFloats& stem, std::size_t planes, std::size_t channels) {
  AlignedFloats packed(planes * 9 * channels);
  const auto at = [&](std::size_t plane, std::size_t tap, std::size_t channel) {
    return vnni_stem_weight_at(planes, channels, plane, tap, channel);
  };
  // The first row is reached from the row below, which is above in patches, and from itself.
  const auto reaches = [](std::size_t place, std::size_t step) {
    return place == 1 || step == 1 || (place == 0 ? step == 0 : step == 2);
  };
  for (std::size_t i = 0; i < planes; ++i)
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t place = 0; place < 9; ++place) {
        double sum = 0;
        for (std::size_t tap = 0; tap < 9; ++tap)
          if (reaches(place / 3, tap / 3) && reaches(place % 3, tap % 3))
            sum += static_cast<double>(stem.data()[at(i, tap, c)]);
        packed.data()[at(i, place, c)] = static_cast<float>(sum);
      }
  return packed;
}

/// [out, in, 1, 1] as [vectors of outputs, inputs, lanes].
AlignedFloats pack_heads(const FoldedConvolution& folded, std::size_t inputs, std::size_t channels,
                         std::size_t outputs) {
  AlignedFloats packed(outputs * channels);
  for (std::size_t o = 0; o < folded.bias.values.size(); ++o)
    for (std::size_t i = 0; i < inputs; ++i)
      packed.data()[(o / kVnniLanes * channels + i) * kVnniLanes + o % kVnniLanes] =
          folded.weight.values[o * inputs + i];
  return packed;
}

/// The upper half of a float, rounded to the nearest, ties to even.
std::uint16_t rounded_to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// [out, in, 1, 1] as [vectors of outputs, inputs / 2, lanes, 2] upper halves of floats.
AlignedArray<std::uint16_t> pack_bf16_heads(const FoldedConvolution& folded, std::size_t inputs,
                                            std::size_t channels, std::size_t outputs) {
  AlignedArray<std::uint16_t> packed(outputs * channels);
  for (std::size_t o = 0; o < folded.bias.values.size(); ++o)
    for (std::size_t i = 0; i < inputs; ++i)
      packed.data()[((o / kVnniLanes * channels / 2 + i / 2) * kVnniLanes + o % kVnniLanes) * 2 +
                    i % 2] = rounded_to_bf16(folded.weight.values[o * inputs + i]);
  return packed;
}

}  // namespace

VnniNetwork::VnniNetwork(const FoldedNetwork& network, const VnniKernels& kernels, bool bf16_heads)
    : kernels_(&kernels),
      bf16_heads_(bf16_heads),
      canvas_{static_cast<std::size_t>(network.encoding.height),
              static_cast<std::size_t>(network.encoding.width),
              static_cast<std::size_t>(network.config.channels)},
      boards_(network.boards),
      floats_(network.encoding.floats()),
      planes_(static_cast<std::size_t>(network.board_planes())),
      channels_(canvas_.cell_stride()),
      head_channels_(padded(static_cast<std::size_t>(network.head_channels()))) {
  check_ranges(network);
  for (const FoldedTrunkBlock& block : network.trunk)
    std::visit([&](const auto& folded) { add(folded, *network.ranges); }, block);
  if (bf16_heads_)
    heads_halves_ = pack_bf16_heads(network.heads, canvas_.channels, channels_, head_channels_);
  else
    heads_weight_ = pack_heads(network.heads, canvas_.channels, channels_, head_channels_);
  heads_bias_ = padded(network.heads.bias.values, head_channels_);
  constexpr std::size_t kCacheBytes = 512 * 1024;
  if (blocks_.size() * 2 * 9 * channels_ * channels_ > kCacheBytes) group_ = 4;
}

void VnniNetwork::add(const FoldedStem& stem, const ActivationRanges&) {
  stem_weight_ = pack_stem(stem.convolution, planes_, channels_);
  stem_constant_weight_ = pack_constants(stem_weight_, planes_, channels_);
  stem_bias_ = padded(stem.convolution.bias.values, channels_);
  if (stem.exchange) exchange_ = BoardExchange{make_dense(*stem.exchange)};
}

void VnniNetwork::add(const FoldedResidualBlock& folded, const ActivationRanges& ranges) {
  const std::size_t number = blocks_.size();
  const float input = ranges.values[ActivationRanges::input_of(number)] / 255.0F;
  const float middle = ranges.values[ActivationRanges::middle_of(number)] / 255.0F;
  Block& block = blocks_.emplace_back();
  block.first = pack(folded.first, input, middle);
  block.second = pack(folded.second, middle, 1);
  block.input_scale = 1 / input;
  if (folded.squeeze_excite)
    block.squeeze_excite = SqueezeExcite{make_dense(folded.squeeze_excite->squeeze),
                                         make_dense(folded.squeeze_excite->excite)};
}

VnniNetwork::Convolution8 VnniNetwork::pack(const FoldedConvolution& folded, float source,
                                            float result) const {
  const std::size_t count = canvas_.channels, per_output = count * 9;
  Convolution8 packed{.weight = AlignedArray<std::int8_t>(9 * channels_ * channels_),
                      .bias = AlignedFloats(channels_),
                      .factor = AlignedFloats(channels_)};
  std::int8_t* const weight = packed.weight.data();
  // Where the kernel reads an output's vector: after those that are computed before it.
  std::vector<std::size_t> begin, together, place;
  for (std::size_t vector = 0; vector < channels_ / kVnniLanes;) {
    const std::size_t vectors = vnni_vectors(channels_ / kVnniLanes - vector);
    for (std::size_t v = 0; v < vectors; ++v) {
      begin.push_back(vector * kVnniLanes * 9 * channels_);
      together.push_back(vectors);
      place.push_back(v);
    }
    vector += vectors;
  }
  for (std::size_t o = 0; o < count; ++o) {
    const float* const from = folded.weight.values.data() + o * per_output;
    float magnitude = 0;
    for (std::size_t i = 0; i < per_output; ++i)
      magnitude = std::max(magnitude, std::abs(from[i]));
    // A channel without weights has any scale.
    constexpr float kSmallest = 1e-20F, kLargestWeight = 127;
    const float scale = magnitude > kSmallest ? magnitude / kLargestWeight : 1 / source;
    const std::size_t vector = o / kVnniLanes, lane = o % kVnniLanes;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t tap = 0; tap < 9; ++tap) {
        const std::size_t four = (tap * channels_ + i) / 4;
        const std::size_t at = begin[vector] +
                               ((four * together[vector] + place[vector]) * kVnniLanes + lane) * 4 +
                               i % 4;
        weight[at] = static_cast<std::int8_t>(std::lround(from[i * 9 + tap] / scale));
      }
    packed.bias.data()[o] = folded.bias.values[o] / (source * scale);
    packed.factor.data()[o] = source * scale / result;
  }
  return packed;
}

VnniNetwork::Activations::Activations(const VnniNetwork& network)
    : x(network.canvas_.floats()),
      y(network.canvas_.floats()),
      bytes(network.canvas_.floats()),
      middle(network.canvas_.floats()),
      rounded(network.bf16_heads_ ? network.canvas_.floats() : 0) {}

VnniNetwork::Memory::Memory(const VnniNetwork& network)
    : boards(network.group_ * network.boards_.size(), Activations(network)),
      heads(network.group_ * network.boards_.size() * network.heads_floats()),
      cell_planes(vnni_stem_words(network.planes_, network.cells())),
      offsets(9 * network.channels_) {}

VnniConvolutionTask VnniNetwork::task(const Convolution8& convolution,
                                      const std::uint8_t* x) const {
  return {.height = canvas_.height,
          .width = canvas_.width,
          .inputs = channels_,
          .outputs = channels_,
          .x = x,
          .weight = convolution.weight.data(),
          .bias = convolution.bias.data(),
          .factor = convolution.factor.data(),
          .sums = nullptr,
          .plain = nullptr,
          .scale = 1,
          .bytes = nullptr};
}

void VnniNetwork::round(const Block& block, Activations& at) const {
  kernels_->round({.height = canvas_.height,
                   .width = canvas_.width,
                   .channels = channels_,
                   .x = at.x.data(),
                   .scale = block.input_scale,
                   .bytes = at.bytes.data()});
}

void VnniNetwork::run_stem(const float* planes, Memory& memory,
                           std::span<Activations> boards) const {
  for (std::size_t b = 0; b < boards.size(); ++b) {
    kernels_->stem({.height = canvas_.height,
                    .width = canvas_.width,
                    .planes = planes_,
                    .channels = channels_,
                    .x = planes,
                    .chosen = boards_[b].data(),
                    .weight = stem_weight_.data(),
                    .constant_weight = stem_constant_weight_.data(),
                    .bias = stem_bias_.data(),
                    .y = boards[b].x.data(),
                    .cell_planes = memory.cell_planes.data(),
                    .offsets = memory.offsets.data()});
    round(blocks_.front(), boards[b]);
  }
  if (!exchange_) return;
  std::vector<float*> canvases;
  for (Activations& board : boards)
    canvases.push_back(board.x.data());
  exchange_->apply(canvas_, canvases);
  for (Activations& board : boards)
    round(blocks_.front(), board);
}

void VnniNetwork::run_block(const Block& block, const Block* next, Activations& at) const {
  VnniConvolutionTask first = task(block.first, at.bytes.data());
  first.bytes = at.middle.data();
  kernels_->convolve(first);
  VnniConvolutionTask second = task(block.second, at.middle.data());
  if (block.squeeze_excite) {
    second.plain = at.y.data();
    kernels_->convolve(second);
    block.squeeze_excite->apply(canvas_, 1, at.x.data(), at.y.data());
    std::swap(at.x, at.y);
    if (next != nullptr) round(*next, at);
    return;
  }
  second.sums = at.x.data();
  if (next != nullptr) {
    second.scale = next->input_scale;
    second.bytes = at.bytes.data();
  }
  kernels_->convolve(second);
}

void VnniNetwork::run_heads(Activations& at, float* heads) const {
  kernels_->heads({.height = canvas_.height,
                   .width = canvas_.width,
                   .inputs = channels_,
                   .outputs = head_channels_,
                   .x = at.x.data(),
                   .weight = heads_weight_.data(),
                   .bf16_weight = heads_halves_.data(),
                   .rounded = at.rounded.data(),
                   .bias = heads_bias_.data(),
                   .y = heads});
}

const float* VnniNetwork::run(const float* planes, std::size_t count, Memory& memory) const {
  memory.first_board.assign(1, 0);
  for (std::size_t i = 0; i < count; ++i, planes += floats_) {
    const std::size_t first = memory.first_board.back();
    const std::size_t existing = existing_boards(boards_, planes, cells());
    run_stem(planes, memory, std::span(memory.boards).subspan(first, existing));
    memory.first_board.push_back(first + existing);
  }
  const std::span all = std::span(memory.boards).first(memory.first_board.back());
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (Activations& at : all)
      run_block(blocks_[i], i + 1 < blocks_.size() ? &blocks_[i + 1] : nullptr, at);
  for (std::size_t i = 0; i < all.size(); ++i)
    run_heads(all[i], memory.heads.data() + i * heads_floats());
  return memory.heads.data();
}

}  // namespace faultline
