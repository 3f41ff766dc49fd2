// Declaration of the alpha-beta settings.
#include "search/alpha_beta_params.h"

namespace faultline {

std::vector<Option> options(AlphaBetaParams& p) {
  return {
      {"threads", &p.threads, Range{1, 512},
       "Threads of one search, which share its table. With more than one, results differ from one "
       "time to the next."},
      {"table_mb", &p.table_mb, Range{1, 65536},
       "Size of the transposition table of one searcher, in MiB (rounded down to a power of two)."},
      {"late_move_reductions", &p.late_move_reductions, Anything{},
       "Search quiet moves late in the order less deeply first."},
      {"shallow_pruning", &p.shallow_pruning, Anything{},
       "Near the leaves, cut nodes whose evaluation is far above the window and skip quiet moves "
       "that are late or far below it."},
      {"check_extension", &p.check_extension, Anything{},
       "Search moves that give check one ply deeper."},
      {"mobility", &p.mobility, Range{0, 100},
       "Centipawns for each legal move more than the opponent's."},
      {"placement", &p.placement, Anything{},
       "Evaluate where pieces stand: centralisation and advancement, and not material alone."},
  };
}

}  // namespace faultline
