// The symmetries of games of files: maps of the board onto itself under which the rules are the
// same. They are searched on what pieces, zones and devices do, not on their texts.
#pragma once

#include <vector>

#include "rules/data/game_tables.h"

namespace faultline::data {

/// A reflection of the board's cells: ranks, files, or both (a half turn).
struct BoardMap {
  bool ranks = false;
  bool files = false;
  bool colours = false;  // White's pieces become Black's
  /// By square over all levels: where it goes. Empty if the reflection does not map squares onto
  /// squares.
  std::vector<Square> squares;

  BoardMap(const Board& board, bool ranks, bool files, bool colours);
};

/// Whether a game is the same after the map: each position has as many moves and the same ends as
/// its image, whose right to castle are mapped, too. Without an exchange of colours, rights to
/// castle are not looked at: the answer is about positions without them, and with parts of the
/// board mapped, too. With one, displaced parts and movements after every so many turns are never
/// the same.
template <class B>
bool is_symmetry(const GameTables<B>& game, const BoardMap& map);

/// For maps that are no symmetries, how close they come: larger is closer.
template <class B>
int likeness(const GameTables<B>& game, const BoardMap& map);

}  // namespace faultline::data
