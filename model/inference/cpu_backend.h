// Inference on a CPU by the hand-written kernels of convolution.h and head_kernels.h, in floats.
#pragma once

#include <memory>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"

namespace faultline {

class BackendRegistry;

/// Each calling thread computes alone.
std::shared_ptr<Backend> make_cpu_backend(const FoldedNetwork& network);

/// "cpu": devices "auto" and "cpu", fp32.
void register_cpu_backend(BackendRegistry& registry);

}  // namespace faultline
