// What the rules of a game know and its type-erased positions do not tell: attacks and links.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "play/game.h"

namespace faultline::web {

/// The squares of a board that a side attacks (docs/rules.md, common rules), in the order of their
/// numbers. Squares that do not exist in the position may be among them.
struct Attacks {
  std::vector<Square> squares;
  std::vector<Square> twice;  // of them, those that at least two pieces attack
};
Attacks attacks_of(const Game& game, const GamePosition& position, Colour by);

/// Where a step to the west, east, north and south leads from each square of the board with which
/// the game's positions begin; kNoSquare: nowhere.
std::vector<std::array<Square, 4>> links_of(const Game& game);

}  // namespace faultline::web
