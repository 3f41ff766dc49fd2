// The ways of a game file's pieces over its board, one by one: what tables are computed from.
#pragma once

#include <vector>

#include "rules/data/board_build.h"
#include "rules/data/game_file.h"

namespace faultline::data {

/// One way from a square to another. It is open if every square of `empty` is empty and, if there
/// are squares in `hurdle`, exactly one of these has a piece. What stands on `from` and `to` does
/// not matter here.
struct Route {
  Square from = kNoSquare;
  Square to = kNoSquare;
  std::vector<Square> empty;   // in the order of the way
  std::vector<Square> hurdle;  // a cannon's: all between; a grasshopper's: the last one
  /// Equal for routes that share squares or continue each other backwards: such routes are looked
  /// up together.
  int line = 0;
};

/// All routes of a leg on one level. Squares are those of that level; the leg's zones are looked up
/// with `first_square` added; holes are reached whatever `onto` says, which is about the squares
/// under them. Throws GameLimit where links fork so often that there are too many; a file with such
/// a piece does not load.
std::vector<Route> routes_of(const Board& board, const CellBoard& cells, const Leg& leg,
                             bool crosses_barriers_sideways, int first_square);

}  // namespace faultline::data
