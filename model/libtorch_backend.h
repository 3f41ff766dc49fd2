// Runs networks with LibTorch, on a CPU or another device, with batch norms folded.
#pragma once

#include <memory>
#include <string>

#include "model/backend.h"
#include "model/precision.h"

namespace faultline {

class NetworkWeights;

/// A backend of its own copy of `weights` (model/network.h). `device`: "cpu", "cuda", "cuda:1",
/// "auto" (CUDA if there is any). On a CPU in fp32 the hand-tuned path (cpu_backend.cpp) runs, with
/// one thread a caller; everything else goes through device_backend.cpp, whose submit() returns
/// while the device works. Throws std::invalid_argument for a device that is not there.
std::shared_ptr<Backend> make_backend(const NetworkWeights& weights, const std::string& device,
                                      Precision precision);

}  // namespace faultline
