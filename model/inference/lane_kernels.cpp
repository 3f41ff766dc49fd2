// Chooses among the copies of the loops that this build contains.
#include "model/inference/lane_kernels.h"

#include <vector>

namespace faultline {

#ifdef FAULTLINE_PORTABLE
extern const LaneKernels avx2_lane_kernels;
extern const LaneKernels avx512_lane_kernels;
#else
extern const LaneKernels native_lane_kernels;
#endif

std::span<const LaneKernels* const> usable_lane_kernels() {
  static const std::vector<const LaneKernels*> usable = [] {
    std::vector<const LaneKernels*> found;
#ifdef FAULTLINE_PORTABLE
    // The subset that x86-64-v4 names.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      found.push_back(&avx512_lane_kernels);
    found.push_back(&avx2_lane_kernels);
#else
    found.push_back(&native_lane_kernels);
#endif
    return found;
  }();
  return usable;
}

const LaneKernels& lane_kernels() {
  return *usable_lane_kernels().front();
}

}  // namespace faultline
