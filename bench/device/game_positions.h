// Positions of self-play games with their training targets: as a network meets them, and quick to
// make, since a uniform evaluator stands in for the network.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "model/encoding/encoding.h"
#include "model/inference/backend.h"
#include "model/level_boards.h"
#include "model/training/train_batch.h"
#include "search/evaluator.h"
#include "selfplay/actor.h"
#include "selfplay/learner.h"
#include "selfplay/window.h"

namespace faultline::bench {

/// At least `count` positions, which depend on the count alone.
template <Position P>
Window<P> game_positions(const typename P::Variant& variant, std::size_t count) {
  Config config;
  config.run.seed = 9;
  config.search.visits = 16;
  config.search.full_search_probability = 1;
  config.selfplay.games_per_thread = 16;
  config.selfplay.batch = 16;
  config.selfplay.max_plies = 120;
  config.selfplay.random_plies = 6;
  // Positions with some of the levels, and games with results.
  if (has_level_planes(Encoder<P>::info(variant))) {
    config.selfplay.random_plies = 400;
    config.selfplay.max_plies = 1000;
  }
  Window<P> window;
  window.set_capacity(2 * count + 100'000);
  UniformEvaluator<P> evaluator;
  GameNumbers numbers({}, 0);
  ActorCounts counts;
  ActorWorld<P> world;
  world.variant = &variant;
  world.config = &config;
  world.evaluator = &evaluator;
  world.numbers = &numbers;
  world.counts = &counts;
  world.sink = [&](GameRecord&& game) {
    window.add(GameSamples<P>(variant, game, {.root_value_share = 0.25F}));
  };
  world.network = [] { return NetworkIdentity{}; };
  world.go_on = [&] { return window.size() < count; };
  Actor<P>(world, 1).run();
  return window;
}

/// `count` positions of the window from `first` on (around its end), with their targets.
template <Position P>
TrainBatch train_batch(const Window<P>& window, const EncodingInfo& encoding, std::size_t first,
                       std::size_t count) {
  TrainBatch batch;
  for (std::size_t i = 0; i < count; ++i)
    add_sample(window[(first + i) % window.size()], encoding, batch);
  return batch;
}

/// The positions as a batch of `backend`, which must outlive it.
inline std::unique_ptr<BackendBatch> backend_batch(const Backend& backend, const TrainBatch& from) {
  auto batch = backend.make_batch();
  batch->resize(from.count, from.moves.size());
  std::ranges::copy(from.planes, batch->planes().begin());
  std::ranges::copy(from.moves, batch->moves().begin());
  std::ranges::copy(from.first_move, batch->first_move().begin());
  return batch;
}

}  // namespace faultline::bench
