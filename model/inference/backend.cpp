// Code shared by the batches of all backends.
#include "model/inference/backend.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/inference/head_kernels.h"
#include "model/network_description.h"

namespace faultline {

void BackendBatch::resize(std::size_t count, std::size_t moves) {
  planes_ = allocate_planes(count * floats_).first(count * floats_);
  moves_.resize(moves);
  first_move_.resize(count + 1);
  wdl_.resize(3 * count);
  moves_left_.resize(count);
  priors_.resize(moves);
  count_ = count;
}

void BackendBatch::check_inputs(std::size_t largest) const {
  if (count_ > largest)
    throw std::invalid_argument("batch: " + std::to_string(count_) +
                                " positions; this backend takes " + std::to_string(largest) +
                                " at most");
  if (first_move_.front() != 0 || first_move_.back() != moves_.size() ||
      !std::ranges::is_sorted(first_move_))
    throw std::invalid_argument("batch: first_move does not match the moves");
}

void BackendBatch::finish_outputs(std::span<const float> raw) {
  // Weights can be finite and their products too large; no search survives values that are no
  // numbers.
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(raw.first(4 * count_), is_finite) ||
      !std::ranges::all_of(std::span(priors_).first(first_move_.back()), is_finite))
    throw std::runtime_error("the network's output overflows: its weights are too large");
  for (std::size_t i = 0; i < count_; ++i) {
    const auto wdl = std::span(wdl_).subspan(3 * i, 3);
    std::ranges::copy(raw.subspan(4 * i, 3), wdl.begin());
    softmax(wdl);
    moves_left_[i] = kMovesLeftScale * softplus(raw[4 * i + 3]);
    const std::size_t first = first_move_[i], end = first_move_[i + 1];
    if (end > first) softmax(std::span(priors_).subspan(first, end - first));
  }
}

}  // namespace faultline
