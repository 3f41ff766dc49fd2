// A training run: actors, replay store and learner in one process and one folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/config.h"
#include "selfplay/run_folder.h"
#include "selfplay/run_forecast.h"
#include "selfplay/strength_monitor.h"

namespace faultline {

struct RunOptions {
  std::filesystem::path folder;
  bool resume = false;          // resume the run in `folder`, if there is one
  std::ostream* out = nullptr;  // for progress; must not be null
  bool terminal = false;        // `out` is a terminal: rewrite one line
  /// A checkpoint whose weights a new run starts from; empty: random weights. It may be of
  /// another option set of the family with the same encoding.
  std::filesystem::path init_from = {};
  /// The folder of a run whose games a new run copies and learns from, in their order, before its
  /// own begin; empty: none.
  std::filesystem::path games_from = {};
  /// A checkpoint of the resumed run to go on from instead of its last one; empty: the last one.
  std::filesystem::path from_checkpoint = {};
  /// What measures the strength for run.strength_minutes; without it the run does not measure it.
  MeasureStrength measure_strength = {};
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
/// `init_from` or `games_from` is, or if that run has another variant, network or kind
/// (deterministic or not), or for `games_from` as
/// inheritance() does; ConfigError for a missing device or an unknown
/// backend; ReplayError, CheckpointError for unusable files.
RunResult run_training(const Config& config, const RunOptions& options);

/// What check_run() measured and what follows from it.
struct RunCheck {
  std::string network;  // as a run's first line describes it
  std::size_t parameters = 0;
  SampleGames games;  // after the first ones
  RunSpeeds speeds;
  std::optional<FirstGames> first_games;
  RunMachine machine;
  RunForecast forecast;
  std::vector<std::string> messages;  // what was chosen for [device], and why
  bool stopped = false;               // by a signal: the figures are incomplete
};

/// Tries a new run of `config` for a few seconds, without a folder: games of a search without a
/// network, then the run's actors, then its training steps; all of it twice
/// where the first games start with one level. `folder`: where the run would be, for
/// the space on its disk; it need not exist. `options`: `games_from` is used.
/// Ctrl-C ends it early. Throws as run_training does for devices and backends.
RunCheck check_run(const Config& config, const RunOptions& options, const ProbeLimits& limits);

/// Gives `config` the shape of the network in the checkpoint `net`, for RunOptions::init_from.
/// Throws ConfigError if a key of [net] was given with a different value; CheckpointError.
void adopt_net(Config& config, const std::filesystem::path& net);

}  // namespace faultline
