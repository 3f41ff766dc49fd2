// Games of another run that a new one learns from before it plays its own: a larger network learns
// from the games that a smaller, faster one has played.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "selfplay/config.h"
#include "selfplay/replay_store.h"
#include "selfplay/run.h"

namespace faultline {

/// Before the new run's folder is created. Throws RunError if `options.games_from` is not a run's
/// folder, has no games of the variant, or is the new run's own, or if the new run is
/// deterministic, whose games follow from its seed. Does nothing if it is empty.
void require_inheritable_games(const Config& config, const RunOptions& options);

/// Appends the games of the run in `source` to `store`, in their order and with their numbers;
/// those that an interrupted start has copied already are left out. Damaged games are skipped.
/// Returns how many `store` then has. Throws ReplayError.
std::uint64_t inherit_games(const std::filesystem::path& source, const std::string& variant,
                            ReplayStore& store);

}  // namespace faultline
