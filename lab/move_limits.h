// How long a player thinks about each move.
#pragma once

#include <cstdint>
#include <vector>

#include "base/options.h"

namespace faultline {

/// The limits of each move; 0: not set. The first one reached ends the search.
struct MoveLimits {
  /// Root visits, with those of a reused subtree; tree searches only.
  std::int64_t visits = 0;
  /// Root visits of this search in tree searches; positions in alpha-beta searches and engines.
  std::int64_t nodes = 0;
  /// Positions evaluated; tree searches only.
  std::int64_t evaluations = 0;
  int time_ms = 0;
  int depth = 0;  // alpha-beta searches and engines only

  bool any() const {
    return visits > 0 || nodes > 0 || evaluations > 0 || time_ms > 0 || depth > 0;
  }
  friend bool operator==(const MoveLimits&, const MoveLimits&) = default;
};

/// The table of all limits but depth, each from `least`, where 0 is no limit.
std::vector<Option> move_limit_options(MoveLimits& limits, int least = 0);

}  // namespace faultline
