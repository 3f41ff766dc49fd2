// Through the driver's C interface, so that nothing is linked and no CUDA compiler is needed;
// without FAULTLINE_CUDA_GRAPHS there are no kernels.
#include "model/inference/gpu_driver.h"

#include <c10/util/Exception.h>

#ifdef FAULTLINE_CUDA_GRAPHS
#include <array>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>
#endif

namespace faultline::gpu {

#ifdef FAULTLINE_CUDA_GRAPHS
namespace {

constexpr const char* kPtx =
#include "model/inference/gpu/kernels.ptx.inc"
    ;
constexpr std::array kNames = {"squeeze_excite", "place_planes", "policy_logits", "value_input",
                               "board_sums",     "slope_sums",   "norm_forward",  "norm_backward",
                               "norm_apply",     "norm_slopes"};

// The driver's types, as cuda.h has them: handles are pointers, results are 0 if all went well.
using Module = void*;
using Function = void*;

struct Driver {
  Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    TORCH_CHECK(library != nullptr, "libcuda.so.1 was not found");
    find(library, load, "cuModuleLoadData");
    find(library, get_function, "cuModuleGetFunction");
    find(library, launch, "cuLaunchKernel");
  }
  template <class F>
  static void find(void* library, F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    TORCH_CHECK(function != nullptr, "the driver has no ", name);
  }
  int (*load)(Module*, const void* text) = nullptr;
  int (*get_function)(Function*, Module, const char* name) = nullptr;
  int (*launch)(Function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
                cudaStream_t stream, void** parameters, void** extra) = nullptr;
};
const Driver& driver() {
  static const Driver loaded;
  return loaded;
}

/// The kernels by name; empty if the driver refuses them. Never unloaded.
using Kernels = std::map<std::string, Function>;
Kernels load_kernels(c10::Device device) try {
  const c10::DeviceGuard on_device(device);
  at::empty({1}, at::TensorOptions(device)).zero_();  // makes LibTorch's context current
  Module module = nullptr;
  const int loaded = driver().load(&module, kPtx);
  TORCH_CHECK(loaded == 0, "the driver answers error ", loaded);
  Kernels kernels;
  for (const char* const name : kNames) {
    const int found = driver().get_function(&kernels[name], module, name);
    TORCH_CHECK(found == 0, "the driver answers error ", found, " about ", name);
  }
  return kernels;
} catch (const c10::Error& e) {
  TORCH_WARN("faultline: this program's kernels are not used on ", device.str(), ": ",
             e.what_without_backtrace());
  return {};
}

const Kernels& kernels_of(c10::Device device) {
  static std::mutex mutex;  // guards loaded
  static auto* const loaded =
      new std::map<int, Kernels>;  // never destroyed, as CUDA is gone before
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = loaded->try_emplace(device.index());
  if (is_new) found->second = load_kernels(device);
  return found->second;
}

}  // namespace

bool driver_has_kernels(c10::Device device) {
  return device.is_cuda() && !kernels_of(device).empty();
}

void launch_on_gpu(c10::Device device, const char* name, unsigned blocks, unsigned threads,
                   void* arguments) {
  const c10::DeviceGuard on_device(device);
  void* const kernel = kernels_of(device).at(name);
  std::array<void*, 1> parameters{arguments};
  const int launched = driver().launch(kernel, blocks, 1, 1, threads, 1, 1, 0,
                                       c10::cuda::getCurrentCUDAStream(device.index()).stream(),
                                       parameters.data(), nullptr);
  TORCH_CHECK(launched == 0, "the driver answers error ", launched, " to the kernel ", name);
}

#else

bool driver_has_kernels(c10::Device /*device*/) {
  return false;
}
void launch_on_gpu(c10::Device /*device*/, const char* name, unsigned /*blocks*/,
                   unsigned /*threads*/, void* /*arguments*/) {
  TORCH_CHECK(false, "this program was built without CUDA's headers, which the kernel ", name,
              " needs");
}

#endif

}  // namespace faultline::gpu
