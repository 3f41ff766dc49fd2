// What a run's games are evaluated with: by the configuration and the processor, and stored in the
// run's state, so that a session says what has changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/processor_features.h"
#include "model/inference/backend_registry.h"
#include "record/config.h"
#include "record/run_folder.h"

namespace faultline {

struct SettledInference {
  InferenceChoice choice;
  /// The entry to be added to the run's state; nothing if the state's last entry says the same.
  std::optional<RunInference> added;
  /// One line each: what was chosen and why, and what was used before.
  std::vector<std::string> messages;
};

/// The choice for this session: what `config` names, and for the rest choose_inference() for its
/// network and the largest batch that a thread's games can fill. A deterministic run takes fp32 and
/// a fixed batch. Throws as backend_candidates does for options that none of `backends` supports.
SettledInference settle_inference(const Config& config, const RunState& state,
                                  const BackendRegistry& backends,
                                  const ProcessorFeatures& processor = this_processor());

}  // namespace faultline
