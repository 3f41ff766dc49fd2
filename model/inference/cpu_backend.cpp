// CPU inference with the hand-written kernels, one thread per caller.
#include "model/inference/cpu_backend.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "model/inference/backend_registry.h"
#include "model/inference/convolution.h"
#include "model/inference/head_kernels.h"

namespace faultline {
namespace {

BackendAttributes cpu_attributes() {
  // The kernels themselves are as fast for one position as for many; encoding and search gain a
  // little from larger batches.
  return {.name = "cpu", .best_batch = 32};
}

DenseLayer dense(const FoldedLinear& layer) {
  return {layer.weight.values, layer.bias.values};
}
Convolution convolution(const FoldedConvolution& folded, const Canvas& in, const Canvas& out) {
  return {folded.weight.values, folded.bias.values, in, out};
}

/// The canvases of a network: the input's, the trunk's, the heads'.
struct Canvases {
  Canvas planes, trunk, heads;
  friend bool operator==(const Canvases&, const Canvases&) = default;
};

/// One batch and the buffers for computing it. The canvases' borders and padding stay zero.
class CpuBatch final : public BackendBatch {
 public:
  /// Activations for `group` positions at a time.
  CpuBatch(std::size_t floats, const Canvases& canvases, std::size_t group)
      : BackendBatch(floats),
        shapes(canvases),
        inputs(group * canvases.planes.floats()),
        heads(group * canvases.heads.floats()) {
    trunk.fill(AlignedFloats(group * canvases.trunk.floats()));
  }
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;

  Canvases shapes;
  AlignedFloats inputs;
  std::array<AlignedFloats, 3> trunk;  // a block's input, its middle, its output
  AlignedFloats heads;
  std::vector<float> seen, hidden, raw;  // of the whole batch

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
};

/// The buffers of the trunk's blocks for a group of positions. `x` holds the activations between
/// two blocks.
struct TrunkBuffers {
  std::size_t count;
  const float* planes;
  float* x;
  float* middle;
  float* y;
};

// The kernels, one for each of FoldedTrunkBlock.

struct Stem {
  Convolution convolution;
  void apply(TrunkBuffers& buffers) const {
    convolution.apply(buffers.planes, buffers.count, nullptr, buffers.x, true);
  }
};

struct ResidualBlock {
  Convolution first, second;
  std::optional<SqueezeExcite> squeeze_excite;
  void apply(TrunkBuffers& b) const {
    first.apply(b.x, b.count, nullptr, b.middle, true);
    if (squeeze_excite) {
      second.apply(b.middle, b.count, nullptr, b.y, false);
      squeeze_excite->apply(second.out(), b.count, b.x, b.y);
      std::swap(b.x, b.y);
    } else {
      second.apply(b.middle, b.count, b.x, b.x, true);
    }
  }
};

using TrunkBlock = std::variant<Stem, ResidualBlock>;

struct TrunkBlockMaker {
  const Canvases& canvases;
  TrunkBlock operator()(const FoldedStem& stem) const {
    return Stem{convolution(stem.convolution, canvases.planes, canvases.trunk)};
  }
  TrunkBlock operator()(const FoldedResidualBlock& folded) const {
    ResidualBlock block{convolution(folded.first, canvases.trunk, canvases.trunk),
                        convolution(folded.second, canvases.trunk, canvases.trunk), std::nullopt};
    if (folded.squeeze_excite)
      block.squeeze_excite = SqueezeExcite{dense(folded.squeeze_excite->squeeze),
                                           dense(folded.squeeze_excite->excite)};
    return block;
  }
};

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const FoldedNetwork& network)
      : encoding_(network.encoding),
        config_(network.config),
        canvases_{canvas(encoding_.plane_count()), canvas(config_.channels),
                  canvas(network.head_channels())},
        heads_(convolution(network.heads, canvases_.trunk, canvases_.heads)),
        policy_{.dim = static_cast<std::size_t>(config_.policy_dim),
                .levels = static_cast<std::size_t>(encoding_.levels),
                .kind_queries = network.kind_queries.values,
                .kind_biases = network.kind_biases.values},
        value_begin_(static_cast<std::size_t>(2 * network.query_channels())),
        value_hidden_(dense(network.value_hidden)),
        value_out_(dense(network.value_out)) {
    for (const FoldedTrunkBlock& block : network.trunk)
      trunk_.push_back(std::visit(TrunkBlockMaker{canvases_}, block));
    // Layer by layer over a few positions at a time: enough to reuse the weights, few enough for
    // their activations to stay in the L2 cache.
    constexpr std::size_t kCacheFloats = 256 * 1024 / sizeof(float);
    group_ = std::clamp<std::size_t>(kCacheFloats / (2 * canvases_.trunk.floats()), 1, 16);
  }

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<CpuBatch>(encoding_.floats(), canvases_, group_);
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<CpuBatch*>(&given);
    // Borders and padding must be zero for this network.
    if (batch == nullptr || batch->shapes != canvases_)
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    const std::size_t count = batch->count();
    batch->seen.resize(count * value_hidden_.inputs());
    for (std::size_t first = 0; first < count; first += group_)
      run_group(*batch, first, std::min(group_, count - first));
    batch->hidden.resize(count * value_hidden_.outputs());
    batch->raw.resize(count * value_out_.outputs());
    value_hidden_.apply(batch->seen.data(), count, batch->hidden.data(), true);
    value_out_.apply(batch->hidden.data(), count, batch->raw.data(), false);
    batch->finish_outputs(batch->raw);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "cpu fp32, " + std::to_string(lane_kernels().lanes) + " lanes, " +
           faultline::describe(config_) + ", folded batch norms";
  }

 private:
  Canvas canvas(int channels) const {
    return {static_cast<std::size_t>(encoding_.height), static_cast<std::size_t>(encoding_.width),
            static_cast<std::size_t>(channels)};
  }

  void run_group(CpuBatch& batch, std::size_t first, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      write_canvas(batch.planes(first + i).data(), canvases_.planes,
                   batch.inputs.data() + i * canvases_.planes.floats());
    TrunkBuffers buffers{.count = count,
                         .planes = batch.inputs.data(),
                         .x = batch.trunk[0].data(),
                         .middle = batch.trunk[1].data(),
                         .y = batch.trunk[2].data()};
    for (const TrunkBlock& block : trunk_)
      std::visit([&](const auto& kernel) { kernel.apply(buffers); }, block);
    heads_.apply(buffers.x, count, nullptr, batch.heads.data(), false);
    for (std::size_t i = 0; i < count; ++i)
      read_heads(batch, first + i, batch.heads.data() + i * canvases_.heads.floats());
  }

  void read_heads(CpuBatch& batch, std::size_t position, const float* heads) const {
    const Canvas& canvas = canvases_.heads;
    const std::size_t begin = batch.first_move()[position], end = batch.first_move()[position + 1];
    policy_.logits(canvas, heads, batch.moves().subspan(begin, end - begin),
                   batch.logits().data() + begin);
    const auto channels = static_cast<std::size_t>(config_.value_channels);
    float* seen = batch.seen.data() + position * value_hidden_.inputs();
    for (std::size_t row = 0; row < canvas.height; ++row)
      for (std::size_t column = 0; column < canvas.width; ++column) {
        const float* from =
            heads + canvas.row_begin(row) + column * canvas.cell_stride() + value_begin_;
        for (std::size_t c = 0; c < channels; ++c)
          *seen++ = from[c] > 0 ? from[c] : 0.0F;
      }
  }

  BackendAttributes attributes_ = cpu_attributes();
  EncodingInfo encoding_;
  NetConfig config_;
  Canvases canvases_;
  std::vector<TrunkBlock> trunk_;
  Convolution heads_;
  PolicyHead policy_;
  std::size_t value_begin_;  // the first of the heads' channels that belongs to the value head
  DenseLayer value_hidden_;
  DenseLayer value_out_;
  std::size_t group_ = 1;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(const FoldedNetwork& network) {
  return std::make_shared<CpuBackend>(network);
}

void register_cpu_backend(BackendRegistry& registry) {
  registry.add(
      {.name = "cpu",
       .help = "kernels of this program: device cpu; precision fp32",
       .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
         const bool runs = (options.device == "cpu" || options.device == "auto") &&
                           options.precision == Precision::Fp32;
         return runs ? std::optional(cpu_attributes()) : std::nullopt;
       },
       .create = [](const FoldedNetwork& network,
                    const BackendOptions&) { return make_cpu_backend(network); }});
}

}  // namespace faultline
