// Inference on a CPU by the hand-written kernels, one thread a caller.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "model/inference/backends.h"
#include "model/inference/convolution.h"
#include "model/inference/head_kernels.h"

namespace faultline {
namespace {

/// Row-major values of a tensor.
std::vector<float> values(const at::Tensor& tensor) {
  const auto plain = tensor.contiguous();
  const float* data = plain.data_ptr<float>();
  return {data, data + plain.numel()};
}
DenseLayer dense(const FoldedLinear& level) {
  return {values(level.weight), values(level.bias)};
}

/// Buffers of one batch, kept from one submission to the next.
struct CpuState final : BackendState {
  /// Room for `count` positions.
  CpuState(const std::array<Canvas, 3>& canvases, std::size_t count)
      : shapes(canvases),
        planes(count * canvases[0].floats()),
        heads(count * canvases[2].floats()) {
    tower.fill(AlignedFloats(count * canvases[1].floats()));
  }
  std::array<Canvas, 3> shapes;  // input, tower, heads: what the buffers were made for
  AlignedFloats planes;
  std::array<AlignedFloats, 3> tower;  // a block's input, its middle, its output
  AlignedFloats heads;
  std::vector<float> seen, hidden, raw;
};

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const FoldedNetwork& network)
      : encoding_(network.encoding),
        config_(network.config),
        value_hidden_(dense(network.value_hidden)),
        value_out_(dense(network.value_out)) {
    const Canvas planes = canvas(encoding_.plane_count()), tower = canvas(config_.channels);
    const auto convolution = [](const FoldedConv& conv, Canvas in, Canvas out) {
      return Convolution(values(conv.weight), values(conv.bias), in, out);
    };
    stem_ = convolution(network.stem, planes, tower);
    for (const FoldedBlock& block : network.blocks) {
      blocks_.push_back({convolution(block.first, tower, tower),
                         convolution(block.second, tower, tower), std::nullopt});
      if (block.squeeze_excite)
        blocks_.back().squeeze_excite = SqueezeExcite{dense(block.squeeze_excite->squeeze),
                                                      dense(block.squeeze_excite->excite)};
    }
    heads_ = convolution(network.heads, tower, canvas(network.head_channels()));
    policy_.dim = static_cast<std::size_t>(config_.policy_dim);
    policy_.levels = static_cast<std::size_t>(encoding_.levels);
    value_begin_ = static_cast<std::size_t>(2 * network.query_channels());
    policy_.kind_queries = values(network.kind_queries);
    policy_.kind_biases = values(network.kind_biases);

    // Layer by level over a few positions at a time: enough to use the weights often, few enough
    // for their activations to stay in the second-level cache.
    constexpr std::size_t kCacheFloats = 256 * 1024 / sizeof(float);
    group_ = std::clamp<std::size_t>(kCacheFloats / (2 * tower.floats()), 1, 16);
  }

  void submit(BackendBatch& batch) override {
    check_inputs(batch, encoding_);
    batch.priors.resize(batch.moves.size());
    CpuState& state = state_of(batch);
    state.seen.resize(batch.count * value_hidden_.inputs());
    for (std::size_t first = 0; first < batch.count; first += group_)
      run_group(batch, state, first, std::min(group_, batch.count - first));
    state.hidden.resize(batch.count * value_hidden_.outputs());
    state.raw.resize(batch.count * value_out_.outputs());
    value_hidden_.apply(state.seen.data(), batch.count, state.hidden.data(), true);
    value_out_.apply(state.hidden.data(), batch.count, state.raw.data(), false);
    finish_outputs(batch, state.raw);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "cpu fp32, " + std::to_string(kLanes) + " lanes, " + faultline::describe(config_) +
           ", folded batch norms";
  }

 private:
  struct Block {
    Convolution first, second;
    std::optional<SqueezeExcite> squeeze_excite;
  };

  Canvas canvas(int channels) const {
    return {static_cast<std::size_t>(encoding_.height), static_cast<std::size_t>(encoding_.width),
            static_cast<std::size_t>(channels)};
  }

  CpuState& state_of(BackendBatch& batch) const {
    const std::array<Canvas, 3> shapes = {stem_.in(), stem_.out(), heads_.out()};
    auto* state = dynamic_cast<CpuState*>(batch.state.get());
    // A batch may come from a backend of another net: borders and padding must be zero for this
    // one.
    if (state == nullptr || state->shapes != shapes) {
      auto fresh = std::make_unique<CpuState>(shapes, group_);
      state = fresh.get();
      batch.state = std::move(fresh);
    }
    return *state;
  }

  void run_group(BackendBatch& batch, CpuState& state, std::size_t first, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i)
      write_canvas(batch.planes.data() + (first + i) * encoding_.floats(), stem_.in(),
                   state.planes.data() + i * stem_.in().floats());
    float* x = state.tower[0].data();
    float* const middle = state.tower[1].data();
    float* y = state.tower[2].data();
    stem_.apply(state.planes.data(), count, nullptr, x, true);
    for (const Block& block : blocks_) {
      block.first.apply(x, count, nullptr, middle, true);
      if (block.squeeze_excite) {
        block.second.apply(middle, count, nullptr, y, false);
        block.squeeze_excite->apply(stem_.out(), count, x, y);
        std::swap(x, y);
      } else {
        block.second.apply(middle, count, x, x, true);
      }
    }
    heads_.apply(x, count, nullptr, state.heads.data(), false);
    for (std::size_t i = 0; i < count; ++i)
      read_heads(batch, state, first + i, state.heads.data() + i * heads_.out().floats());
  }

  void read_heads(BackendBatch& batch, CpuState& state, std::size_t position,
                  const float* heads) const {
    const Canvas& canvas = heads_.out();
    const std::size_t begin = batch.first_move[position], end = batch.first_move[position + 1];
    policy_.logits(canvas, heads, std::span(batch.moves).subspan(begin, end - begin),
                   batch.priors.data() + begin);
    const auto channels = static_cast<std::size_t>(config_.value_channels);
    float* seen = state.seen.data() + position * value_hidden_.inputs();
    for (std::size_t row = 0; row < canvas.height; ++row)
      for (std::size_t column = 0; column < canvas.width; ++column) {
        const float* from =
            heads + canvas.row_begin(row) + column * canvas.cell_stride() + value_begin_;
        for (std::size_t c = 0; c < channels; ++c)
          *seen++ = from[c] > 0 ? from[c] : 0.0F;
      }
  }

  EncodingInfo encoding_;
  NetConfig config_;
  Convolution stem_;
  std::vector<Block> blocks_;
  Convolution heads_;
  PolicyHead policy_;
  std::size_t value_begin_ = 0;  // the channel of the heads with which the value's begin
  DenseLayer value_hidden_;
  DenseLayer value_out_;
  std::size_t group_ = 1;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(FoldedNetwork network) {
  return std::make_shared<CpuBackend>(network);
}

}  // namespace faultline
