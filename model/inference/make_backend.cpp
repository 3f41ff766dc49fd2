// Chooses how to run a network, and holds what the ways share.
#include "model/inference/make_backend.h"

#include <stdexcept>

#include "model/inference/backends.h"
#include "model/inference/head_kernels.h"
#include "model/torch_compat.h"

namespace faultline {

std::shared_ptr<Backend> make_backend(const NetworkWeights& weights, const std::string& device,
                                      Precision precision) {
  const at::Device place(resolve_device(device));
  const auto type = precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat;
  auto network = fold(weights, place, type);
  return place.is_cpu() && type == at::kFloat ? make_cpu_backend(std::move(network))
                                              : make_device_backend(std::move(network));
}

void check_inputs(const BackendBatch& batch, const EncodingInfo& encoding) {
  if (batch.planes.size() != batch.count * encoding.floats())
    throw std::invalid_argument("batch: " + std::to_string(batch.planes.size()) +
                                " floats of planes; " + std::to_string(batch.count) +
                                " positions of this network need " +
                                std::to_string(batch.count * encoding.floats()));
  if (batch.first_move.size() != batch.count + 1 || batch.first_move.back() != batch.moves.size())
    throw std::invalid_argument("batch: first_move does not fit the moves");
}

void finish_outputs(BackendBatch& batch, std::span<const float> raw) {
  batch.wdl.resize(3 * batch.count);
  batch.moves_left.resize(batch.count);
  for (std::size_t i = 0; i < batch.count; ++i) {
    const auto wdl = std::span(batch.wdl).subspan(3 * i, 3);
    std::ranges::copy(raw.subspan(4 * i, 3), wdl.begin());
    softmax(wdl);
    batch.moves_left[i] = kMovesLeftScale * softplus(raw[4 * i + 3]);
    const std::size_t first = batch.first_move[i], end = batch.first_move[i + 1];
    if (end > first) softmax(std::span(batch.priors).subspan(first, end - first));
  }
}

}  // namespace faultline
