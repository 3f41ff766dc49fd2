// The vector type of the hand-written kernels: as many floats as fit in one register of the target
// CPU.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace faultline {

#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 16;
inline constexpr std::size_t kVectorRegisters = 32;
#elif defined(__AVX__)
inline constexpr std::size_t kLanes = 8;
inline constexpr std::size_t kVectorRegisters = 16;
#else
inline constexpr std::size_t kLanes = 4;
inline constexpr std::size_t kVectorRegisters = 16;
#endif

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

inline Lanes load_lanes(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store_lanes(Lanes lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}
inline Lanes rectified(Lanes lanes) {
  return lanes > 0 ? lanes : Lanes{};
}

/// `count` rounded up to whole vectors.
constexpr std::size_t whole_lanes(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

/// Zero-initialised floats aligned to a cache line, so that no vector straddles two lines.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t count) : lines_((count + kLine - 1) / kLine) {}
  float* data() { return lines_.empty() ? nullptr : lines_.front().values; }
  const float* data() const { return lines_.empty() ? nullptr : lines_.front().values; }

 private:
  static constexpr std::size_t kLine = 16;
  struct alignas(64) Line {
    float values[kLine] = {};
  };
  std::vector<Line> lines_;
};

}  // namespace faultline
