// The alpha-beta searchers of every family, compiled once.
#include <memory>
#include <tuple>
#include <utility>

#include "rules/families.h"
#include "search/alpha_beta_searcher.h"

namespace faultline {

template <Position P>
std::unique_ptr<Searcher<P>> make_alpha_beta_searcher(
    const AlphaBetaParams& params, bool repeats,
    std::shared_ptr<const PositionEvaluation<P>> evaluation) {
  return std::make_unique<AlphaBetaSearcher<P>>(params, repeats, std::move(evaluation));
}

/// Takes the factories' addresses, so that instantiating it instantiates them for every family.
template <class Tuple>
struct AlphaBetaFactories;
template <Position... P>
struct AlphaBetaFactories<std::tuple<P...>> {
  static constexpr std::tuple kAll = {&make_alpha_beta_searcher<P>...};
};
template struct AlphaBetaFactories<Families>;

}  // namespace faultline
