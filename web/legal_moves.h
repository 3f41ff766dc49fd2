// Legal moves as pages show them, and the positions after them.
#pragma once

#include "play/game.h"
#include "report/picture_table.h"
#include "report/report_json.h"

namespace faultline::web {

/// LegalMove[] of page/src/lab/desk.ts. `table` gets the shapes of pieces that can be dropped,
/// and of those that pieces become.
ReportJson legal_moves_json(const GamePosition& position, PictureTable& table);

/// A legal move's text, san, from, to and arrow, as legal_moves_json() has them. `picture` is the
/// position's.
ReportJson legal_move_json(const GamePosition& position, const BoardPicture& picture, Move move);

/// The reply to `previews`.
ReportJson previews_json(const Game& game, const GamePosition& position, int from);

/// The letters of the pieces in White's and Black's hand; null for games without hands.
ReportJson hands_json(const GamePosition& position, PictureTable& table);

}  // namespace faultline::web
