// [start] of a game's file: the positions from which it begins, and how they can castle.
#pragma once

#include <vector>

#include "rules/data/board_reader.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

/// `complete`: whether all letters are known, so that others are mistakes.
std::vector<Start> read_starts(const MergedFile& file, const BoardRead& board,
                               const std::vector<PieceType>& pieces, bool complete, bool has_hands,
                               Findings& findings);

}  // namespace faultline::data
