// The table of the limits of moves.
#include "lab/move_limits.h"

#include <limits>

namespace faultline {

std::vector<Option> move_limit_options(MoveLimits& limits, int least) {
  constexpr double kMostVisits = 10'000'000;
  constexpr double kMostMilliseconds = 3'600'000;
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const auto low = static_cast<double>(least);
  return {{"visits", &limits.visits, Range{low, kMostVisits},
           "Root visits per move, with those of a reused subtree. Limits are for players without "
           "their own."},
          {"nodes", &limits.nodes, Range{low, kNoLimit},
           "Visits that each search makes; positions in alpha-beta searches and engines."},
          {"evaluations", &limits.evaluations, Range{low, kMostVisits},
           "Positions evaluated per move."},
          {"time_ms", &limits.time_ms, Range{low, kMostMilliseconds},
           "Milliseconds per move; a thread then plays one game at a time."}};
}

}  // namespace faultline
