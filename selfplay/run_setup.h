// Checks whether a run may start in a folder.
#pragma once

#include "record/config.h"
#include "record/run_folder.h"
#include "selfplay/run_options.h"

namespace faultline {

/// Throws RunError if the folder contains a run and `options` does not resume it or names a network
/// to start from, or if that run has another variant, network or kind (deterministic or not).
void check_folder(const Config& config, const RunFolder& folder, const RunOptions& options);

}  // namespace faultline
