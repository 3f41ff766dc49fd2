// How large a game is: the growth of perft, and the size of the game tree by random play.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lab/elo.h"
#include "play/game.h"
#include "survey/intervals.h"

namespace faultline {

struct ComplexityLimits {
  std::int64_t perft_nodes = 10'000'000;  // of the deepest perft, as expected from those before
  int playouts = 500;
  int max_plies = 0;      // of a playout; 0: by the family
  int typical_plies = 0;  // of a played game, 0: unknown
  std::uint64_t seed = 1;
};

struct Complexity {
  std::vector<std::uint64_t> perft = {};  // of depth 1, 2, …
  /// The factor per ply from the first depth to the last; that of depth 1 if there is no other.
  double growth = 0;

  int playouts = 0;              // games of random moves
  int longest = 0;               // plies after which they were cut
  int cut = 0;                   // of the playouts
  RatioEstimate random_plies;    // mean length
  RatioEstimate random_decided;  // share, of those that were not cut
  RatioEstimate random_score;    // the first mover's, of those that were not cut
  /// log10 of the estimated number of lines of play, which end by the rules or after `longest`
  /// plies: the mean of the products of the numbers of legal moves (Knuth 1975, Mathematics of
  /// Computation 29, 121-136). Unbiased, but mostly of a few large products.
  double tree_log10 = 0;
  /// Lines that end by the rules or after `typical_plies`, estimated in the same way: from many
  /// games, and so with less uncertainty.
  int typical_plies = 0;
  double typical_log10 = 0;
  double largest_share = 0;  // of the sum of products: the largest one
};

/// Estimates a game's size; the result depends only on the limits. `stop` is asked between parts;
/// nothing is known of what it prevented.
Complexity complexity_of(const Game& game, const ComplexityLimits& limits,
                         const std::function<bool()>& stop = nullptr);

/// log10 of the mean of products, which are given as logarithms and may be too large for a number.
double knuth_log10(const std::vector<double>& products_log10);

}  // namespace faultline
