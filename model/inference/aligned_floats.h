// Arrays of floats for loops over vectors.
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

/// Zero-initialised floats aligned to a cache line, so that no vector straddles two lines.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t count)
      : lines_(rounded_up(count, kLineFloats) / kLineFloats) {}
  float* data() { return lines_.empty() ? nullptr : lines_.front().values; }
  const float* data() const { return lines_.empty() ? nullptr : lines_.front().values; }

 private:
  struct alignas(64) Line {
    float values[kLineFloats] = {};
  };
  std::vector<Line> lines_;
};

}  // namespace faultline
