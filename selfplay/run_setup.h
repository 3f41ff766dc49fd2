// May a run begin in a folder, and on how many threads.
#pragma once

#include "selfplay/config.h"
#include "selfplay/run.h"
#include "selfplay/run_folder.h"

namespace faultline {

/// Throws RunError if the folder holds a run and `options` does not resume it or names a network
/// to begin from, or if that run is of another variant, network or kind (deterministic or not).
void check_folder(const Config& config, const RunFolder& folder, const RunOptions& options);

/// Threads that play: config.selfplay.threads, or one per core.
int actor_threads(const Config& config);

}  // namespace faultline
