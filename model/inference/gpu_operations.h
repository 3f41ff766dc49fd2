// Which ways of submitting operations to a GPU are in use.
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

#include "model/inference/precision.h"

namespace faultline {

/// How operations are submitted to a GPU: FAULTLINE_GPU_OPERATIONS, to compare them and to look for
/// faults (docs/inference.md).
enum class GpuOperations : std::uint8_t {
  Plain,     // one by one
  Fused,     // convolutions with bias, residual and ReLU in one
  Recorded,  // fused, and those of a whole batch or of a training step at once
  Kernels,   // recorded, and what lies between convolutions by kernels of this program's own
};
/// Throws std::invalid_argument if the environment's value is none of them.
GpuOperations gpu_operations();
/// Whether the environment names these, or more: on a CPU they are for tests.
bool asks_for(GpuOperations operations);
/// Whether networks of that precision are computed with this program's kernels.
bool uses_kernels(c10::Device device, Precision precision);

}  // namespace faultline
