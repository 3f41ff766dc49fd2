// Search settings: the keys of a configuration's [search].
#pragma once

#include <vector>

#include "base/options.h"

namespace faultline {

/// Planning with Gumbel noise at the root (Danihelka et al. 2022; search/gumbel_root.h).
struct GumbelParams {
  bool enabled = false;
  int moves = 16;
  float visits = 50.0F;  // c_visit of the paper
  float scale = 1.0F;    // c_scale
  float shrinkage = 0;   // visits of the mixed value that are added to each move's
};

/// PUCT (Silver et al. 2018, AlphaZero, with the growing c of its pseudocode). options() documents
/// each field and its range.
struct SearchParams {
  float cpuct = 1.75F;
  float cpuct_base = 19652.0F;
  float fpu_reduction = 0.33F;
  float fpu_root = 0.0F;
  bool two_fold_draws = true;
  bool solver = false;
  int virtual_loss = 1;
  float dirichlet_alpha = 0.0F;
  float dirichlet_weight = 0.25F;
  float policy_temperature = 1.0F;
  float root_policy_temperature = 1.0F;
  GumbelParams gumbel = {};

  /// Whether searches with noise have other priors at the root.
  bool has_root_noise() const {
    return !gumbel.enabled && (dirichlet_weight > 0 || root_policy_temperature != 1);
  }
};

/// Bound to `params`, which must outlive them; without the solver and Dirichlet noise.
std::vector<Option> options(SearchParams& params);

}  // namespace faultline
