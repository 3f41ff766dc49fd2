// 8-bit inference with our own kernels: batches, and the heads after their convolution.
#include "model/inference/vnni_backend.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "model/inference/network_heads.h"
#include "model/inference/vnni_network.h"

namespace faultline {
namespace {

class VnniBackend;

class VnniBatch final : public HostBatch {
 public:
  VnniBatch(std::size_t floats, const VnniBackend& backend, const VnniNetwork& network)
      : HostBatch(floats), owner(&backend), memory(network) {}
  const VnniBackend* owner;
  VnniNetwork::Memory memory;
};

const VnniKernels& kernels() {
  if (!has_vnni_backend())
    throw std::runtime_error("int8: this processor or this build has no AVX-512 with VNNI");
  return *vnni_kernels();
}

class VnniBackend final : public Backend {
 public:
  VnniBackend(const FoldedNetwork& network, bool bf16_heads)
      : encoding_(network.encoding),
        config_(network.config),
        network_(network, kernels(), bf16_heads),
        heads_(network) {}

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
    const auto width = static_cast<std::size_t>(encoding_.width);
    const auto cells = static_cast<std::size_t>(encoding_.cells());
    const std::size_t stride = network_.head_stride();
    heads_.begin(*batch);
    const CellPlaces places{.board_stride = cells * stride,
                            .width = width,
                            .row_stride = width * stride,
                            .cell_stride = stride};
    for (std::size_t first = 0; first < count; first += network_.group()) {
      const std::size_t group = std::min(network_.group(), count - first);
      const float* const heads = network_.run(batch->planes(first).data(), group, batch->memory);
      const std::vector<std::size_t>& first_board = batch->memory.first_board;
      for (std::size_t i = 0; i < group; ++i)
        heads_.read(*batch, first + i, first_board[i + 1] - first_board[i], places,
                    heads + first_board[i] * network_.heads_floats());
    }
    heads_.finish(*batch);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "cpu int8, avx512_vnni, " + faultline::describe(config_) + ", folded batch norms";
  }

 private:
  BackendAttributes attributes_ = {.name = "cpu", .precision = Precision::Int8, .best_batch = 16};
  EncodingInfo encoding_;
  NetConfig config_;
  VnniNetwork network_;
  NetworkHeads heads_;
};

}  // namespace

bool has_vnni_backend() {
  return vnni_kernels() != nullptr;
}

std::shared_ptr<Backend> make_vnni_backend(const FoldedNetwork& network, bool bf16_heads) {
  return std::make_shared<VnniBackend>(network, bf16_heads);
}

}  // namespace faultline
