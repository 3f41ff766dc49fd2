// Information about the LibTorch in use, and differences between the supported versions (1.13 to
// 2.x). Includes no LibTorch headers.
#pragma once

#include <string>

namespace faultline {

/// Several lines for people: LibTorch's version, devices, the CPU instruction set that LibTorch
/// uses, the BLAS in use, threads.
std::string torch_description();

/// "cpu", "cuda:0", …: what "cpu", "cuda", "cuda:N" or "auto" (CUDA if available) resolves to on
/// this machine. Throws std::invalid_argument for anything else and for a device that is absent.
std::string resolve_device(const std::string& device);

/// Whether LibTorch sees any CUDA device.
bool has_cuda_device();

/// Makes LibTorch operations of the calling thread single-threaded from now on: evaluators run in
/// parallel, and OpenMP's spinning threads would take their cores.
void use_one_thread();

/// Whether GPUs that can may compute products and convolutions of floats in TF32 (10 bits of
/// mantissa), in all threads from now on. LibTorch's default: convolutions yes, products no.
/// This has no effect on a CPU.
void allow_tf32(bool allow);

}  // namespace faultline
