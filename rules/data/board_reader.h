// The cells of a game's board and how they are linked: [board] but for what moves it.
#pragma once

#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"
#include "rules/data/zones.h"

namespace faultline::data {

struct BoardRead {
  Board board;
  Zones zones;
  bool usable = false;  // whether its squares are known, so that what names them can be read
};
/// With its belts, parts, sectors and holes. What refers to pieces (Levels::descend, Levels::same)
/// is left to read_descent().
BoardRead read_board(const MergedFile& file, Findings& findings);

}  // namespace faultline::data
