// Launches of kernels (gpu/kernels.h) on a GPU, and on a CPU as loops. For the files that give
// tensors to kernels.
#pragma once

#include <cstdint>
#include <span>

#include <ATen/ATen.h>

#include "model/inference/gpu/emulation.h"
#include "model/inference/gpu_driver.h"

namespace faultline::gpu {

/// Submits it to the current stream. `name`: the kernel's entry point in gpu/kernels.cu.
template <class Kernel>
void launch(const char* name, typename Kernel::Arguments arguments, std::int64_t blocks,
            at::Device device) {
  if (blocks == 0) return;
  if (device.is_cpu())
    emulate<Kernel>(arguments, static_cast<int>(blocks), [](std::span<int> threads) {
      if (thread_order != nullptr) thread_order(threads);
    });
  else
    launch_on_gpu(device, name, static_cast<unsigned>(blocks), Kernel::kThreads, &arguments);
}

/// A tensor's memory; null of an undefined one.
template <class T>
const T* read(const at::Tensor& t) {
  return t.defined() ? static_cast<const T*>(t.data_ptr()) : nullptr;
}
template <class T>
T* write(const at::Tensor& t) {
  return t.defined() ? static_cast<T*>(t.data_ptr()) : nullptr;
}
inline int length(const at::Tensor& t, std::int64_t dimension) {
  return static_cast<int>(t.size(dimension));
}

}  // namespace faultline::gpu
