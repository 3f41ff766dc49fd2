// Reads a run's networks for play on this machine.
#pragma once

#include <string>
#include <vector>

#include "cluster/spool_actor.h"
#include "model/inference/backend_registry.h"
#include "record/config.h"

namespace faultline {

/// What reads the networks that a learner of `config` publishes, to be computed as its device says.
/// `config` must outlive it. Adds what is chosen to `messages`. Throws std::invalid_argument,
/// ConfigError and CheckpointError for a device or a teacher that cannot be used.
LoadNet net_loader(const Config& config, const BackendRegistry& backends,
                   std::vector<std::string>& messages);

}  // namespace faultline
