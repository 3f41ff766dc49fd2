// What people call a set of squares: "ranks 1 to 3", "d1-f3".
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "rules/data/game_file.h"
#include "rules/data/zones.h"

namespace faultline::data {

/// Of one game, which lives as long.
class ZoneNames {
 public:
  explicit ZoneNames(const GameFile& file) : file_(file), zones_(file.board) {}

  SquareSet row(std::size_t r) const {
    SquareSet set;
    for (int level = 0; level < file_.board.levels.count; ++level)
      for (const Cell& cell : file_.board.rows[r])
        if (cell.kind == CellKind::Square)
          set.set(static_cast<std::size_t>(level * file_.board.squares + cell.square));
    return set;
  }
  /// "rank 8", "ranks 1 to 3", "d1-f3", or the squares.
  std::string text(const SquareSet& set) const {
    if (set.none()) return "no square";
    if (set == zones_.all()) return "any square";
    const std::size_t rows = file_.board.rows.size();
    std::size_t first = rows, last = 0;
    SquareSet whole;
    for (std::size_t r = 0; r < rows; ++r)
      if ((set & row(r)).any()) {
        first = std::min(first, r);
        last = r;
        whole |= row(r);
      }
    if (whole == set) {
      bool solid = true;
      for (std::size_t r = first; r <= last; ++r)
        solid &= (set & row(r)).any();
      if (first == last) return "rank " + std::to_string(first + 1);
      if (solid)
        return "ranks " + std::to_string(first + 1) + (last == first + 1 ? " and " : " to ") +
               std::to_string(last + 1);
    }
    return rectangle(set);
  }
  /// As a rectangle if that is what it is on the first level, else its squares.
  std::string rectangle(const SquareSet& set) const {
    Zones::Place low{.row = 1000, .column = 1000, .level = 0}, high{.row = -1, .column = -1};
    for (Square s = 0; s < file_.board.squares; ++s) {
      if (!set[s]) continue;
      const Zones::Place at = zones_.place(s);
      low.row = std::min(low.row, at.row);
      low.column = std::min(low.column, at.column);
      high.row = std::max(high.row, at.row);
      high.column = std::max(high.column, at.column);
    }
    const int area = (high.row - low.row + 1) * (high.column - low.column + 1);
    int of_level = 0;
    for (Square s = 0; s < file_.board.squares; ++s)
      of_level += set[s] ? 1 : 0;
    const Square from = zones_.at(low), to = zones_.at(high);
    if (high.row < 0 || of_level != area || area < 3 || from == kNoSquare || to == kNoSquare)
      return zones_.text(set);
    const auto& rows = file_.board.rows;
    const auto cell_name = [&](const Zones::Place& at) {
      return rows[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)].name;
    };
    return cell_name(low) + "-" + cell_name(high);
  }

 private:
  const GameFile& file_;
  Zones zones_;
};

}  // namespace faultline::data
