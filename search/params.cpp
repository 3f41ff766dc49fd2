// Declaration of the search settings.
#include "search/params.h"

namespace faultline {

std::vector<Option> options(SearchParams& p) {
  return {
      {"cpuct", &p.cpuct, Range{0, 20},
       "PUCT's exploration constant at a node's first visits (Silver et al. 2018)."},
      {"cpuct_base", &p.cpuct_base, Range{1, 1e9},
       "Visits at which the exploration constant has grown by log 2 (AlphaZero's pseudocode)."},
      {"fpu_reduction", &p.fpu_reduction, Range{0, 2},
       "First play urgency: an unvisited move has its parent's value minus this times the square "
       "root of the visited moves' share of the priors."},
      {"fpu_root", &p.fpu_root, Range{0, 2},
       "`fpu_reduction` at the root of searches with noise, which explore. Others have so few "
       "visits, or are played to win, that a visit for every move would be wasted."},
      {"two_fold_draws", &p.two_fold_draws, Anything{},
       "Score the first repetition of a position inside the tree as a draw, as chess engines do."},
      {"virtual_loss", &p.virtual_loss, Range{1, 100},
       "Virtual losses: visits counted as losses while a leaf waits for its evaluation."},
      {"policy_temperature", &p.policy_temperature, Range{0.1, 10},
       "Temperature of the network's priors, which become prior^(1/temperature), normalised. Above "
       "1 they are flatter."},
      {"root_policy_temperature", &p.root_policy_temperature, Range{0.1, 10},
       "The same at the root of searches with noise, before the noise (Wu 2019, KataGo). With "
       "`gumbel` it is in the policy that is taught and that moves are drawn from: prior^(1/this) "
       "× "
       "exp(what values add), so that the policy does not become sharper with every generation."},
      {"gumbel", &p.gumbel.enabled, Anything{},
       "Searches with noise draw the moves that they compare from the priors, divide their visits "
       "among them by sequential halving, and teach the policy that the moves' values improve the "
       "priors to, instead of the visits' shares (Danihelka et al. 2022). Then `fpu_root` and the "
       "Dirichlet noise have no effect."},
      {"gumbel_moves", &p.gumbel.moves, Range{2, 1000},
       "The most moves that such a search begins with."},
      {"gumbel_visits", &p.gumbel.visits, Range{0, 1e6},
       "A move's value, from 0 to 1, adds `gumbel_scale` × (this + the most visited move's visits) "
       "to the logarithm of its prior."},
      {"gumbel_scale", &p.gumbel.scale, Range{0, 100}, "See `gumbel_visits`."},
      {"gumbel_shrinkage", &p.gumbel.shrinkage, Range{0, 1000},
       "In the policy that is taught, a move's value is the mean over its visits and this many "
       "of the value that moves without visits have: few visits then say less. 0: the paper's."},
  };
}

}  // namespace faultline
