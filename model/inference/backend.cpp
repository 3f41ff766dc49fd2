// Code shared by the batches of all backends.
#include "model/inference/backend.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/inference/head_kernels.h"
#include "model/network_description.h"

namespace faultline {

namespace {

template <class T>
std::span<T> grown(std::vector<T>& memory, std::size_t count) {
  if (memory.size() < count) memory.resize(count);
  return std::span(memory).first(count);
}

}  // namespace

void BackendBatch::resize(std::size_t count, std::size_t moves) {
  if (takes_bits()) {
    const std::size_t planes = count * plane_count_;
    bits_ = allocate_bits(planes * words_per_plane(cells()), planes).part(0, planes, cells());
    planes_ = {};
  } else {
    planes_ = allocate_planes(count * floats_).first(count * floats_);
  }
  moves_ = grown(own_moves_, moves);
  first_move_ = grown(own_first_move_, count + 1);
  wdl_ = grown(own_wdl_, 3 * count);
  moves_left_ = grown(own_moves_left_, count);
  priors_ = grown(own_priors_, moves);
  count_ = count;
}

void BackendBatch::show_part(BackendBatch& of, std::size_t position, std::size_t count,
                             std::size_t move, std::size_t moves) {
  if (takes_bits()) bits_ = of.bits_.part(position * plane_count_, count * plane_count_, cells());
  planes_ =
      takes_bits() ? std::span<float>() : of.planes_.subspan(position * floats_, count * floats_);
  moves_ = of.moves_.subspan(move, moves);
  first_move_ = grown(own_first_move_, count + 1);
  wdl_ = of.wdl_.subspan(3 * position, 3 * count);
  moves_left_ = of.moves_left_.subspan(position, count);
  priors_ = of.priors_.subspan(move, moves);
  count_ = count;
}

BitPlanes BackendBatch::allocate_bits(std::size_t, std::size_t) {
  throw std::logic_error("a batch of floats");
}

void BackendBatch::pack() {
  if (takes_bits() && !planes_.empty()) pack_planes(planes_.data(), cells(), bits_);
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
      !std::ranges::all_of(priors_, is_finite))
    throw std::runtime_error("the network's output overflows: its weights are too large");
  for (std::size_t i = 0; i < count_; ++i) {
    const auto wdl = std::span(own_wdl_).subspan(3 * i, 3);
    std::ranges::copy(raw.subspan(4 * i, 3), wdl.begin());
    softmax(wdl);
    own_moves_left_[i] = kMovesLeftScale * softplus(raw[4 * i + 3]);
    const std::size_t first = first_move_[i], end = first_move_[i + 1];
    if (end > first) softmax(std::span(own_priors_).subspan(first, end - first));
  }
}

}  // namespace faultline
