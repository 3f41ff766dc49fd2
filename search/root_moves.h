// A search's statistics of its root moves, and choosing one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "rules/move.h"
#include "search/evaluation.h"

namespace faultline {

struct RootMove {
  Move move;
  std::uint32_t visits;
  float prior;       // with the root's noise, if any was added
  float value;       // mean win - loss for the root's mover
  float draw;        // mean probability of a draw
  float moves_left;  // mean plies to the end, this move included
  /// If a mate is proven: plies to it, this move included; negative if the mover is mated. 0: it
  /// is not.
  int mate_plies = 0;
  /// Added to `value` where moves are selected, never where values are reported
  /// (search/move_bias.h).
  float bonus = 0;
  bool excluded = false;  // not searched: by SearchLimits::search_moves or a strategy's limit

  bool wins() const { return mate_plies > 0; }
  bool loses() const { return mate_plies < 0; }
};

/// The move with the shortest proven mate; otherwise, of those that are not proven to lose, the one
/// with most visits, then value, then prior; and if all lose, the one that loses last. `moves` must
/// not be empty.
Move best_move(std::span<const RootMove> moves);

/// The mean over all visits of `moves`; nothing if there are none.
std::optional<Evaluation> mean_of_visits(std::span<const RootMove> moves);

/// An index with probability proportional to weight^(1/temperature); nothing if there is nothing to
/// sample from: at temperature 0, or if all weights are 0.
std::optional<std::size_t> pick_index(std::span<const std::uint32_t> weights, float temperature,
                                      std::mt19937_64& rng);

}  // namespace faultline
