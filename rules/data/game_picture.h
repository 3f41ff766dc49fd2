// What is told and shown of a game of a file to people who know chess.
#pragma once

#include <string>

#include "rules/board_picture.h"
#include "rules/data/game_file.h"
#include "rules/variant.h"

namespace faultline::data {

/// What of the game is not as in chess, and examples of its moves from the first start.
VariantDescription describe_game(const GameFile& file);
/// Moves of each kind that the game has, as texts with commas between. Promotions and castlings are
/// written as on a board on which they are possible.
std::string move_examples(const GameFile& file);

/// An empty board, as the game begins on it, with a piece on the square nearest the middle from
/// which it moves, and its destinations highlighted: where it could go if all squares were empty,
/// and what it could capture if an enemy stood there alone (and, of pieces that hop, another piece
/// on the way). What it may do only from its first squares is left out if it cannot stand there.
/// Below: its moves in words. `kinds`: by type index; lives as long as the picture.
BoardPicture piece_diagram(const GameFile& file, TypeIndex type, Colour colour,
                           const PieceKinds& kinds);

}  // namespace faultline::data
