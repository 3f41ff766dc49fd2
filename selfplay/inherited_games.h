// Games of another run that a new one learns from before it plays its own: a larger network learns
// from the games that a smaller, faster one has played.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "record/config.h"
#include "selfplay/run_forecast.h"
#include "selfplay/run_options.h"

namespace faultline {

/// What is inherited from the run in `options.games_from`, read before the new run's folder is
/// created; nothing if that is empty. Throws RunError if it is not a run's folder, has no games of
/// the variant, or is the new run's own; if run.games leaves none to play; if the new run's folder
/// has games already; or if the new run is deterministic, whose games follow from its seed.
Inheritance inheritance(const Config& config, const RunOptions& options);

struct CopiedGames {
  std::uint64_t games = 0;
  std::vector<std::string> messages;  // what was damaged and left out
};

/// Copies the games of the run in `source` that its state counts, in their order and with their
/// numbers, to a new folder `target` with an id of its own. Throws ReplayError.
CopiedGames copy_games(const std::filesystem::path& source, const std::string& variant,
                       const std::filesystem::path& target, int chunk_games);

}  // namespace faultline
