// Positions for tests: games of random moves, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "rules/history.h"
#include "rules/position.h"

namespace faultline::test {

template <Position P>
struct Sample {
  P position;
  int repetitions;
  std::vector<Move> moves;  // all legal ones, at least one
};

/// `count` unfinished positions, from as many random games as needed.
template <Position P>
std::vector<Sample<P>> random_positions(std::size_t count, std::uint64_t seed) {
  const VariantName name{P::info().name, {}};
  const auto& variant = P::variant(name);
  std::mt19937_64 rng(seed);
  std::vector<Sample<P>> samples;
  while (samples.size() < count) {
    PositionHistory<P> history(P::start(variant));
    while (samples.size() < count && !is_over(history.outcome())) {
      typename P::MoveList moves;
      history.position().legal_moves(moves);
      samples.push_back({history.position(), history.repetitions(),
                         std::vector<Move>(moves.begin(), moves.end())});
      history.play(moves[rng() % moves.size()]);
    }
  }
  return samples;
}

}  // namespace faultline::test
