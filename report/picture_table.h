// Pictures of positions as data: every board once, and positions as the pieces on them.
#pragma once

#include <map>
#include <string>

#include "report/report_json.h"
#include "rules/board_picture.h"

namespace faultline {

/// A position's picture: a board of the table, and a letter per square of it ('.' for
/// none; small for Black).
struct PicturePlacement {
  int board = -1;
  std::string pieces;
};

/// The boards of all pictures of a report. Boards differ by what a picture has besides pieces,
/// highlights and the last move: boards that move have one for each place where they have been.
class PictureTable {
 public:
  /// Adds the picture's board unless it is known, and the shapes of its pieces.
  PicturePlacement place(const BoardPicture& picture);
  /// The letter in shapes() of a kind of pieces, whose shape is added unless it is known.
  char letter_of(const PieceKind& kind);

  /// An array of boards: "levels" as boxes [x, y, x, y]; "squares" as [number, name, level, shade,
  /// polygon, centre]; "areas", "insets", "marks", "labels". A polygon is [x, y] if it is the unit
  /// square with that lower left corner, else the coordinates of its corners one after the other;
  /// centres that are the middle of their polygons are left out.
  const ReportJson& boards() const { return boards_; }
  /// The pieces' shapes by letter, which is FEN's where that is one letter that no other shape has:
  /// "name", and "parts" as [kind, path], in a box of 100 × 100.
  const ReportJson& shapes() const { return shapes_; }

 private:
  char new_letter(const PieceKind& kind);

  ReportJson boards_ = ReportJson::array();
  ReportJson shapes_ = ReportJson::object();
  std::map<std::string, int> numbers_;
  std::map<const PieceKind*, char> letters_;
};

/// What differs between two placements: {"d": "12.28P"}, a square's place in the board's list
/// followed by its letter; or {"b": board, "p": letters} if the board differs or `before` is null.
ReportJson placement_json(const PicturePlacement& now, const PicturePlacement* before);

}  // namespace faultline
