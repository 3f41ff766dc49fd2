// The castling field of a FEN in [start] (docs/games-as-data.md).
#pragma once

#include <string_view>
#include <vector>

#include "rules/data/board_reader.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

/// Adds to `start`, whose pieces are read, how it can castle. `value`: the FEN; `complete`: whether
/// all letters are known, so that others are mistakes.
void read_castling(std::string_view field, const TomlValue& value, const MergedFile& file,
                   const Board& board, const Zones& zones, const std::vector<PieceType>& pieces,
                   bool complete, Findings& findings, Start& start);

}  // namespace faultline::data
