// [rules] and [ends] of a game's file.
#pragma once

#include <vector>

#include "rules/data/board_reader.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

Rules read_rules(const MergedFile& file, const std::vector<PieceType>& pieces, Findings& findings);
Ends read_ends(const MergedFile& file, const BoardRead& board, const std::vector<PieceType>& pieces,
               Findings& findings);

}  // namespace faultline::data
