// A game's file in the words of Fairy-Stockfish's variants.ini.
#pragma once

#include <string>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

struct FairyStockfish {
  /// A section of variants.ini, named faultline-NAME: Fairy-Stockfish passes over a section with
  /// the name of a game that it has. Empty if something is refused.
  std::string text;
  /// What it has no words for: "board.belt: its boards do not move".
  std::vector<std::string> refused;
  /// What release 11.1, Debian's, does not read of the text: "custom pieces".
  std::vector<std::string> newer;
};

FairyStockfish to_fairy_stockfish(const GameFile& game);

}  // namespace faultline::data
