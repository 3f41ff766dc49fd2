// Pictures of positions as data.
#include "report/picture_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "picture/piece_shapes.h"
#include "rules/fen.h"

namespace faultline {
namespace {

/// Thousandths of a square are enough for any screen.
ReportJson coordinate(double value) {
  return json_number(std::round(value * 1000) / 1000, 6);
}

ReportJson flat(const std::vector<PicturePoint>& points) {
  ReportJson json = ReportJson::array();
  for (const PicturePoint point : points) {
    json.push_back(coordinate(point.x));
    json.push_back(coordinate(point.y));
  }
  return json;
}

ReportJson polygon_json(const PicturePolygon& polygon) {
  if (!polygon.empty() && polygon == rectangle_at(polygon.front()))
    return {coordinate(polygon.front().x), coordinate(polygon.front().y)};
  return flat(polygon);
}

bool same_place(PicturePoint a, PicturePoint b) {
  constexpr double kClose = 5e-4;
  return std::abs(a.x - b.x) < kClose && std::abs(a.y - b.y) < kClose;
}

std::string_view name(PictureArea::Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"gap", "barrier", "hole"};
  return kNames.at(static_cast<std::size_t>(kind));
}
std::string_view name(PictureMark::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"staircase", "sector", "escalator",
                                                      "fork",      "fault",  "move"};
  return kNames.at(static_cast<std::size_t>(kind));
}
std::string_view name(PictureLabel::Kind kind) {
  constexpr std::array<std::string_view, 8> kNames = {"file",    "rank", "column", "row",
                                                      "caption", "name", "title",  "note"};
  return kNames.at(static_cast<std::size_t>(kind));
}

int number_of(Square square) {
  return square == kNoSquare ? -1 : static_cast<int>(square);
}

ReportJson squares_json(const BoardPicture& picture) {
  ReportJson squares = ReportJson::array();
  for (const PictureSquare& square : picture.squares) {
    ReportJson json = {number_of(square.square), square.name, square.level,
                       square.shade == PictureShade::Light ? 1 : 0, polygon_json(square.polygon)};
    if (!same_place(square.centre, middle_of(square.polygon)))
      json.push_back(flat({square.centre}));
    squares.push_back(std::move(json));
  }
  return squares;
}

ReportJson board_json(const BoardPicture& picture) {
  ReportJson board = {{"levels", ReportJson::array()}, {"squares", squares_json(picture)}};
  for (const PictureLevel& level : picture.levels)
    board["levels"].push_back(flat({level.box.low, level.box.high}));
  for (const PictureArea& area : picture.areas)
    board["areas"].push_back({name(area.kind), area.level,
                              area.shade == PictureShade::Light ? 1 : 0,
                              polygon_json(area.polygon)});
  for (const PictureInset& inset : picture.insets)
    board["insets"].push_back({number_of(inset.square), inset.level,
                               inset.shade == PictureShade::Light ? 1 : 0,
                               flat({inset.polygon.front()})});
  for (const PictureMark& mark : picture.marks)
    if (mark.kind != PictureMark::Kind::BoardMove)
      board["marks"].push_back({name(mark.kind), mark.level, flat(mark.points)});
  for (const PictureLabel& label : picture.labels)
    board["labels"].push_back({name(label.kind), label.level, label.text, coordinate(label.at.x),
                               coordinate(label.at.y), label.turns_with_board ? 1 : 0});
  return board;
}

ReportJson shape_json(const PieceKind& kind) {
  constexpr std::array<std::string_view, 5> kKinds = {"body", "limb", "line", "dot", "stroke"};
  ReportJson shape = {{"name", kind.name}, {"parts", ReportJson::array()}};
  for (const PiecePart& part : piece_parts(kind))
    shape["parts"].push_back({kKinds.at(static_cast<std::size_t>(part.kind)), part.path});
  return shape;
}

/// Whether two pictures have the same board_json().
bool have_same_board(const BoardPicture& a, const BoardPicture& b) {
  const auto is_board = [](const PictureMark& mark) {
    return mark.kind != PictureMark::Kind::BoardMove;
  };
  return std::ranges::equal(a.squares, b.squares,
                            [](const PictureSquare& x, const PictureSquare& y) {
                              return x.square == y.square && x.level == y.level &&
                                     x.shade == y.shade && x.centre == y.centre &&
                                     x.polygon == y.polygon && x.name == y.name;
                            }) &&
         std::ranges::equal(a.levels, b.levels,
                            [](const PictureLevel& x, const PictureLevel& y) {
                              return x.box.low == y.box.low && x.box.high == y.box.high;
                            }) &&
         std::ranges::equal(a.areas, b.areas,
                            [](const PictureArea& x, const PictureArea& y) {
                              return x.kind == y.kind && x.level == y.level && x.shade == y.shade &&
                                     x.polygon == y.polygon;
                            }) &&
         std::ranges::equal(a.insets, b.insets,
                            [](const PictureInset& x, const PictureInset& y) {
                              return x.square == y.square && x.level == y.level &&
                                     x.shade == y.shade && x.polygon == y.polygon;
                            }) &&
         std::ranges::equal(a.labels, b.labels,
                            [](const PictureLabel& x, const PictureLabel& y) {
                              return x.kind == y.kind && x.level == y.level && x.at == y.at &&
                                     x.turns_with_board == y.turns_with_board && x.text == y.text;
                            }) &&
         std::ranges::count_if(a.marks, is_board) == std::ranges::count_if(b.marks, is_board) &&
         std::ranges::equal(a.marks, b.marks, [&](const PictureMark& x, const PictureMark& y) {
           return x.kind == y.kind &&
                  (!is_board(x) || (x.level == y.level && x.points == y.points));
         });
}

}  // namespace

char PictureTable::letter_of(const PieceKind& kind) {
  char& known = letters_[&kind];
  if (known == 0) known = new_letter(kind);
  return known;
}

char PictureTable::new_letter(const PieceKind& kind) {
  const ReportJson shape = shape_json(kind);
  const auto takes = [&](char letter) {
    const std::string key(1, letter);
    if (!shapes_.contains(key)) shapes_[key] = shape;
    return shapes_[key] == shape;
  };
  if (kind.letter.size() == 1 && takes(kind.letter.front())) return kind.letter.front();
  for (char letter = 'A'; letter <= 'Z'; ++letter)
    if (takes(letter)) return letter;
  throw std::length_error(
      "a report shows at most 26 kinds of pieces; report games of fewer variants at once");
}

int PictureTable::board_of(const BoardPicture& picture) {
  if (last_board_ >= 0 && have_same_board(picture, last_)) return last_board_;
  ReportJson board = board_json(picture);
  const auto [entry, is_new] =
      numbers_.try_emplace(json_text(board), static_cast<int>(boards_.size()));
  if (is_new) boards_.push_back(std::move(board));
  last_ = picture;
  return last_board_ = entry->second;
}

PicturePlacement PictureTable::place(const BoardPicture& picture) {
  PicturePlacement placement{.board = board_of(picture), .pieces = {}};
  for (const PictureSquare& square : picture.squares) {
    if (!square.piece.exists()) {
      placement.pieces += '.';
      continue;
    }
    const char letter = letter_of(picture.kind(square.piece));
    placement.pieces +=
        square.piece.colour == Colour::White ? letter : static_cast<char>(letter - 'A' + 'a');
  }
  return placement;
}

ReportJson placement_json(const PicturePlacement& now, const PicturePlacement* before) {
  if (before == nullptr || before->board != now.board) return {{"b", now.board}, {"p", now.pieces}};
  std::string changes;
  for (std::size_t i = 0; i < now.pieces.size(); ++i)
    if (now.pieces[i] != before->pieces[i]) changes += std::to_string(i) + now.pieces[i];
  return {{"d", changes}};
}

}  // namespace faultline
