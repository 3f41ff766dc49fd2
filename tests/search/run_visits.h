// Searches a tree to a number of visits, for tests of the tree itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/evaluator.h"
#include "search/search.h"

namespace faultline::test {

/// Searches until the root has `visits` visits; up to `leaves` leaves are evaluated together.
template <Position P, bool for_analysis, bool biased>
void run_visits(Search<P, for_analysis, biased>& search, Evaluator<P>& evaluator,
                std::uint32_t visits, std::size_t leaves = 1) {
  EvalBatch<P> batch;
  while (search.root_visits() < visits) {
    while (batch.size() < leaves && search.root_visits() + batch.size() < visits)
      if (search.gather(batch) == Search<P, for_analysis, biased>::Gathered::Nothing) break;
    if (batch.empty()) continue;
    evaluator.evaluate(batch);
    search.apply(batch);
    batch.clear();
  }
}

}  // namespace faultline::test
