// A training run: actors, replay store and learner in one process and one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>

#include "selfplay/config.h"
#include "selfplay/run_folder.h"

namespace faultline {

struct RunOptions {
  std::filesystem::path folder;
  bool resume = false;          // resume the run in `folder`, if there is one
  std::ostream* out = nullptr;  // for progress; must not be null
  bool terminal = false;        // `out` is a terminal: rewrite one line
  /// A checkpoint whose (EMA) weights a new run starts from; empty: random weights. It may be of
  /// another option set of the family with the same encoding.
  std::filesystem::path init_from = {};
  /// Choose backend, precision and batch again although the run has stored them.
  bool choose_again = false;
  std::string program = {};  // its version and build: results of timing hold for one of them only
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

/// Trains until a limit of `config.run` is reached or SIGINT or SIGTERM arrives: then the step is
/// finished, everything is saved, and the run can be resumed. `config` must have passed
/// check_config. Throws RunError if the folder contains a run and `resume` is not set or
/// `init_from` is, or if that run has another variant, network or kind (deterministic or not);
/// ConfigError for a missing device or an unknown
/// backend; ReplayError, CheckpointError for unusable files.
RunResult run_training(const Config& config, const RunOptions& options);

/// Gives `config` the shape of the network in the checkpoint `net`, for RunOptions::init_from.
/// Throws ConfigError if a key of [net] was given with a different value; CheckpointError.
void adopt_net(Config& config, const std::filesystem::path& net);

}  // namespace faultline
