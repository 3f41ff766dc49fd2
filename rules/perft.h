// Perft: counts move sequences, to verify the rules and to measure the generator's speed.
#pragma once

#include <cstdint>

#include "rules/position.h"

namespace faultline {

/// The number of legal move sequences of `depth` moves; draws do not end them (docs/rules.md). Bulk
/// counting: the last ply is counted, not played.
template <Position P>
std::uint64_t perft(const P& position, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return position.count_legal_moves();
  typename P::MoveList moves;
  position.legal_moves(moves);
  std::uint64_t nodes = 0;
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    nodes += perft(next, depth - 1);
  }
  return nodes;
}

}  // namespace faultline
