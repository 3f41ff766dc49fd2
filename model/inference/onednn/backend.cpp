// Inference with oneDNN: batches, groups of positions, and the heads after their convolution.
#include "model/inference/onednn/backend.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/inference/backend_registry.h"
#include "model/inference/head_kernels.h"
#include "model/inference/onednn/network.h"

namespace faultline {
namespace {

BackendAttributes onednn_attributes(Precision precision) {
  return {.name = "onednn", .precision = precision, .best_batch = 32};
}

DenseLayer dense(const FoldedLinear& layer) {
  return {layer.weight.values, layer.bias.values};
}

class OnednnBackend;

class OnednnBatch final : public BackendBatch {
 public:
  OnednnBatch(std::size_t floats, const OnednnBackend& backend,
              std::shared_ptr<onednn::Network::Workspace> workspace)
      : BackendBatch(floats), owner(&backend), work(std::move(workspace)) {}
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;

  const OnednnBackend* owner;
  std::shared_ptr<onednn::Network::Workspace> work;
  std::vector<float> seen, hidden, raw;  // of the whole batch

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
};

class OnednnBackend final : public Backend {
 public:
  OnednnBackend(const FoldedNetwork& network, Precision precision)
      : attributes_(onednn_attributes(precision)),
        encoding_(network.encoding),
        config_(network.config),
        network_(network, onednn::choose_plan(network, precision)),
        policy_{.dim = static_cast<std::size_t>(config_.policy_dim),
                .levels = static_cast<std::size_t>(encoding_.levels),
                .kind_queries = network.kind_queries.values,
                .kind_biases = network.kind_biases.values},
        value_begin_(static_cast<std::size_t>(2 * network.query_channels())),
        value_hidden_(dense(network.value_hidden)),
        value_out_(dense(network.value_out)) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<OnednnBatch>(encoding_.floats(), *this, network_.make_workspace());
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<OnednnBatch*>(&given);
    if (batch == nullptr || batch->owner != this)
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    onednn::use_one_thread();
    const std::size_t count = batch->count();
    batch->seen.resize(count * value_hidden_.inputs());
    for (std::size_t first = 0; first < count;) {
      const std::size_t group = std::min(network_.largest_group(), std::bit_floor(count - first));
      run_group(*batch, first, group);
      first += group;
    }
    batch->hidden.resize(count * value_hidden_.outputs());
    batch->raw.resize(count * value_out_.outputs());
    value_hidden_.apply(batch->seen.data(), count, batch->hidden.data(), true);
    value_out_.apply(batch->hidden.data(), count, batch->raw.data(), false);
    batch->finish_outputs(batch->raw);
  }
  void wait(BackendBatch&) override {}

  std::string describe() const override {
    return "onednn " + std::string(name(attributes_.precision)) + ", " + onednn::description() +
           ", " + network_.implementation() + ", " + faultline::describe(config_) +
           ", folded batch norms";
  }

 private:
  void run_group(OnednnBatch& batch, std::size_t first, std::size_t count) const {
    const float* const heads = network_.run(batch.planes(first).data(), count, *batch.work);
    const auto cells = static_cast<std::size_t>(encoding_.cells());
    for (std::size_t i = 0; i < count; ++i)
      read_heads(batch, first + i, heads + i * cells * network_.head_stride());
  }

  void read_heads(OnednnBatch& batch, std::size_t position, const float* heads) const {
    const std::size_t stride = network_.head_stride();
    const std::size_t begin = batch.first_move()[position], end = batch.first_move()[position + 1];
    const auto width = static_cast<std::size_t>(encoding_.width);
    policy_.logits({.width = width, .row_stride = width * stride, .cell_stride = stride}, heads,
                   batch.moves().subspan(begin, end - begin), batch.logits().data() + begin);
    const auto channels = static_cast<std::size_t>(config_.value_channels);
    float* seen = batch.seen.data() + position * value_hidden_.inputs();
    for (int cell = 0; cell < encoding_.cells(); ++cell) {
      const float* const from = heads + static_cast<std::size_t>(cell) * stride + value_begin_;
      for (std::size_t c = 0; c < channels; ++c)
        *seen++ = from[c] > 0 ? from[c] : 0.0F;
    }
  }

  BackendAttributes attributes_;
  EncodingInfo encoding_;
  NetConfig config_;
  onednn::Network network_;
  PolicyHead policy_;
  std::size_t value_begin_;  // the first of the heads' channels that belongs to the value head
  DenseLayer value_hidden_;
  DenseLayer value_out_;
};

}  // namespace

std::shared_ptr<Backend> make_onednn_backend(const FoldedNetwork& network, Precision precision) {
  try {
    return std::make_shared<OnednnBackend>(network, precision);
  } catch (const dnnl::error& error) {
    throw std::runtime_error(std::string("oneDNN (") + onednn::description() +
                             ") does not compute this network in " + std::string(name(precision)) +
                             ": " + error.what());
  }
}

void register_onednn_backend(BackendRegistry& registry) {
  registry.add(
      {.name = "onednn",
       .help = "oneDNN: device cpu; precisions fp32, bf16 (with AVX512_BF16), int8",
       .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
         const bool runs = (options.device == "cpu" || options.device == "auto") &&
                           onednn::runs_natively(options.precision);
         return runs ? std::optional(onednn_attributes(options.precision)) : std::nullopt;
       },
       .create =
           [](const FoldedNetwork& network, const BackendOptions& options) {
             return make_onednn_backend(network, options.precision);
           }});
}

}  // namespace faultline
