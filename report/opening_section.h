// A tree of openings as data that a page can step through.
#pragma once

#include <cstddef>

#include "lab/opening_tree.h"
#include "play/game.h"
#include "report/picture_table.h"
#include "report/report_json.h"

namespace faultline {

/// The start position's frame with "g": [games, White won, drawn, Black won], and "n": the moves,
/// most played first, each a node of the same form with "t", its text, and "r", in how many of the
/// games it was not chosen (absent for 0). Has the `most` most frequent nodes that at least two
/// games reached. Throws GameTextError for a move that is not legal in `game`.
ReportJson opening_json(const OpeningTree& tree, const Game& game, PictureTable& table,
                        std::size_t most = 400);

}  // namespace faultline
