// Batches of targets for the tests of training, and the same positions for backends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "model/training/trainer.h"
#include "tests/model/inference/networks.h"

namespace faultline::test {

/// Positions with one-hot random targets: one move, one result, some plies.
template <Position P>
TrainBatch train_batch_of(const std::vector<Sample<P>>& samples, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const EncodingInfo& encoding = encoding_of<P>();
  TrainBatch batch;
  std::vector<float> planes(encoding.floats());
  for (const auto& sample : samples) {
    Encoder<P>::encode(sample.position, sample.repetitions, planes);
    std::vector<PolicyIndex> moves;
    for (const Move m : sample.moves)
      moves.push_back(Encoder<P>::policy_index(sample.position, m));
    std::vector<float> target(moves.size(), 0.0F);
    target[rng() % target.size()] = 1.0F;
    std::array<float, 3> wdl{};
    wdl[rng() % 3] = 1.0F;
    batch.add(planes, moves, target, wdl, static_cast<float>(rng() % 100));
  }
  return batch;
}

/// A batch of positions of random games.
template <Position P>
TrainBatch random_train_batch(std::size_t count, std::uint64_t seed) {
  return train_batch_of(random_positions<P>(count, seed), seed);
}

/// Gives `to` the positions of `from`.
inline void copy_positions(const TrainBatch& from, BackendBatch& to) {
  to.resize(from.count, from.moves.size());
  std::ranges::copy(from.planes, to.planes().begin());
  std::ranges::copy(from.moves, to.moves().begin());
  std::ranges::copy(from.first_move, to.first_move().begin());
}
/// The batch's positions as a batch of `backend`.
inline std::unique_ptr<BackendBatch> as_backend_batch(const Backend& backend,
                                                      const TrainBatch& from) {
  auto batch = backend.make_batch();
  copy_positions(from, *batch);
  return batch;
}
/// The same, evaluated.
inline std::unique_ptr<BackendBatch> answered_batch(Backend& backend, const TrainBatch& from) {
  auto batch = as_backend_batch(backend, from);
  backend.submit(*batch);
  backend.wait(*batch);
  return batch;
}

}  // namespace faultline::test
