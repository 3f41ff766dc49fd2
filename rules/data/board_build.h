// The cells of a game file's board as a graph, voids and barriers included: what legs walk on.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rules/board_graph.h"
#include "rules/data/game_file.h"

namespace faultline::data {

/// What the language can say and this program does not play.
class GameLimit : public std::runtime_error {
 public:
  /// "this program does not play …", which the file asks for in this key: "pieces.Q"; "" if that is
  /// to be added.
  explicit GameLimit(const std::string& what, std::string of_key = "")
      : std::runtime_error("this program does not play " + what), key(std::move(of_key)) {}

  /// The file's name and line, the key, and what is not played; `file` names what has no line.
  std::string message(const GameFile& game, const std::string& file) const;

  std::string key;
};

/// Where a part of the board lies: moved by so many files and ranks.
struct Displacement {
  int files = 0;
  int ranks = 0;
  friend bool operator==(const Displacement&, const Displacement&) = default;
};

/// Cells of one level and their links. Squares come first, numbered as in `Board`; voids and
/// barriers follow. A square that another one covers is a void without links.
struct CellBoard {
  std::vector<CellKind> kinds;
  std::vector<std::array<BoardGraph::Neighbours, kDirections>> links;
  SquareSet covered;

  bool is_square(Square cell) const { return kinds[cell] == CellKind::Square; }
  const BoardGraph::Neighbours& next(Square cell, Direction d) const {
    return links[cell][static_cast<std::size_t>(index(d))];
  }
};

/// The cells with the parts at `places`, one for each of board.parts. Throws GameLimit for
/// parts of a board with wraps or slanted rows.
CellBoard build_cells(const Board& board, std::span<const Displacement> places);
/// With the parts where the file puts them.
CellBoard build_cells(const Board& board);

/// The squares with their names, links, lines over voids, and knights' leaps, of all levels.
BoardGraph build_graph(const Board& board, const CellBoard& cells);

}  // namespace faultline::data
