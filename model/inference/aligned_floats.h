// Arrays for loops over vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace faultline {

/// `count` rounded up to a multiple of `to`.
constexpr std::size_t rounded_up(std::size_t count, std::size_t to) {
  return (count + to - 1) / to * to;
}

/// The floats of a cache line, which are those of the widest vector.
inline constexpr std::size_t kLineFloats = 16;

/// Zero-initialised numbers aligned to a cache line, so that no vector straddles two lines.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t count) : lines_(rounded_up(count, kLine) / kLine) {}
  T* data() { return lines_.empty() ? nullptr : lines_.front().values; }
  const T* data() const { return lines_.empty() ? nullptr : lines_.front().values; }

 private:
  static constexpr std::size_t kLine = kLineFloats * sizeof(float) / sizeof(T);
  struct alignas(64) Line {
    T values[kLine] = {};
  };
  std::vector<Line> lines_;
};
using AlignedFloats = AlignedArray<float>;

}  // namespace faultline
