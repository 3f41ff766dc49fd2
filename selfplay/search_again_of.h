// Searches positions of one family's recorded games again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "model/inference/network_evaluator.h"
#include "record/tree_memory.h"
#include "selfplay/actor_of.h"
#include "selfplay/family.h"
#include "selfplay/search_again.h"

namespace faultline {

inline float root_value(const PlyRecord& ply) {
  return 2 * unpack_probability(ply.win) + unpack_probability(ply.draw) - 1;
}

template <Position P>
std::vector<float> search_family_again(const typename P::Variant& variant, const Config& config,
                                       const PlayingNet& net, const GameRecord& game,
                                       std::span<const std::size_t> plies) {
  UniformEvaluator<P> uniform;
  NetworkEvaluator<P> network(variant, net.backend);
  Evaluator<P>& evaluator = net.backend ? static_cast<Evaluator<P>&>(network) : uniform;
  const SearchLimits limits = self_player<P>(config, evaluator).budget.full;
  std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config.run.seed), game.number));
  struct Search {
    float recorded;
    std::unique_ptr<Searcher<P>> searcher;
  };
  std::vector<Search> searches;
  std::size_t ply = 0;
  replay_game<P>(variant, game,
                 [&](const PositionHistory<P>& history, const auto&, const PlyRecord& recorded) {
                   if (std::ranges::find(plies, ply++) == plies.end()) return;
                   searches.push_back({root_value(recorded),
                                       make_puct_searcher<P>(config.search.params, false,
                                                             tree_memory(config).tree_bytes)});
                   searches.back().searcher->start(history, limits, rng);
                 });
  for (EvalBatch<P> batch;; batch.clear()) {
    for (Search& search : searches)
      while (search.searcher->gather(batch)) {
      }
    if (batch.empty()) break;
    evaluator.evaluate(batch);
    for (Search& search : searches)
      search.searcher->apply(batch);
  }
  std::vector<float> found;
  for (const Search& search : searches)
    found.push_back(std::abs(search.recorded - search.searcher->decide().value.value()));
  return found;
}

}  // namespace faultline
