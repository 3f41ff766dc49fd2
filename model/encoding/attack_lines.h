// How pieces attack on a board, as data for programs that do not have its rules.
#pragma once

#include <string>
#include <vector>

#include "rules/board_graph.h"

namespace faultline {

/// Squares in the order in which a line reaches them; a leap is a line of one square. A line
/// attacks its squares up to the first one with a piece, that one included, and ends before a
/// square that does not exist.
using AttackLine = std::vector<Square>;

/// "orthogonal", "diagonal", "knight", "king", "white-pawn", "black-pawn" or "ultra": the lines
/// from each square. Where lines fork, each path is a line of its own.
struct AttackPattern {
  std::string name;
  std::vector<std::vector<AttackLine>> lines;  // by square
};

/// All but "ultra".
std::vector<AttackPattern> attack_patterns(const BoardGraph& graph);

}  // namespace faultline
