// Inference with oneDNN: batches, groups of positions, and the heads after their convolution.
#include "model/inference/onednn/backend.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/inference/backend_registry.h"
#include "model/inference/network_heads.h"
#include "model/inference/onednn/network.h"

namespace faultline {
namespace {

BackendAttributes onednn_attributes(Precision precision) {
  return {.name = "onednn", .precision = precision, .best_batch = 32};
}

class OnednnBackend;

class OnednnBatch final : public HostBatch {
 public:
  OnednnBatch(std::size_t floats, const OnednnBackend& backend,
              std::shared_ptr<onednn::Network::Workspace> workspace)
      : HostBatch(floats), owner(&backend), work(std::move(workspace)) {}
  const OnednnBackend* owner;
  std::shared_ptr<onednn::Network::Workspace> work;
};

class OnednnBackend final : public Backend {
 public:
  OnednnBackend(const FoldedNetwork& network, Precision precision)
      : attributes_(onednn_attributes(precision)),
        encoding_(network.encoding),
        config_(network.config),
        network_(network, onednn::choose_plan(network, precision)),
        heads_(network) {}

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
    heads_.begin(*batch);
    for (std::size_t first = 0; first < count;) {
      const std::size_t group = std::min(network_.largest_group(), std::bit_floor(count - first));
      run_group(*batch, first, group);
      first += group;
    }
    heads_.finish(*batch);
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
    const auto width = static_cast<std::size_t>(encoding_.width);
    const std::size_t stride = network_.head_stride();
    for (std::size_t i = 0; i < count; ++i)
      heads_.read(batch, first + i,
                  existing_boards(network_.boards(), batch.planes(first + i).data(), cells),
                  {.board_stride = cells * stride,
                   .width = width,
                   .row_stride = width * stride,
                   .cell_stride = stride},
                  heads + i * network_.heads_floats());
  }

  BackendAttributes attributes_;
  EncodingInfo encoding_;
  NetConfig config_;
  onednn::Network network_;
  NetworkHeads heads_;
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
