// How a net is to be searched when it plays: the one reader for everything that plays with nets.
#pragma once

#include <filesystem>
#include <string>

#include "search/tree_search_settings.h"

namespace faultline {

struct NetSearch {
  TreeSearchSettings settings = {};
  /// Says where they come from: "the net's own settings", "[search] of runs/a/config.toml",
  /// "default settings".
  std::string source = "default settings";
  /// Is a line for the user where the net does not say how it is to be searched; else empty.
  std::string notice = {};
};

/// Reads the settings that the checkpoint or bundle stores. One of an earlier version stores none:
/// it has those of the configuration of the run whose folder it is in, or else the defaults. Throws
/// CheckpointError.
NetSearch net_search(const std::filesystem::path& net);

}  // namespace faultline
