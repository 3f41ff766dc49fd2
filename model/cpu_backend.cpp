// Inference on a CPU: oneDNN's float convolutions on channels-last memory, one thread a caller.
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "model/backends.h"
#include "model/head_kernels.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

std::span<const float> values(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}
std::span<float> values(at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}
DenseLayer dense(const FoldedLinear& layer) {
  return {values(layer.weight), values(layer.bias)};
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(FoldedNetwork network)
      : net_(std::move(network)),
        value_hidden_(dense(net_.value_hidden)),
        value_out_(dense(net_.value_out)) {
    policy_.dim = static_cast<std::size_t>(net_.config.policy_dim);
    const auto queries = values(net_.kind_queries), biases = values(net_.kind_biases);
    policy_.kind_queries.assign(queries.begin(), queries.end());
    policy_.kind_biases.assign(biases.begin(), biases.end());
    for (const FoldedBlock& block : net_.blocks)
      if (block.squeeze_excite)
        squeeze_excites_.push_back(
            {dense(block.squeeze_excite->squeeze), dense(block.squeeze_excite->excite)});
  }

  void submit(BackendBatch& batch) override {
    check_inputs(batch, net_.encoding);
    batch.priors.resize(batch.moves.size());
    if (batch.count == 0) return;
    use_one_thread();
    const c10::InferenceMode inference;
    const at::Tensor heads = convolve(tower(input(batch)), net_.heads);
    policy(batch, heads);
    value(batch, heads);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "libtorch cpu fp32, " + faultline::describe(net_.config) + ", folded batch norms";
  }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(net_.encoding.cells()); }

  at::Tensor input(const BackendBatch& batch) const {
    const EncodingInfo& e = net_.encoding;
    auto x = at::empty({static_cast<std::int64_t>(batch.count), e.plane_count(), e.height, e.width},
                       at::TensorOptions(at::kFloat).memory_format(at::MemoryFormat::ChannelsLast));
    planes_to_channels_last(batch.planes.data(), batch.count, e.planes.size(), cells(),
                            x.data_ptr<float>());
    return x;
  }

  static at::Tensor convolve(const at::Tensor& x, const FoldedConv& conv) {
    return convolve_channels_last(x, conv.weight, conv.bias);
  }

  at::Tensor tower(const at::Tensor& input) const {
    auto x = convolve(input, net_.stem);
    relu(values(x));
    for (std::size_t i = 0; i < net_.blocks.size(); ++i) {
      const FoldedBlock& block = net_.blocks[i];
      auto y = convolve(x, block.first);
      relu(values(y));
      y = convolve(y, block.second);
      if (block.squeeze_excite)
        squeeze_excites_[i].apply(y.data_ptr<float>(), x.data_ptr<float>(),
                                  static_cast<std::size_t>(x.size(0)), cells(),
                                  static_cast<std::size_t>(x.size(1)));
      else
        add_relu(values(y), x.data_ptr<float>());
      x = std::move(y);
    }
    return x;
  }

  void policy(BackendBatch& batch, const at::Tensor& heads) const {
    const auto stride = static_cast<std::size_t>(net_.head_channels());
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::size_t first = batch.first_move[i], end = batch.first_move[i + 1];
      policy_.logits(heads.data_ptr<float>() + i * cells() * stride, stride,
                     std::span(batch.moves).subspan(first, end - first),
                     batch.priors.data() + first);
    }
  }

  void value(BackendBatch& batch, const at::Tensor& heads) const {
    const auto stride = static_cast<std::size_t>(net_.head_channels());
    const auto channels = static_cast<std::size_t>(net_.config.value_channels);
    std::vector<float> seen(batch.count * value_hidden_.inputs());
    const float* row = heads.data_ptr<float>() + (stride - channels);
    for (std::size_t i = 0; i < batch.count * cells(); ++i, row += stride)
      for (std::size_t c = 0; c < channels; ++c)
        seen[i * channels + c] = std::max(row[c], 0.0F);
    std::vector<float> hidden(batch.count * value_hidden_.outputs()), raw(batch.count * 4);
    value_hidden_.apply(seen.data(), batch.count, hidden.data(), true);
    value_out_.apply(hidden.data(), batch.count, raw.data(), false);
    finish_outputs(batch, raw);
  }

  FoldedNetwork net_;
  PolicyHead policy_;
  DenseLayer value_hidden_;
  DenseLayer value_out_;
  std::vector<SqueezeExcite> squeeze_excites_;  // one a block, or none at all
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(FoldedNetwork network) {
  return std::make_shared<CpuBackend>(std::move(network));
}

}  // namespace faultline
