// Positions and networks for tests of networks that share their tower over levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/model/inference/networks.h"

namespace faultline::test {

inline NetConfig shared_levels_net(int channels = 16) {
  NetConfig net = small_net();
  net.channels = channels;
  net.share_levels = true;
  return net;
}

/// Four positions of `variant` with so many levels left, from random games.
inline std::vector<Sample<InfernoPosition>> with_levels_left(const InfernoVariant& variant,
                                                             int levels, std::uint64_t seed) {
  constexpr std::size_t kPositions = 4, kPlies = 9;
  std::mt19937_64 rng(seed);
  std::vector<Sample<InfernoPosition>> samples;
  auto position =
      InfernoPosition::from_fen(variant, InfernoPosition::start(InfernoVariant{levels}).fen());
  for (std::size_t ply = 0; samples.size() < kPositions; ++ply) {
    InfernoPosition::MoveList moves;
    position.legal_moves(moves);
    if (ply % kPlies == 0)
      samples.push_back({position, 0, std::vector<Move>(moves.begin(), moves.end())});
    position.play(moves[rng() % moves.size()]);
  }
  return samples;
}

/// The networks for every number of levels of the game with five.
inline std::vector<Sample<InfernoPosition>> with_every_number_of_levels(std::uint64_t seed) {
  std::vector<Sample<InfernoPosition>> all;
  for (int levels = 5; levels >= 1; --levels)
    for (const auto& sample : with_levels_left(InfernoVariant{5}, levels, seed))
      all.push_back(sample);
  return all;
}

}  // namespace faultline::test
