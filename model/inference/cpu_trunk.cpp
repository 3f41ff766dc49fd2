// A network's trunk with the hand-written kernels.
#include "model/inference/cpu_trunk.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

Canvas canvas(const EncodingInfo& encoding, int channels) {
  return {static_cast<std::size_t>(encoding.height), static_cast<std::size_t>(encoding.width),
          static_cast<std::size_t>(channels)};
}

}  // namespace

Canvases::Canvases(const FoldedNetwork& network)
    : planes(canvas(network.encoding, network.encoding.plane_count())),
      trunk(canvas(network.encoding, network.config.channels)),
      heads(canvas(network.encoding, network.head_channels())) {}

Convolution make_convolution(const FoldedConvolution& folded, const Canvas& in, const Canvas& out) {
  return {folded.weight.values, folded.bias.values, in, out};
}

CpuTrunkMemory::CpuTrunkMemory(const Canvases& shapes, std::size_t group)
    : inputs(group * shapes.planes.floats()) {
  canvases.fill(AlignedFloats(group * shapes.trunk.floats()));
}

struct CpuTrunk::Maker {
  const Canvases& canvases;
  std::variant<Stem, ResidualBlock> operator()(const FoldedStem& stem) const {
    return Stem{make_convolution(stem.convolution, canvases.planes, canvases.trunk)};
  }
  std::variant<Stem, ResidualBlock> operator()(const FoldedResidualBlock& folded) const {
    ResidualBlock block{make_convolution(folded.first, canvases.trunk, canvases.trunk),
                        make_convolution(folded.second, canvases.trunk, canvases.trunk),
                        std::nullopt};
    if (folded.squeeze_excite)
      block.squeeze_excite = SqueezeExcite{make_dense(folded.squeeze_excite->squeeze),
                                           make_dense(folded.squeeze_excite->excite)};
    return block;
  }
};

CpuTrunk::CpuTrunk(const FoldedNetwork& network) : canvases_(network) {
  for (const FoldedTrunkBlock& block : network.trunk)
    blocks_.push_back(std::visit(Maker{canvases_}, block));
  // Layer by layer over a few positions at a time: enough to reuse the weights, few enough for
  // their activations to stay in the L2 cache.
  constexpr std::size_t kCacheFloats = 256 * 1024 / sizeof(float);
  group_ = std::clamp<std::size_t>(kCacheFloats / (2 * canvases_.trunk.floats()), 1, 16);
}

/// Applies blocks to a group of positions. `x` holds the activations between two blocks.
struct CpuTrunk::Run {
  std::size_t count;
  const float* planes;
  float* x;
  float* middle;
  float* y;
  const Observer& observe;

  void report(const float* activations) const {
    if (observe) observe(activations);
  }
  void operator()(const Stem& stem) const {
    stem.convolution.apply(planes, count, nullptr, x, true);
    report(x);
  }
  void operator()(const ResidualBlock& block) {
    block.first.apply(x, count, nullptr, middle, true);
    report(middle);
    if (block.squeeze_excite) {
      block.second.apply(middle, count, nullptr, y, false);
      block.squeeze_excite->apply(block.second.out(), count, x, y);
      std::swap(x, y);
    } else {
      block.second.apply(middle, count, x, x, true);
    }
    report(x);
  }
};

const float* CpuTrunk::apply(const float* planes, std::size_t count, CpuTrunkMemory& memory,
                             const Observer& observe) const {
  const std::size_t floats =
      canvases_.planes.channels * canvases_.planes.height * canvases_.planes.width;
  for (std::size_t i = 0; i < count; ++i)
    write_canvas(planes + i * floats, canvases_.planes,
                 memory.inputs.data() + i * canvases_.planes.floats());
  Run run{.count = count,
          .planes = memory.inputs.data(),
          .x = memory.canvases[0].data(),
          .middle = memory.canvases[1].data(),
          .y = memory.canvases[2].data(),
          .observe = observe};
  for (const auto& block : blocks_)
    std::visit(run, block);
  return run.x;
}

}  // namespace faultline
