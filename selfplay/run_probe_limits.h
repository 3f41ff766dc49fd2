// How long a run is tried before it starts.
#pragma once

#include <cstddef>

namespace faultline {

struct ProbeLimits {
  std::size_t games = 24;     // to be sampled
  double games_seconds = 8;   // at most
  double actors_seconds = 2;  // playing with the network
  double steps_seconds = 1;   // training
};

}  // namespace faultline
