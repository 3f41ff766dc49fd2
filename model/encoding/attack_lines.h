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

/// A way to attack one square: only if those it passes over exist and are empty, and with a piece
/// on `hurdle`, if there is one.
struct AttackWay {
  Square to = 0;
  Square hurdle = kNoSquare;
  std::vector<Square> over = {};
  friend bool operator==(const AttackWay&, const AttackWay&) = default;
};

/// "orthogonal", "diagonal", "knight", "king", "white-pawn", "black-pawn" or "ultra", or a piece of
/// a game of a file by its letter in a FEN: the lines from each square. Where lines fork, each path
/// is a line of its own.
struct AttackPattern {
  std::string name;
  std::vector<std::vector<AttackLine>> lines;     // by square
  std::vector<std::vector<AttackWay>> ways = {};  // by square: of lame leapers and hoppers
};

/// All but "ultra".
std::vector<AttackPattern> attack_patterns(const BoardGraph& graph);

}  // namespace faultline
