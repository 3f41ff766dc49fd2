// Games as data that a page can step through.
#pragma once

#include <memory>
#include <string>

#include "play/game.h"
#include "play/game_text.h"
#include "report/picture_table.h"
#include "report/report_json.h"

namespace faultline {

/// A position as a step of a game or of an opening: its placement (placement_json), and what the
/// move to it did. `before` and `last` are null for a position without a move to it.
///   m  [from, to] of a piece's move, by square numbers; absent for a movement of the board alone
///   h  [[left…], [reached…]]: the highlighted squares, if they are not those of m
///   s  staircases that moved, by their place among the board's marks
///   a  arrows of board movements: [x, y, x, y] each
///   c  squares of kings in check
ReportJson frame_json(PictureTable& table, const GamePosition& now, PicturePlacement& placement,
                      const GamePosition* before, Move move);

/// "checkmate", "adjudication", "cut at the ply limit", …
std::string ending_of(const TextGame& game);

/// A game with its frames; `label` says why it is shown, `name` which one it is. Arrays by ply,
/// each only if any entry is not null: values are the searches' for White, [win, draw] in
/// thousandths; marks are those of an annotator, "?!"; comments are what was written after the
/// move. Throws GameTextError if a move is not legal.
ReportJson game_json(PictureTable& table, const TextGame& text, const std::string& name,
                     const std::string& label);

}  // namespace faultline
