// Settings of the alpha-beta search.
#pragma once

#include <vector>

#include "base/options.h"

namespace faultline {

/// options() documents each field and its range.
struct AlphaBetaParams {
  int threads = 1;
  int table_mb = 16;
  bool late_move_reductions = true;
  bool shallow_pruning = true;
  bool check_extension = true;
  int mobility = 2;
  bool placement = true;
};

/// Bound to `params`, which must outlive them.
std::vector<Option> options(AlphaBetaParams& params);

}  // namespace faultline
