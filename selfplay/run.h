// A training run: actors, replay store and learner in one process and one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>

#include "selfplay/config.h"
#include "selfplay/run_folder.h"

namespace faultline {

struct RunOptions {
  std::filesystem::path folder;
  bool resume = false;          // the run in `folder`, if there is one
  std::ostream* out = nullptr;  // for progress; must not be null
  bool terminal = false;        // `out` is a terminal: rewrite one line
};

enum class RunEnd { LimitReached, Stopped };

struct RunResult {
  RunEnd end = RunEnd::LimitReached;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  std::int64_t steps = 0;
  std::filesystem::path first_checkpoint;  // the untrained network
  std::filesystem::path checkpoint;        // the last one
};

/// Trains until a limit of `config.run` is reached, or SIGINT or SIGTERM asks for a stop: then the
/// step is finished, everything saved, and the run can be resumed. `config` must have passed
/// check_config. Throws RunError if the folder holds a run and `resume` is not set, or one of
/// another variant, network or kind (deterministic or not); ConfigError for a device that is not
/// there; ReplayError, CheckpointError for files that cannot be used.
RunResult run_training(const Config& config, const RunOptions& options);

}  // namespace faultline
