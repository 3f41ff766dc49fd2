// Inference on any device by LibTorch operations; asynchronous where the device has streams.
#include <algorithm>
#include <optional>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "model/inference/backends.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

/// Host memory of one batch in flight, grown when needed, and the stream it travels on.
struct DeviceState final : BackendState {
  at::Tensor planes;   // float, pinned where the device copies asynchronously
  at::Tensor indices;  // int32
  at::Tensor outputs;  // float
  std::optional<c10::Stream> stream;
};

/// The first `count` elements of `buffer`, which is replaced by a larger one if it is too small.
at::Tensor reserve(at::Tensor& buffer, std::int64_t count, at::ScalarType type, bool pinned) {
  if (!buffer.defined() || buffer.numel() < count)
    buffer = at::empty({count + count / 4}, at::TensorOptions(type).pinned_memory(pinned));
  return buffer.narrow(0, 0, count);
}

class DeviceBackend final : public Backend {
 public:
  explicit DeviceBackend(FoldedNetwork network)
      : net_(std::move(network)), device_(net_.stem.weight.device()) {
    // The weights may still be on their way to the device on this thread's stream.
    if (streams()) guard().getStream(device_).synchronize();
  }

  void submit(BackendBatch& batch) override {
    check_inputs(batch, net_.encoding);
    batch.priors.resize(batch.moves.size());
    if (batch.count == 0) return;
    auto* state = dynamic_cast<DeviceState*>(batch.state.get());
    if (state == nullptr) {
      auto fresh = std::make_unique<DeviceState>();
      if (streams()) fresh->stream = guard().getStreamFromGlobalPool(device_);
      state = fresh.get();
      batch.state = std::move(fresh);
    }
    if (!streams()) use_one_thread();
    const c10::InferenceMode inference;
    c10::OptionalStreamGuard on_stream;
    if (state->stream) on_stream.reset_stream(*state->stream);
    run(batch, *state);
  }

  void wait(BackendBatch& batch) override {
    if (batch.count == 0) return;
    auto* state = dynamic_cast<DeviceState*>(batch.state.get());
    if (state->stream) state->stream->synchronize();
    const float* out = state->outputs.data_ptr<float>();
    std::copy_n(out, batch.priors.size(), batch.priors.begin());
    finish_outputs(batch, {out + batch.priors.size(), 4 * batch.count});
  }

  std::string describe() const override {
    const bool half = net_.stem.weight.scalar_type() == at::kBFloat16;
    return "libtorch " + device_.str() + (half ? " bf16, " : " fp32, ") +
           faultline::describe(net_.config) + ", folded batch norms";
  }

 private:
  bool streams() const { return !device_.is_cpu(); }
  c10::impl::VirtualGuardImpl guard() const { return c10::impl::VirtualGuardImpl(device_.type()); }

  void run(const BackendBatch& batch, DeviceState& state) const {
    const EncodingInfo& e = net_.encoding;
    const auto count = static_cast<std::int64_t>(batch.count);
    const auto moves = static_cast<std::int64_t>(batch.moves.size());

    const auto planes = reserve(state.planes, static_cast<std::int64_t>(batch.planes.size()),
                                at::kFloat, streams());
    std::ranges::copy(batch.planes, planes.data_ptr<float>());
    const auto indices = reserve(state.indices, 3 * moves, at::kInt, streams());
    write_indices(batch, indices.data_ptr<std::int32_t>());

    const auto x = planes.view({count, e.plane_count(), e.height, e.width})
                       .to(device_, /*non_blocking=*/true)
                       .to(net_.stem.weight.scalar_type())
                       .contiguous(at::MemoryFormat::ChannelsLast);
    // [count * cells, head channels]; a view, since channels lie innermost already.
    const auto rows = convolve(tower(x), net_.heads)
                          .permute({0, 2, 3, 1})
                          .reshape({count * e.cells(), net_.head_channels()});
    const auto logits = policy(rows, indices.view({3, moves}).to(device_, /*non_blocking=*/true));
    const auto all = at::cat({logits, value(rows, count).flatten()});
    reserve(state.outputs, all.numel(), at::kFloat, streams()).copy_(all, /*non_blocking=*/true);
  }

  void write_indices(const BackendBatch& batch, std::int32_t* from) const {
    auto* to = from + batch.moves.size();
    auto* kind = to + batch.moves.size();
    const std::int32_t places = net_.encoding.policy_cells();
    for (std::size_t i = 0; i < batch.count; ++i)
      for (std::size_t m = batch.first_move[i]; m < batch.first_move[i + 1]; ++m) {
        const auto first = static_cast<std::int32_t>(i) * places;
        from[m] = first + batch.moves[m].from;
        to[m] = first + batch.moves[m].to;
        kind[m] = batch.moves[m].kind;
      }
  }

  static at::Tensor convolve(const at::Tensor& x, const FoldedConv& conv) {
    const auto padding = conv.weight.size(2) / 2;
    return at::conv2d(x, conv.weight, conv.bias, 1, padding);
  }

  at::Tensor tower(const at::Tensor& input) const {
    auto x = convolve(input, net_.stem).relu_();
    for (const FoldedBlock& block : net_.blocks) {
      auto y = convolve(convolve(x, block.first).relu_(), block.second);
      if (block.squeeze_excite) {
        const auto& se = *block.squeeze_excite;
        const auto mean = y.mean({2, 3}, false, at::kFloat);
        const auto squeezed = at::linear(mean, se.squeeze.weight, se.squeeze.bias).relu_();
        const auto parts = at::linear(squeezed, se.excite.weight, se.excite.bias)
                               .to(y.scalar_type())
                               .view({y.size(0), 2 * y.size(1), 1, 1})
                               .split(y.size(1), 1);
        y = y.mul_(parts[0].sigmoid()).add_(parts[1]);
      }
      x = y.add_(x).relu_();
    }
    return x;
  }

  at::Tensor policy(const at::Tensor& rows, const at::Tensor& indices) const {
    const std::int64_t width = net_.query_channels();
    const auto at_places = [&](std::int64_t first, const at::Tensor& places) {
      return rows.narrow(1, first, width)
          .reshape({-1, net_.config.policy_dim})
          .index_select(0, places)
          .to(at::kFloat);
    };
    const auto queries = at_places(0, indices[0]);
    const auto keys = at_places(width, indices[1]);
    const auto kinds = net_.kind_queries.index_select(0, indices[2]);
    return (queries + kinds).mul_(keys).sum(1).add_(net_.kind_biases.index_select(0, indices[2]));
  }

  at::Tensor value(const at::Tensor& rows, std::int64_t count) const {
    const std::int64_t channels = net_.config.value_channels;
    const auto seen = rows.narrow(1, net_.head_channels() - channels, channels)
                          .to(at::kFloat)
                          .relu()
                          .reshape({count, -1});
    const auto hidden = at::linear(seen, net_.value_hidden.weight, net_.value_hidden.bias).relu_();
    return at::linear(hidden, net_.value_out.weight, net_.value_out.bias);
  }

  FoldedNetwork net_;
  at::Device device_;
};

}  // namespace

std::shared_ptr<Backend> make_device_backend(FoldedNetwork network) {
  return std::make_shared<DeviceBackend>(std::move(network));
}

}  // namespace faultline
