// The searchers of every family, compiled once.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "rules/families.h"
#include "search/puct_searcher.h"
#include "search/simple_searchers.h"

namespace faultline {

Move pick_move(const SearchResult& result, float temperature, std::mt19937_64& rng) {
  if (std::ranges::any_of(result.root_moves, &RootMove::wins)) return result.move;
  const auto index = pick_index(result.policy, temperature, rng);
  return index ? result.root_moves[*index].move : result.move;
}

double policy_surprise(const SearchResult& result) {
  constexpr double kLeastPrior = 1e-6;
  const double total = std::accumulate(result.policy.begin(), result.policy.end(), 0.0);
  double priors = 0;
  for (const RootMove& move : result.root_moves)
    priors += move.prior;
  if (priors <= 0) return 0;  // the search has none
  double sum = 0;
  for (std::size_t i = 0; i < result.policy.size(); ++i) {
    if (result.policy[i] == 0) continue;
    const double target = result.policy[i] / total;
    sum += target * std::log(target / std::max(result.root_moves[i].prior / priors, kLeastPrior));
  }
  return std::max(sum, 0.0);
}

template <Position P>
std::unique_ptr<Searcher<P>> make_puct_searcher(const SearchParams& params, bool keep_subtree,
                                                std::size_t tree_bytes) {
  return std::make_unique<PuctSearcher<P>>(params, keep_subtree, tree_bytes);
}
template <Position P>
std::unique_ptr<Searcher<P>> make_policy_searcher() {
  return std::make_unique<PolicySearcher<P>>();
}
template <Position P>
std::unique_ptr<Searcher<P>> make_random_searcher() {
  return std::make_unique<RandomSearcher<P>>();
}

/// Takes the factories' addresses, so that instantiating it instantiates them for every family.
template <class Tuple>
struct Factories;
template <Position... P>
struct Factories<std::tuple<P...>> {
#ifdef __EMSCRIPTEN__  // which searches by analysers
  static constexpr std::tuple kAll = {&make_policy_searcher<P>..., &make_random_searcher<P>...};
#else
  static constexpr std::tuple kAll = {&make_puct_searcher<P>..., &make_policy_searcher<P>...,
                                      &make_random_searcher<P>...};
#endif
};
template struct Factories<Families>;

}  // namespace faultline
