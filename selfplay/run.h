// A training run: actors, replay store and learner in one process and one folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/config.h"
#include "selfplay/run_forecast.h"
#include "selfplay/run_options.h"

namespace faultline {

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
/// network, then the run's actors, then its training steps; all of it twice where the first games
/// start with one level. `options`: `folder`, where the run would be and which need not exist, for
/// the space on its disk, and `games_from` are used. Ctrl-C ends it early. Throws as run_training
/// does for devices and backends.
RunCheck check_run(const Config& config, const RunOptions& options, const ProbeLimits& limits);

/// Gives `config` the shape of the network in the checkpoint `net`, for RunOptions::init_from.
/// Throws ConfigError if a key of [net] was given with a different value; CheckpointError.
void adopt_net(Config& config, const std::filesystem::path& net);

}  // namespace faultline
