// Positions of self-play games with their training targets: as a network meets them, and quick to
// make, since a uniform evaluator stands in for the network.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/encoding/bit_planes.h"
#include "model/encoding/encoding.h"
#include "model/inference/backend.h"
#include "model/level_boards.h"
#include "model/training/train_batch.h"
#include "selfplay/actor.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"
#include "selfplay/window.h"

namespace faultline::bench {

/// At least `count` positions of a variant, which depend on the count alone. `encoding`: its own.
inline Window game_positions(const std::string& variant, const EncodingInfo& encoding,
                             std::size_t count) {
  Config config;
  config.run.variant = variant;
  config.run.seed = 9;
  config.search.visits = 16;
  config.search.full_search_probability = 1;
  config.selfplay.games_per_thread = 16;
  config.selfplay.batch = 16;
  config.selfplay.max_plies = 120;
  config.selfplay.random_plies = 6;
  // Positions with some of the levels, and games with results.
  if (has_level_planes(encoding)) {
    config.selfplay.random_plies = 400;
    config.selfplay.max_plies = 1000;
  }
  Window window;
  window.set_capacity(2 * count + 100'000);
  const GameDecoder decoder(variant, {.root_value_share = 0.25F});
  GameNumbers numbers({}, 0);
  ActorCounts counts;
  NetBoard nets;  // without a network
  PlayWhile orders({}, [&] { return window.size() < count; });
  FunctionSink sink([&](GameRecord&& game) { window.add(decoder.decode(game)); });
  make_actor(config, {}, {.orders = &orders, .numbers = &numbers, .nets = &nets, .games = &sink},
             counts)
      ->run();
  return window;
}

/// `count` positions of the window from `first` on (around its end), with their targets.
inline TrainBatch train_batch(const Window& window, const EncodingInfo& encoding, std::size_t first,
                              std::size_t count) {
  TrainBatch batch;
  for (std::size_t i = 0; i < count; ++i)
    add_sample(window[(first + i) % window.size()], &encoding, batch);
  return batch;
}

/// The positions as a batch of `backend`, which must outlive it. Planes are bits already where it
/// takes bits, so that submitting it converts nothing.
inline std::unique_ptr<BackendBatch> backend_batch(const Backend& backend, const TrainBatch& from) {
  auto batch = backend.make_batch();
  batch->resize(from.count, from.moves.size());
  if (batch->takes_bits())
    pack_planes(from.planes.data(), batch->floats() / batch->plane_count(), batch->bits());
  else
    std::ranges::copy(from.planes, batch->planes().begin());
  std::ranges::copy(from.moves, batch->moves().begin());
  std::ranges::copy(from.first_move, batch->first_move().begin());
  return batch;
}

}  // namespace faultline::bench
