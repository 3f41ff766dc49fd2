// CPU inference with the hand-written kernels of convolution.h and head_kernels.h, and in int8 with
// those of vnni_kernels.h.
#pragma once

#include <memory>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"

namespace faultline {

class BackendRegistry;

/// Makes a backend that computes in fp32, each calling thread on its own.
std::shared_ptr<Backend> make_cpu_backend(const FoldedNetwork& network);

/// "cpu": devices "auto" and "cpu"; fp32, and int8 where has_vnni_backend().
void register_cpu_backend(BackendRegistry& registry);

}  // namespace faultline
