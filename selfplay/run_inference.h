// What a run's games are evaluated with: chosen when it starts, stored in its state, and taken from
// there by every later session.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/processor_features.h"
#include "model/inference/backend_registry.h"
#include "model/inference/probe_cache.h"
#include "model/network_description.h"
#include "record/config.h"
#include "record/run_folder.h"

namespace faultline {

/// What a choice is made from, besides the configuration and the run's state.
struct InferenceSources {
  const BackendRegistry* backends = nullptr;
  /// Times the candidates or recalls an earlier result.
  std::function<CachedProbe(const ProbeRequest&)> probe;
  ProcessorFeatures processor = this_processor();
};

/// The configuration for `--probe`: with `auto` for what its run's own config.toml names in
/// [device], selfplay.batch and learner.precision. That file repeats what earlier sessions, perhaps
/// on another machine, were told; what this session is told otherwise stays.
Config without_choices_of_the_run(Config config, const std::filesystem::path& folder);

struct SettledInference {
  InferenceChoice choice;
  /// The entry to be added to the run's state; nothing if the state's last entry stays in force.
  std::optional<RunInference> added;
  /// One line each: what was chosen and why.
  std::vector<std::string> messages;
};

/// The choice for this session.
///
/// A new run, or one whose state holds no choice: what `config` leaves to `auto` (a batch of 0) is
/// timed, or, in a deterministic run, follows from the processor: fp32 and a fixed batch.
///
/// A run whose state holds a choice keeps it: nothing is timed. What `config` names and the state
/// does not have is an override, and is recorded; what it leaves to `auto` stays as stored as far
/// as that is possible with it, and on the same kind of device. `choose_again` chooses as for a new
/// run.
///
/// `network`: the run's, for timing. `folder`: for messages. Throws RunError if the stored choice
/// is not possible on this machine, which names the options that replace it; ConfigError for
/// options that no backend supports.
SettledInference settle_inference(const Config& config, const RunState& state, bool choose_again,
                                  const NetworkDescription& network,
                                  const InferenceSources& sources,
                                  const std::filesystem::path& folder);

}  // namespace faultline
