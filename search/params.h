// What can be set about a search. Config keys of the same names; docs/config.md lists them.
#pragma once

namespace faultline {

/// PUCT (Silver et al. 2018, AlphaZero, with the growing c of its pseudocode).
struct SearchParams {
  float cpuct = 1.75F;          // exploration at a node's first visits
  float cpuct_base = 19652.0F;  // visits at which exploration has grown by log 2
  float fpu_reduction =
      0.33F;                // an unvisited move is valued at parent - this * sqrt(visited prior)
  float fpu_root = 0.0F;    // the same at the root (0: unvisited root moves are worth the parent)
  float draw_score = 0.0F;  // a draw's worth to the side to move at the root, -1 … 1
  bool two_fold_draws = true;       // inside the tree a first repetition already counts as a draw
  int virtual_loss = 1;             // visits counted as lost while a leaf waits for its evaluation
  float dirichlet_alpha = 0.0F;     // root noise; 0: 10 / number of legal moves
  float dirichlet_weight = 0.25F;   // share of the noise in the root's priors; 0: none
  float policy_temperature = 1.0F;  // softens priors: prior^(1/t), normalised
};

}  // namespace faultline
