// Many tensors of floats in one flat tensor.
#include "model/training/flat_tensors.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include <c10/core/GradMode.h>

namespace faultline {

std::int64_t FlatTensors::append(std::int64_t floats, bool adjacent) {
  const std::int64_t begin = adjacent ? size_ : (size_ + kAlignment - 1) / kAlignment * kAlignment;
  places_.push_back({begin, floats});
  size_ = begin + floats;
  return begin;
}

std::vector<float> FlatTensors::values(const at::Tensor& flat) const {
  const auto host = flat.detach().to(at::kCPU).contiguous();
  const float* from = host.data_ptr<float>();
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(size_));
  for (const Place& place : places_)
    values.insert(values.end(), from + place.begin, from + place.begin + place.floats);
  return values;
}

void FlatTensors::set_values(const std::vector<float>& values, const at::Tensor& flat) const {
  const c10::NoGradGuard no_grad;
  const auto host = at::zeros({size_}, at::kFloat);
  auto* const to = host.data_ptr<float>();
  std::size_t used = 0;
  for (const Place& place : places_) {
    const auto floats = static_cast<std::size_t>(place.floats);
    if (values.size() - used < floats) throw std::invalid_argument("too few values");
    std::copy_n(values.data() + used, floats, to + place.begin);
    used += floats;
  }
  if (used != values.size()) throw std::invalid_argument("too many values");
  flat.copy_(host);
}

}  // namespace faultline
