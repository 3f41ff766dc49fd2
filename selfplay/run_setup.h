// From a configuration and a folder to the parts of a run: may it begin here, with which trainer.
#pragma once

#include "model/training/trainer.h"
#include "selfplay/config.h"
#include "selfplay/run_folder.h"

namespace faultline {

/// Throws ConfigError if this machine has no such device.
void require_device(const Config& config);

/// Throws RunError if the folder holds a run and `resume` is not set, or one of another variant,
/// network or kind (deterministic or not).
void check_folder(const Config& config, const RunFolder& folder, bool resume);

/// The trainer that `state` names, or a new one if there is no state. Throws CheckpointError,
/// RunError if the checkpoint does not fit the configuration.
Trainer make_trainer(const Config& config, const RunFolder& folder, const RunState& state,
                     const EncodingInfo& encoding);

/// Threads that play: config.selfplay.threads, or one a core.
int actor_threads(const Config& config);

}  // namespace faultline
