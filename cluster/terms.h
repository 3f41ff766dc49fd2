// What a learner and its actors must agree on before a game is played: written by the one, checked
// by the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cluster/post.h"
#include "record/config.h"
#include "selfplay/run_persistence.h"

namespace faultline {

struct RunTerms {
  std::string mark;  // tells these terms from others
  std::uint64_t run_id = 0;
  std::string variant;  // canonical name
  Config config;        // the run's, with its device if the run is deterministic
};

/// Writes the run's configuration, and what belongs to it, into the post. Returns the terms' mark.
std::string write_terms(const Post& post, const Config& config, const RunPersistence& persistence);

/// Reads them; nothing if no learner has served here yet. Throws RunError, which says what to do,
/// if this program would not play the run's games as its learner's does.
std::optional<RunTerms> read_terms(const Post& post);

}  // namespace faultline
