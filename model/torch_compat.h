// What this program must know about the LibTorch it was built with, and what differs between the
// versions that it supports (1.13 to 2.x). Includes nothing of LibTorch.
#pragma once

#include <string>

namespace faultline {

/// Several lines for people: LibTorch's version, devices, the CPU's instruction set as LibTorch
/// uses it, the BLAS that answers, threads.
std::string torch_description();

/// "cpu", "cuda:0", …: what "cpu", "cuda", "cuda:N" or "auto" (CUDA if there is any) stands for
/// on this machine. Throws std::invalid_argument for anything else and for a device that is absent.
std::string resolve_device(const std::string& device);

/// From now on the calling thread computes LibTorch operations alone: evaluators run side by side,
/// and OpenMP's waiting threads would take their cores.
void use_one_thread();

}  // namespace faultline
