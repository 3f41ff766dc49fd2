// [pieces] and [hands] of a game's file, and which pieces descend through holes.
#pragma once

#include <optional>
#include <vector>

#include "rules/data/board_reader.h"
#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

struct PiecesRead {
  std::vector<PieceType> pieces;
  bool complete = false;  // whether all pieces of the file are there
};
PiecesRead read_pieces(const MergedFile& file, const BoardRead& board, Findings& findings);

/// Levels::descend and Levels::same.
void read_descent(const MergedFile& file, const std::vector<PieceType>& pieces, Board& board,
                  Findings& findings);
std::optional<Hands> read_hands(const MergedFile& file, const BoardRead& board,
                                const std::vector<PieceType>& pieces, Findings& findings);

}  // namespace faultline::data
