// What changes a game's board: its belts, parts, sectors and holes.
#pragma once

#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"
#include "rules/data/zones.h"

namespace faultline::data {

/// `table`: [board]. `board`: with its cells.
void read_movements(const TomlValue& table, const MergedFile& file, const Zones& zones,
                    Board& board, Findings& findings);

/// The part in which a square lies, 1 for the first; 0: in none.
int part_of(const Board& board, Square square);
/// Where it lies at the start.
Zones::Place start_place(const Board& board, const Zones& zones, Square square);
/// The squares that other parts cover at the start.
SquareSet covered_squares(const Board& board, const Zones& zones);

}  // namespace faultline::data
