// Chooses how to run a network, with batch norms folded.
#pragma once

#include <memory>
#include <string>

#include "model/inference/backend.h"
#include "model/inference/precision.h"

namespace faultline {

class NetworkWeights;

/// A backend of its own copy of `weights` (model/training/network.h). `device`: "cpu", "cuda",
/// "cuda:1", "auto" (CUDA if there is any). On a CPU in fp32 that is cpu_backend.cpp, with one
/// thread a caller; everything else goes through LibTorch in device_backend.cpp, whose submit()
/// returns while the device works. Throws std::invalid_argument for a device that is not there.
std::shared_ptr<Backend> make_backend(const NetworkWeights& weights, const std::string& device,
                                      Precision precision);

}  // namespace faultline
