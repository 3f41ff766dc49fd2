// The searchers of every family, compiled once.
#include "rules/families.h"
#include "search/puct_searcher.h"
#include "search/simple_searchers.h"

namespace faultline {

Move pick_move(const SearchResult& result, float temperature, std::mt19937_64& rng) {
  const auto index = pick_index(result.policy, temperature, rng);
  return index ? result.root_moves[*index].move : result.move;
}

template <Position P>
std::unique_ptr<Searcher<P>> make_puct_searcher(const SearchParams& params, bool keep_subtree) {
  return std::make_unique<PuctSearcher<P>>(params, keep_subtree);
}
template <Position P>
std::unique_ptr<Searcher<P>> make_policy_searcher() {
  return std::make_unique<PolicySearcher<P>>();
}
template <Position P>
std::unique_ptr<Searcher<P>> make_random_searcher() {
  return std::make_unique<RandomSearcher<P>>();
}

#define FAULTLINE_INSTANTIATE(P)                                                          \
  template std::unique_ptr<Searcher<P>> make_puct_searcher<P>(const SearchParams&, bool); \
  template std::unique_ptr<Searcher<P>> make_policy_searcher<P>();                        \
  template std::unique_ptr<Searcher<P>> make_random_searcher<P>();
FAULTLINE_INSTANTIATE(ChessPosition)
FAULTLINE_INSTANTIATE(EscherPosition)
FAULTLINE_INSTANTIATE(SlantedPosition)
FAULTLINE_INSTANTIATE(EarthquakePosition)
FAULTLINE_INSTANTIATE(InfernoPosition)
FAULTLINE_INSTANTIATE(ShiftingPosition)
FAULTLINE_INSTANTIATE(GardnerPosition)
#undef FAULTLINE_INSTANTIATE

}  // namespace faultline
