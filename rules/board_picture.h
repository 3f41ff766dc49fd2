// A drawing of a position, as data: squares as polygons with their pieces, labels, and other
// features of the board. SVG, the browser and reports are drawn from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/piece_kinds.h"
#include "rules/types.h"

namespace faultline {

/// A point of the board plane: x to the right and y up as seen by White, in square widths. Stacked
/// boards are placed side by side here.
struct PicturePoint {
  double x = 0;
  double y = 0;
  friend constexpr bool operator==(PicturePoint, PicturePoint) = default;
};
constexpr PicturePoint operator+(PicturePoint a, PicturePoint b) {
  return {a.x + b.x, a.y + b.y};
}
constexpr PicturePoint operator-(PicturePoint a, PicturePoint b) {
  return {a.x - b.x, a.y - b.y};
}
/// Linear interpolation from `a` (t = 0) to `b` (t = 1).
constexpr PicturePoint between(PicturePoint a, PicturePoint b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/// Corners in order, counterclockwise.
using PicturePolygon = std::vector<PicturePoint>;
/// The rectangle with `low` as its lower left corner.
PicturePolygon rectangle_at(PicturePoint low, double width = 1, double height = 1);
/// The mean of the corners: the middle of a parallelogram.
PicturePoint middle_of(const PicturePolygon& polygon);

struct PictureBox {
  PicturePoint low;
  PicturePoint high;

  PicturePoint middle() const { return between(low, high, 0.5); }
  /// The smallest box containing both.
  PictureBox with(PicturePoint point) const;
};

enum class PictureShade : std::uint8_t { Dark, Light };
/// Chess's colouring: the cell (0, 0), a1, is dark.
constexpr PictureShade checkered(int x, int y) {
  return ((x + y) & 1) == 0 ? PictureShade::Dark : PictureShade::Light;
}

/// A square that exists in the position.
struct PictureSquare {
  Square square = kNoSquare;
  std::string name;  // as in moves and position texts
  int level = 0;     // index into BoardPicture::levels
  PicturePolygon polygon;
  PicturePoint centre;
  PictureShade shade = PictureShade::Dark;
  Piece piece;
};

/// A part of the board that is not a square.
struct PictureArea {
  enum class Kind : std::uint8_t {
    Gap,      // shifting: a sector can slide here
    Barrier,  // slanted: only knights and ultras can cross it
    Hole,     // inferno: a piece that would land here descends
  };
  Kind kind = Kind::Gap;
  std::string name;
  int level = 0;
  PicturePolygon polygon;
  PictureShade shade = PictureShade::Dark;
};

/// A square of another level, drawn small below a hole. It is also among the squares.
struct PictureInset {
  Square square = kNoSquare;  // kNoSquare: a hole there as well
  int level = 0;              // the level in whose hole it is drawn
  PicturePolygon polygon;
  PictureShade shade = PictureShade::Dark;
  Piece piece;
};

struct PictureMark {
  enum class Kind : std::uint8_t {
    Staircase,  // escher: the squares' centres in carrying order; the last leads back to the first
    Sector,     // shifting: the outline of four squares that slide together
    Escalator,  // slanted: the outline of a block of escalator squares
    Fork,       // slanted: from a square's centre to that of one of the two squares ahead of it
    FaultLine,  // earthquake: the boundary between the halves
    BoardMove,  // how a part of the board has just moved
  };
  Kind kind = Kind::Staircase;
  int level = 0;
  std::vector<PicturePoint> points;
  bool moved = false;  // carried pieces in the last turn
};

struct PictureLabel {
  enum class Kind : std::uint8_t {
    File,     // `at` is the middle of the text
    Rank,     // likewise
    Column,   // shifting's columns of sectors and rows of sectors; likewise
    Row,      //
    Caption,  // inside a gap; likewise
    Name,     // of a square not named by its file and rank, in its corner; likewise
    Title,    // above a level; `at` is the start of the text
    Note,     // below the board; likewise
  };
  Kind kind = Kind::File;
  int level = 0;
  std::string text;
  PicturePoint at;
  /// Whether a label stays with a part of the board in Black's view, where otherwise file labels
  /// stay below the board and rank labels beside it.
  bool turns_with_board = false;
};

struct PictureHighlight {
  enum class Kind : std::uint8_t {
    MoveFrom,
    MoveTo,
    Check,
    Moves,     // in a diagram of a piece: where it moves without capturing,
    Captures,  // where it captures,
    Both,      // and where it does both
  };
  Square square = kNoSquare;
  Kind kind = Kind::Check;
};

/// One board of a position, with all its squares, areas and insets.
struct PictureLevel {
  PictureBox box;
};

/// Made by `board_picture()` of every family's Position.
struct BoardPicture {
  std::vector<PictureLevel> levels;
  std::vector<PictureSquare> squares;  // by square number; missing squares are left out
  std::vector<PictureArea> areas;
  std::vector<PictureInset> insets;
  std::vector<PictureMark> marks;
  std::vector<PictureLabel> labels;
  std::vector<PictureHighlight> highlights;
  const PieceKinds* kinds = &compiled_piece_kinds();  // of the game's pieces

  const PieceKind& kind(Piece piece) const {
    return (*kinds)[static_cast<std::size_t>(index(piece.type))];
  }
  /// The square of that number, or null if it does not exist in the position.
  const PictureSquare* find(Square square) const;
  void highlight(Square square, PictureHighlight::Kind kind);

  // For use by the families.

  /// Adds a 1×1 square with its lower left corner at `low`.
  void add_square(Square square, std::string name, int level, PicturePoint low, PictureShade shade,
                  Piece piece);
  /// Letters a, b, … in a row, the first centred at `first`; digits upwards from `lowest`.
  void add_files(int level, int count, PicturePoint first, bool turns_with_board = false);
  void add_ranks(int level, int lowest, int count, PicturePoint first,
                 bool turns_with_board = false);
};

/// Distance of the centres of file and rank labels from the squares.
inline constexpr double kPictureLabelDistance = 0.32;

/// The board as seen by Black: every level is rotated by 180 degrees in place.
BoardPicture seen_from_black(BoardPicture picture);

}  // namespace faultline
