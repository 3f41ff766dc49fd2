// A network's trunk with the hand-written kernels.
#include "model/inference/cpu_trunk.h"

#include <algorithm>
#include <span>
#include <utility>

namespace faultline {
namespace {

Canvas canvas(const EncodingInfo& encoding, int channels) {
  return {static_cast<std::size_t>(encoding.height), static_cast<std::size_t>(encoding.width),
          static_cast<std::size_t>(channels)};
}

}  // namespace

Canvases::Canvases(const FoldedNetwork& network)
    : planes(canvas(network.encoding, network.board_planes())),
      trunk(canvas(network.encoding, network.config.channels)),
      heads(canvas(network.encoding, network.head_channels())) {}

Convolution make_convolution(const FoldedConvolution& folded, const Canvas& in, const Canvas& out) {
  return {folded.weight.values, folded.bias.values, in, out};
}

CpuTrunkMemory::CpuTrunkMemory(const Canvases& shapes, std::size_t group, std::size_t boards)
    : inputs(group * boards * shapes.planes.floats()) {
  canvases.fill(AlignedFloats(group * boards * shapes.trunk.floats()));
}

struct CpuTrunk::Maker {
  const Canvases& canvases;
  std::variant<Stem, ResidualBlock> operator()(const FoldedStem& stem) const {
    Stem made{make_convolution(stem.convolution, canvases.planes, canvases.trunk), std::nullopt};
    if (stem.exchange) made.exchange = BoardExchange{make_dense(*stem.exchange)};
    return made;
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

CpuTrunk::CpuTrunk(const FoldedNetwork& network)
    : canvases_(network), floats_(network.encoding.floats()), boards_(network.boards) {
  for (const FoldedTrunkBlock& block : network.trunk)
    blocks_.push_back(std::visit(Maker{canvases_}, block));
  // Layer by layer over a few positions at a time: enough to reuse the weights, few enough for
  // their activations to stay in the L2 cache.
  constexpr std::size_t kCacheFloats = 256 * 1024 / sizeof(float);
  group_ = std::clamp<std::size_t>(kCacheFloats / (2 * boards() * canvases_.trunk.floats()), 1, 16);
}

/// Applies blocks to a group of positions. `x` holds the activations between two blocks.
struct CpuTrunk::Run {
  std::span<const std::size_t> first_board;
  std::size_t count;  // boards
  const float* planes;
  float* x;
  float* middle;
  float* y;
  const Observer& observe;

  void report(const float* activations) const {
    if (observe) observe(activations, count);
  }
  void operator()(const Stem& stem) const {
    stem.convolution.apply(planes, count, nullptr, x, true);
    if (stem.exchange) {
      const Canvas& canvas = stem.convolution.out();
      std::vector<float*> boards;
      for (std::size_t i = 0; i + 1 < first_board.size(); ++i) {
        boards.clear();
        for (std::size_t b = first_board[i]; b < first_board[i + 1]; ++b)
          boards.push_back(x + b * canvas.floats());
        stem.exchange->apply(canvas, boards);
      }
    }
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
  const std::size_t cells = canvases_.planes.height * canvases_.planes.width;
  float* to = memory.inputs.data();
  memory.first_board.assign(1, 0);
  for (std::size_t i = 0; i < count; ++i, planes += floats_) {
    const std::size_t existing = existing_boards(boards_, planes, cells);
    for (std::size_t b = 0; b < existing; ++b, to += canvases_.planes.floats())
      write_canvas(planes, boards_[b], canvases_.planes, to);
    memory.first_board.push_back(memory.first_board.back() + existing);
  }
  Run run{.first_board = memory.first_board,
          .count = memory.first_board.back(),
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
