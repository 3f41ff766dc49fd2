// Where the squares of a game's file lie on a drawing, and all that is drawn but the pieces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/board_graph.h"
#include "rules/board_picture.h"
#include "rules/data/board_build.h"
#include "rules/data/game_file.h"

namespace faultline::data {

/// What of a board can change.
struct BoardState {
  SquareSet missing;                 // squares that do not exist, over all levels
  int levels = 1;                    // that are left
  std::vector<Displacement> places;  // of the parts
};

/// The place of every square, holes and missing squares included.
class BoardLayout {
 public:
  /// A row's squares lean where their lower edges are not below their upper ones; what has other
  /// names than its file and rank above them leans with them, so that it looks like one ramp.
  /// `graph`: of all squares of all levels. Both live as long as this.
  BoardLayout(const GameFile& game, const BoardGraph& graph, BoardState state);

  const PicturePolygon& polygon(Square s) const { return polygons_[s]; }
  PicturePoint centre(Square s) const { return middle_of(polygons_[s]); }
  PictureShade shade(Square s) const { return shades_[s]; }
  int level(Square s) const { return s / game_->board.squares; }
  bool is_hole(Square s) const;
  bool is_missing(Square s) const { return state_.missing[s]; }
  PicturePolygon sector(std::size_t area) const;
  /// The bounds of a displaced part.
  PictureBox part(std::size_t part) const;
  /// What "e4" begins with for the squares of a file, from the left, and ends with for those of a
  /// rank; "" where no square is named so.
  const std::string& file_text(std::size_t column) const { return files_[column]; }
  const std::string& rank_text(std::size_t row) const { return ranks_[row]; }

  /// Everything but pieces, highlights and notes.
  BoardPicture draw() const;

 private:
  /// Where a cell of a row lies, and whether it is named by its file and rank.
  struct Place {
    double low = 0;   // left end of the lower edge
    double high = 0;  // … of the upper one
    bool named_otherwise = false;
  };
  /// Squares that lie together: those of a part, or those of none.
  struct Group {
    Displacement by;
    PictureBox box;
    bool is_part = false;
  };

  std::size_t rows() const { return game_->board.rows.size(); }
  std::size_t columns() const { return game_->board.rows.front().size(); }
  const Cell& cell(std::size_t row, std::size_t column) const {
    return game_->board.rows[row][column];
  }
  void name_lines();
  void lean();
  void place_squares();
  void find_groups();
  void arrange_levels();
  double seam_before(std::size_t index, int size) const;
  PicturePolygon cell_polygon(std::size_t row, std::size_t column, Displacement by) const;
  int part_of(Square of_level) const;
  PicturePoint corner(int level) const;
  std::string barrier_name(std::size_t row, std::size_t column, int level) const;

  void draw_level(BoardPicture& picture, int level) const;
  void draw_hole(BoardPicture& picture, Square s) const;
  void draw_labels(BoardPicture& picture, int level) const;
  void draw_group_labels(BoardPicture& picture, const Group& group, int level) const;
  void draw_sectors(BoardPicture& picture) const;
  void draw_escalators(BoardPicture& picture, int level) const;
  void draw_forks(BoardPicture& picture) const;
  void draw_belts(BoardPicture& picture) const;
  void draw_faults(BoardPicture& picture) const;

  const GameFile* game_;
  const BoardGraph* graph_;
  BoardState state_;
  std::vector<std::string> files_, ranks_;
  std::vector<std::vector<Place>> places_;  // [row][column]
  std::vector<PicturePolygon> polygons_;    // of all levels
  std::vector<PictureShade> shades_;
  std::vector<Group> groups_;  // where the board has parts
  PictureBox box_;             // of the first level
};

/// The squares whose outline shows a belt: of one that turns a rectangle, those of its outermost
/// cycle.
std::vector<std::vector<Square>> shown_cycles(const Belt& belt, int squares_of_level);

/// "BIII": the name of a sector.
std::string sector_name(const Sectors& sectors, std::size_t area);

}  // namespace faultline::data
