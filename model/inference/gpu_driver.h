// The kernels of gpu/kernels.ptx.inc in the driver of NVIDIA's GPUs. Used through gpu_launch.h.
#pragma once

#include <c10/core/Device.h>

namespace faultline::gpu {

/// Whether the driver translates the kernels for a device. Says why not, once.
bool driver_has_kernels(c10::Device device);

/// Submits a kernel to the device's current stream. `arguments`: its one parameter. Throws
/// c10::Error.
void launch_on_gpu(c10::Device device, const char* name, unsigned blocks, unsigned threads,
                   void* arguments);

}  // namespace faultline::gpu
