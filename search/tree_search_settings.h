// How a network is to be searched when it plays: stored with every network, and set by players.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/options.h"
#include "search/params.h"

namespace faultline {

/// What a player's tree search depends on besides its limits.
struct TreeSearchSettings {
  SearchParams params = {};
  bool tree_reuse = true;
};

/// Those of SearchParams and the players' own, bound to `settings`, which must outlive them.
/// Everything here matters without noise.
std::vector<Option> options(TreeSearchSettings& settings);

/// Compares the values of all options().
bool operator==(const TreeSearchSettings& a, const TreeSearchSettings& b);

nlohmann::json to_json(const TreeSearchSettings& settings);
/// Reads what a version of to_json() wrote: unknown keys are ignored, and missing ones have their
/// defaults. Throws std::runtime_error that names a key whose value is not allowed.
TreeSearchSettings tree_search_settings_from_json(const nlohmann::json& json);

}  // namespace faultline
