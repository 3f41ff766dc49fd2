// Which ways of submitting operations to a GPU are in use.
#include "model/inference/gpu_operations.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "model/inference/gpu_kernels.h"

namespace faultline {
namespace {

constexpr const char* kGpuOperations = "FAULTLINE_GPU_OPERATIONS";

}  // namespace

GpuOperations gpu_operations() {
  const char* const wanted = std::getenv(kGpuOperations);
  const std::string_view name = wanted == nullptr ? "" : wanted;
  if (name == "plain") return GpuOperations::Plain;
  if (name == "fused") return GpuOperations::Fused;
  if (name == "recorded") return GpuOperations::Recorded;
  if (name == "kernels" || name.empty()) return GpuOperations::Kernels;
  throw std::invalid_argument(std::string(kGpuOperations) + " is '" + std::string(name) +
                              "'; allowed are plain, fused, recorded and kernels");
}

bool asks_for(GpuOperations operations) {
  return std::getenv(kGpuOperations) != nullptr && gpu_operations() >= operations;
}

bool uses_kernels(c10::Device device, Precision precision) {
  if (precision != Precision::Bf16) return false;
  return device.is_cuda() ? gpu_operations() >= GpuOperations::Kernels && gpu::has_kernels(device)
                          : asks_for(GpuOperations::Kernels);
}

}  // namespace faultline
