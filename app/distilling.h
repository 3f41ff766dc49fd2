// Fast networks beside policy/value networks, learned from their values or from alpha-beta's own
// games (docs/fast-networks.md).
#pragma once

#include <filesystem>
#include <iosfwd>

#include "record/config.h"
#include "selfplay/run_options.h"

namespace faultline {

/// The configuration with which the fast network beside that of checkpoint `net` is trained: its
/// game, and what was found to work in so much CPU time (0: no limit). `net` is the teacher, unless
/// the folder is the one of its own run and fast.network there is "self-taught"; what has begun
/// goes on as it began. Throws CheckpointError, ConfigError.
Config distilling_config(const std::filesystem::path& net, const std::filesystem::path& folder,
                         double cpu_minutes);

/// Trains a fast network in the run's folder `options.folder`, which is resumed if it is there. At
/// a limit of `config.run` the checkpoint `net`, if in a run's nets/, gets the fast network beside
/// its own, and the two play at equal time; what comes of that is printed and stored there, too
/// (model/fast/fast_file.h). Throws as run_training and run_match do.
RunEnd distil(const Config& config, const RunOptions& options, const std::filesystem::path& net);

/// With a fast.network that is trained after the run: does so beside the newest network of a run
/// that has reached its limit, unless that has been done.
RunEnd distil_after(const Config& config, const RunOptions& options,
                    const std::filesystem::path& newest);

/// Where a network's fast one is trained: RUN/fast/000123-89abcdef for RUN/nets/000123.pt, with the
/// first of its weights' hash; empty if it is in no run's folder.
std::filesystem::path distilling_folder(const std::filesystem::path& net);

}  // namespace faultline
