// LibTorch version differences and its environment.
#include "model/torch_compat.h"

#include <filesystem>
#include <stdexcept>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>
#include <torch/version.h>

#include "model/device_options.h"
#include "model/inference/stream_recorder.h"

namespace faultline {
namespace {

int cuda_devices() {
  if (!at::hasCUDA() || !c10::impl::hasDeviceGuardImpl(at::kCUDA)) return 0;
  return c10::impl::VirtualGuardImpl(at::kCUDA).deviceCount();
}

/// What follows `key` in LibTorch's own description, up to the end of the line or a comma.
std::string config_value(const std::string& key) {
  const std::string config = at::show_config();
  const auto found = config.find(key);
  if (found == std::string::npos) return "unknown";
  const auto begin = found + key.size();
  return config.substr(begin, config.find_first_of(",\n", begin) - begin);
}

/// The file whose sgemm the dynamic linker found, and the kernels that OpenBLAS chose: with a
/// reference BLAS, or with kernels for a wrong CPU, training is several times slower.
std::string blas_description() {
  void* const sgemm = dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info where{};
  if (sgemm == nullptr || dladdr(sgemm, &where) == 0 || where.dli_fname == nullptr)
    return "inside LibTorch";
  std::error_code unresolved;
  const auto file = std::filesystem::canonical(where.dli_fname, unresolved);
  std::string text = unresolved ? where.dli_fname : file.string();
  using NameOfCore = char*();
  if (auto* core = reinterpret_cast<NameOfCore*>(dlsym(RTLD_DEFAULT, "openblas_get_corename")))
    text += std::string(" (kernels for ") + core() + ")";
  else if (text.find("/blas/") != std::string::npos)
    text += " (the slow reference BLAS: install libopenblas0-pthread)";
  return text;
}

}  // namespace

std::string torch_description() {
  const int cuda = cuda_devices();
  std::string text = "LibTorch " TORCH_VERSION;
  text += "\n  devices: cpu";
  if (cuda > 0)
    text += ", " + std::to_string(cuda) + " cuda";
  else
    text +=
        at::hasCUDA() ? "; built with CUDA, but no CUDA device was found" : "; built without CUDA";
  if (at::hasCUDA())
    text += std::string("\n  CUDA graphs: ") +
            (has_stream_recording() ? "yes" : "no, there were no CUDA headers");
  text += "\n  cpu instruction set: " + config_value("CPU capability usage: ");
  text += std::string("\n  convolutions: ") + (at::hasMKLDNN() ? "oneDNN" : "LibTorch's own");
  text += "\n  blas: " + blas_description();
  text += "\n  threads: " + std::to_string(at::get_num_threads());
  return text;
}

std::string resolve_device(const std::string& device) {
  const int cuda = cuda_devices();
  if (device == "cpu" || (device == "auto" && cuda == 0)) return "cpu";
  if (!is_device_name(device))
    throw std::invalid_argument("unknown device '" + device + "'; allowed are " + kDeviceNames);
  const int number = device.starts_with("cuda:") ? std::stoi(device.substr(5)) : 0;
  if (number < cuda) return "cuda:" + std::to_string(number);
  throw std::invalid_argument("device '" + device + "': this machine and LibTorch have " +
                              std::to_string(cuda) + " CUDA devices");
}

bool has_cuda_device() {
  return cuda_devices() > 0;
}

void use_one_thread() {
  thread_local const bool done = (at::set_num_threads(1), true);
  (void)done;
}

void allow_tf32(bool allow) {
  at::globalContext().setAllowTF32CuDNN(allow);
  at::globalContext().setAllowTF32CuBLAS(allow);
}

}  // namespace faultline
