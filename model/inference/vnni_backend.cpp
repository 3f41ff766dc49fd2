// 8-bit inference with our own kernels: batches, and the heads after their convolution.
#include "model/inference/vnni_backend.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/inference/cpu_trunk.h"
#include "model/inference/head_kernels.h"
#include "model/inference/vnni_network.h"

namespace faultline {
namespace {

class VnniBackend;

class VnniBatch final : public BackendBatch {
 public:
  VnniBatch(std::size_t floats, const VnniBackend& backend, const VnniNetwork& network)
      : BackendBatch(floats), owner(&backend), memory(network) {}
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;

  const VnniBackend* owner;
  VnniNetwork::Memory memory;
  std::vector<float> seen, hidden, raw;  // of the whole batch

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
};

const VnniKernels& kernels() {
  if (!has_vnni_backend())
    throw std::runtime_error("int8: this processor or this build has no AVX-512 with VNNI");
  return *vnni_kernels();
}

class VnniBackend final : public Backend {
 public:
  explicit VnniBackend(const FoldedNetwork& network)
      : encoding_(network.encoding),
        config_(network.config),
        network_(network, kernels()),
        policy_{.dim = static_cast<std::size_t>(config_.policy_dim),
                .levels = static_cast<std::size_t>(encoding_.levels),
                .kind_queries = network.kind_queries.values,
                .kind_biases = network.kind_biases.values},
        value_begin_(static_cast<std::size_t>(2 * network.query_channels())),
        value_hidden_(make_dense(network.value_hidden)),
        value_out_(make_dense(network.value_out)) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<VnniBatch>(encoding_.floats(), *this, network_);
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<VnniBatch*>(&given);
    if (batch == nullptr || batch->owner != this)
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    const std::size_t count = batch->count();
    batch->seen.resize(count * value_hidden_.inputs());
    for (std::size_t i = 0; i < count; ++i)
      read_heads(*batch, i, network_.run(batch->planes(i).data(), batch->memory));
    batch->hidden.resize(count * value_hidden_.outputs());
    batch->raw.resize(count * value_out_.outputs());
    value_hidden_.apply(batch->seen.data(), count, batch->hidden.data(), true);
    value_out_.apply(batch->hidden.data(), count, batch->raw.data(), false);
    batch->finish_outputs(batch->raw);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "cpu int8, avx512_vnni, " + faultline::describe(config_) + ", folded batch norms";
  }

 private:
  void read_heads(VnniBatch& batch, std::size_t position, const float* heads) const {
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

  BackendAttributes attributes_ = {.name = "cpu", .precision = Precision::Int8, .best_batch = 32};
  EncodingInfo encoding_;
  NetConfig config_;
  VnniNetwork network_;
  PolicyHead policy_;
  std::size_t value_begin_;  // the first of the heads' channels that belongs to the value head
  DenseLayer value_hidden_;
  DenseLayer value_out_;
};

}  // namespace

bool has_vnni_backend() {
  return vnni_kernels() != nullptr;
}

std::shared_ptr<Backend> make_vnni_backend(const FoldedNetwork& network) {
  return std::make_shared<VnniBackend>(network);
}

}  // namespace faultline
