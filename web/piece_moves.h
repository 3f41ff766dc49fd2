// How the pieces of a game move on an empty board, as pictures: PieceInfo[] of
// page/src/lab/desk.ts.
#pragma once

#include "play/game.h"
#include "report/picture_table.h"
#include "report/report_json.h"
#include "rules/data/game_file.h"

namespace faultline::web {

/// Of a game of a file: what the file says (data::piece_diagram).
ReportJson drawn_pieces_json(const Game& game, const data::GameFile& file, PictureTable& table);

/// Of any game: by the legal moves of positions with the piece alone beside the kings.
ReportJson generated_pieces_json(const Game& game, PictureTable& table);

}  // namespace faultline::web
