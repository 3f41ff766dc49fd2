// Searching one position to a number of visits: matches, play and tests. (Self-play gathers the
// leaves of many games itself.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/evaluator.h"
#include "search/search.h"

namespace faultline {

/// Visits until the root has `visits` of them or `stop()` says so (asked once a batch); up to
/// `leaves` leaves are taken from the tree before they are evaluated together. `batch` must be
/// empty and is left empty.
template <Position P, class Stop>
void run_visits(Search<P>& search, Evaluator<P>& evaluator, EvalBatch<P>& batch,
                std::uint32_t visits, std::size_t leaves, Stop&& stop) {
  while (search.root_visits() < visits && !stop()) {
    // Every walk that ends at the end of the game counts as a visit at once.
    while (batch.size() < leaves && search.root_visits() + batch.size() < visits)
      if (search.gather(batch) == Search<P>::Gathered::Nothing) break;
    if (batch.empty()) continue;
    evaluator.evaluate(batch);
    search.apply(batch);
    batch.clear();
  }
}

template <Position P>
void run_visits(Search<P>& search, Evaluator<P>& evaluator, std::uint32_t visits,
                std::size_t leaves = 1) {
  EvalBatch<P> batch;
  run_visits(search, evaluator, batch, visits, leaves, [] { return false; });
}

}  // namespace faultline
