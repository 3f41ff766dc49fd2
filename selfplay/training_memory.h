// The memory without which a network cannot be trained.
#pragma once

#include <cstddef>

#include "model/encoding/encoding.h"
#include "record/config.h"

namespace faultline {

/// A lower bound, in bytes: weights, gradients, the optimizer's state and the copy that plays, and
/// what a training step keeps of each layer until its gradient is computed.
double least_training_memory(const Config& config, const EncodingInfo& encoding);

/// Throws ConfigError, with the keys to lower, if a network that is trained on the CPU needs more
/// than `machine_bytes`; 0 is unknown. LibTorch would be killed by the system while it allocates.
void require_training_memory(const Config& config, const EncodingInfo& encoding,
                             std::size_t machine_bytes);

}  // namespace faultline
