// The searchers of players with a strategy, of every family, compiled once: apart from the plain
// ones, whose compilation they are not to change.
#include <tuple>
#include <utility>

#include "rules/families.h"
#include "search/puct_searcher.h"

namespace faultline {

template <Position P>
std::unique_ptr<Searcher<P>> make_biased_puct_searcher(const SearchParams& params,
                                                       std::shared_ptr<const MoveBias<P>> bias,
                                                       bool keep_subtree, std::size_t tree_bytes) {
  return std::make_unique<PuctSearcher<P, true>>(params, keep_subtree, tree_bytes, std::move(bias));
}

/// The factories of all families, as in search/searchers.cpp.
template <class Tuple>
struct BiasedFactories;
template <Position... P>
struct BiasedFactories<std::tuple<P...>> {
  static constexpr std::tuple kAll = {&make_biased_puct_searcher<P>...};
};
template struct BiasedFactories<Families>;

}  // namespace faultline
