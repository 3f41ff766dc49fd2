// Many tensors of floats in one flat tensor. Includes ATen; for the .cpp files of this folder and
// its tests only.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

namespace faultline {

/// The places of tensors in a flat one. Each begins at a multiple of kAlignment floats, with zeroes
/// in between: libraries of GPUs read 16 bytes at a time wherever a tensor begins (cuDNN's batch
/// norm of bf16 fails with "misaligned address").
class FlatTensors {
 public:
  static constexpr std::int64_t kAlignment = 16;

  /// The next tensor, of so many floats; returns where it begins. `adjacent`: right after the last
  /// one, whatever the alignment.
  std::int64_t append(std::int64_t floats, bool adjacent = false);
  /// Floats of the flat tensor.
  std::int64_t size() const { return size_; }

  /// What a flat tensor holds, without the gaps.
  std::vector<float> values(const at::Tensor& flat) const;
  /// Copies them to a flat tensor on any device, gaps zeroed. Throws std::invalid_argument if it is
  /// another number of values.
  void set_values(const std::vector<float>& values, const at::Tensor& flat) const;

 private:
  struct Place {
    std::int64_t begin, floats;
  };
  std::vector<Place> places_;
  std::int64_t size_ = 0;
};

}  // namespace faultline
