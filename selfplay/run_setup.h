// Checks whether a run may start in a folder, and determines its number of threads.
#pragma once

#include "selfplay/config.h"
#include "selfplay/run.h"
#include "selfplay/run_folder.h"

namespace faultline {

/// A run's own configuration, from its folder, has all keys of the version that began it: settles
/// what a later one would have meant.
void settle_older_run(Config& config);

/// Throws RunError if the folder contains a run and `options` does not resume it or names a network
/// to start from, or if that run has another variant, network or kind (deterministic or not).
void check_folder(const Config& config, const RunFolder& folder, const RunOptions& options);

/// Number of actor threads: config.selfplay.threads, or one per core, less one on a GPU.
int actor_threads(const Config& config);

}  // namespace faultline
