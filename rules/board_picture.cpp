// Building and rotating board pictures.
#include "rules/board_picture.h"

#include <algorithm>
#include <utility>

namespace faultline {

PicturePolygon rectangle_at(PicturePoint low, double width, double height) {
  return {low, {low.x + width, low.y}, {low.x + width, low.y + height}, {low.x, low.y + height}};
}

PicturePoint middle_of(const PicturePolygon& polygon) {
  PicturePoint sum;
  for (const PicturePoint point : polygon)
    sum = sum + point;
  const auto corners = static_cast<double>(polygon.size());
  return {sum.x / corners, sum.y / corners};
}

PictureBox PictureBox::with(PicturePoint point) const {
  return {{std::min(low.x, point.x), std::min(low.y, point.y)},
          {std::max(high.x, point.x), std::max(high.y, point.y)}};
}

const PictureSquare* BoardPicture::find(Square square) const {
  const auto found = std::find_if(squares.begin(), squares.end(),
                                  [&](const PictureSquare& s) { return s.square == square; });
  return found == squares.end() ? nullptr : &*found;
}

void BoardPicture::highlight(Square square, PictureHighlight::Kind kind) {
  if (find(square) != nullptr) highlights.push_back({square, kind});
}

void BoardPicture::add_square(Square square, std::string name, int level, PicturePoint low,
                              PictureShade shade, Piece piece) {
  PicturePolygon polygon = rectangle_at(low);
  const PicturePoint centre = middle_of(polygon);
  squares.push_back({square, std::move(name), level, std::move(polygon), centre, shade, piece});
}

void BoardPicture::add_files(int level, int count, PicturePoint first, bool turns_with_board) {
  for (int i = 0; i < count; ++i)
    labels.push_back({PictureLabel::Kind::File, level, std::string(1, static_cast<char>('a' + i)),
                      first + PicturePoint{static_cast<double>(i), 0}, turns_with_board});
}

void BoardPicture::add_ranks(int level, int lowest, int count, PicturePoint first,
                             bool turns_with_board) {
  for (int i = 0; i < count; ++i)
    labels.push_back({PictureLabel::Kind::Rank, level, std::to_string(lowest + i),
                      first + PicturePoint{0, static_cast<double>(i)}, turns_with_board});
}

BoardPicture seen_from_black(BoardPicture picture) {
  const auto turn = [&](int level, PicturePoint& point) {
    const PictureBox& box = picture.levels[static_cast<std::size_t>(level)].box;
    point = box.low + box.high - point;
  };
  const auto turn_all = [&](int level, std::vector<PicturePoint>& points) {
    for (PicturePoint& point : points)
      turn(level, point);
  };
  for (PictureSquare& square : picture.squares) {
    turn_all(square.level, square.polygon);
    turn(square.level, square.centre);
  }
  for (PictureArea& area : picture.areas)
    turn_all(area.level, area.polygon);
  for (PictureInset& inset : picture.insets)
    turn_all(inset.level, inset.polygon);
  for (PictureMark& mark : picture.marks)
    turn_all(mark.level, mark.points);
  for (PictureLabel& label : picture.labels) {
    using enum PictureLabel::Kind;
    if (label.kind == Title || label.kind == Note) continue;
    PicturePoint turned = label.at;
    turn(label.level, turned);
    const bool moves_along_x = label.kind != Rank && label.kind != Row;
    const bool moves_along_y = label.kind != File && label.kind != Column;
    if (moves_along_x || label.turns_with_board) label.at.x = turned.x;
    if (moves_along_y || label.turns_with_board) label.at.y = turned.y;
  }
  return picture;
}

}  // namespace faultline
