// Batches for the network's tests.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "model/encoding/encoders.h"
#include "model/training/trainer.h"
#include "tests/model/random_positions.h"

namespace faultline::test {

template <Position P>
const EncodingInfo& encoding_of() {
  return Encoder<P>::info(P::variant({P::info().name, {}}));
}

/// Positions of random games with sharp random targets: one move, one result, some plies.
template <Position P>
TrainBatch random_train_batch(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const EncodingInfo& encoding = encoding_of<P>();
  TrainBatch batch;
  std::vector<float> planes(encoding.floats());
  for (const auto& sample : random_positions<P>(count, seed)) {
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

inline BackendBatch as_backend_batch(const TrainBatch& from) {
  BackendBatch batch;
  batch.count = from.count;
  batch.planes = from.planes;
  batch.moves = from.moves;
  batch.first_move = from.first_move;
  return batch;
}

inline NetConfig small_net(int se_ratio = 0) {
  NetConfig net;
  net.blocks = 2;
  net.channels = 16;
  net.se_ratio = se_ratio;
  net.policy_dim = 24;  // not a multiple of a vector register
  net.value_channels = 4;
  net.value_hidden = 20;
  return net;
}

}  // namespace faultline::test
