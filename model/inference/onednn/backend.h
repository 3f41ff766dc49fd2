// CPU inference with oneDNN, which picks its instructions while it runs: fp32, bf16 and int8
// (docs/inference.md).
#pragma once

#include <memory>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"
#include "model/inference/precision.h"

namespace faultline {

class BackendRegistry;

/// Each calling thread computes on its own; its OpenMP regions have one thread from then on. Int8
/// needs network.ranges. Throws std::invalid_argument without them, std::runtime_error for a
/// processor that lacks the instructions.
std::shared_ptr<Backend> make_onednn_backend(const FoldedNetwork& network, Precision precision);

/// "onednn": devices "auto" and "cpu"; fp32, bf16 where the processor computes in it, int8.
void register_onednn_backend(BackendRegistry& registry);

}  // namespace faultline
