// What a game file says of itself and its pieces to everything that plays games.
#pragma once

#include "rules/data/game_file.h"
#include "rules/piece_kinds.h"
#include "rules/variant.h"

namespace faultline::data {

struct GameDescription {
  GameDescription() = default;
  explicit GameDescription(const GameFile& file);

  FamilyInfo info;  // its name is "data:" and the game's
  PieceKinds kinds;
  TypeValues values{};
  TypeValues best_promotions{};  // by type: the value of the best piece that White's becomes; or 0
};

/// The mean number of squares to which a piece of White's can go from a square of the start's
/// board, if each other square is empty with a probability of 0.7: its crowded-board mobility
/// (R. Betza, "About the Values of Chess Pieces", 1996). Moves without capturing and captures count
/// one half each. By type.
std::vector<double> crowded_mobilities(const GameFile& file);

}  // namespace faultline::data
