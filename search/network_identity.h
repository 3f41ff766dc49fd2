// Which network evaluated a position.
#pragma once

#include <cstdint>

namespace faultline {

/// Identifies a network across all runs.
struct NetworkIdentity {
  std::int64_t steps = 0;  // optimiser steps
  std::uint64_t hash = 0;  // weights_hash() of the weights that play; 0: unknown, or no network
  friend bool operator==(const NetworkIdentity&, const NetworkIdentity&) = default;
};

}  // namespace faultline
