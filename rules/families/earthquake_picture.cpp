// Pictures of Earthquake Chess: the displaced halves, as text and as data for drawings.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "rules/board_position_impl.h"
#include "rules/families/earthquake.h"
#include "rules/square_board.h"

namespace faultline {

using namespace square_board_sets;

std::string EarthquakePosition::picture() const {
  const Displacement d = ground_->displacement();
  const int left = std::min(0, d.dx);
  const int right = std::max(7, 7 + d.dx);
  const int top = std::max(7, 3 + d.dy);
  const int bottom = std::min(4, d.dy);
  const auto upper_rank = [](int y) {
    return y >= 4 && y < 8 ? std::to_string(y + 1) : std::string(" ");
  };
  const auto lower_rank = [&](int y) {
    return y >= d.dy && y < d.dy + 4 ? std::to_string(y - d.dy + 1) : std::string(" ");
  };
  const auto files = [&](int first_x) {
    return std::string(static_cast<std::size_t>(2 * (first_x - left) + 3), ' ') +
           "a b c d e f g h\n";
  };
  std::string text = files(0);
  for (int y = top; y >= bottom; --y) {
    text += upper_rank(y) + " ";
    for (int x = left; x <= right; ++x) {
      char cell = ' ';
      for (Square s = 0; s < 64; ++s) {
        if (contains(ground_->covered(), s) || point_of(s, d) != Point{x, y}) continue;
        const Piece piece = board_.at(s);
        const char empty = ((x + y) & 1) == 0 ? ':' : '.';
        cell = piece.exists() ? piece_letter(piece) : empty;
      }
      text += std::string(" ") + cell;
    }
    text += "  " + lower_rank(y);
    while (text.back() == ' ')
      text.pop_back();
    text += '\n';
  }
  text += files(d.dx) + "upper half: ranks on the left; lower half, displaced by " +
          std::to_string(d.dx) + "," + std::to_string(d.dy) + ": ranks on the right\n";
  if (!variant_->shifts()) return text;
  text += counts_text("white", "black");
  if (last_dx_ != 0) text += "; just shifted by " + std::to_string(last_dx_);
  if (last_dy_ != 0)
    text += "; just shifted " + std::string(last_dy_ > 0 ? "up" : "down") + " by " +
            std::to_string(std::abs(last_dy_));
  return text + "\n";
}

std::string EarthquakePosition::counts_text(std::string_view white, std::string_view black) const {
  return (variant_->every() > 0 ? "turns until the next aftershock: " : "aftershocks left: ") +
         std::string(white) + " " + std::to_string(counts_[0]) + ", " + std::string(black) + " " +
         std::to_string(counts_[1]);
}

BoardPicture EarthquakePosition::board_picture() const {
  constexpr double kHalf = 4;  // ranks
  constexpr double kWidth = 8;
  constexpr double kAside = kPictureLabelDistance;
  const Displacement d = ground_->displacement();
  const double dx = d.dx;
  const double dy = d.dy;
  BoardPicture picture;
  PictureBox box = {{dx, dy}, {dx + kWidth, dy + kHalf}};
  for (Square s = 0; s < 64; ++s) {
    if (contains(ground_->covered(), s)) continue;
    const auto [x, y] = point_of(s, d);
    const PicturePoint low = {static_cast<double>(x), static_cast<double>(y)};
    picture.add_square(s, square_name(s), 0, low, checkered(x, y), board_.at(s));
    box = box.with(low).with(low + PicturePoint{1, 1});
  }
  picture.levels.push_back({box});

  // Each half has its own labels on the side that the other half leaves free.
  const bool to_the_right = d.dx >= 0;
  picture.add_files(0, 8, {0.5, 2 * kHalf + kAside}, true);
  picture.add_files(0, 8, {dx + 0.5, dy - kAside}, true);
  const double beside_upper = to_the_right ? -kAside : kWidth + kAside;
  for (int rank = 5; rank <= 8; ++rank)
    if (row(rank - 1) & ~ground_->covered())
      picture.add_ranks(0, rank, 1, {beside_upper, rank - 0.5}, true);
  picture.add_ranks(0, 1, 4, {to_the_right ? dx + kWidth + kAside : dx - kAside, dy + 0.5}, true);
  if (variant_->shifts())
    picture.labels.push_back({.kind = PictureLabel::Kind::Note,
                              .level = 0,
                              .text = counts_text("White", "Black"),
                              .at = {box.low.x, box.low.y - 1.5},
                              .turns_with_board = false});

  PictureMark fault{.kind = PictureMark::Kind::FaultLine, .level = 0, .points = {}};
  const double left = std::max(0.0, dx);
  const double right = std::min(kWidth, dx + kWidth);
  const double edge = dy + kHalf;  // the lower half's upper edge
  if (dy <= 0) {
    constexpr double kBeyond = 0.4;
    const double middle = (edge + kHalf) / 2;
    fault.points = {{left - kBeyond, middle}, {right + kBeyond, middle}};
  } else {
    // Around the part that covers the upper half, where the two border on each other.
    if (dx > 0 && dx < kWidth) fault.points.push_back({dx, kHalf});
    if (dy < kHalf || left < right) fault.points.push_back({left, edge});
    if (dy < kHalf || left < right) fault.points.push_back({right, edge});
    if (dx < 0 && dx > -kWidth) fault.points.push_back({dx + kWidth, kHalf});
    if (left >= right) fault.points = {{left, kHalf}, {left, edge}};
  }
  picture.marks.push_back(std::move(fault));
  mark_check(picture);
  return picture;
}

void EarthquakePosition::mark_move(Move move, BoardPicture& after) const {
  if (move.kind() != MoveKind::Aftershock) return BoardPosition::mark_move(move, after);
  const Displacement before = ground_->displacement();
  const Displacement by = shift_of(move);
  PicturePoint from = {before.dx + 4.0, before.dy - 0.85};  // below the lower half
  if (by.dy != 0)                                           // beside it, where the upper one is not
    from = {before.dx + (before.dx >= 0 ? 8.85 : -0.85), before.dy + 2.0};
  after.marks.push_back({.kind = PictureMark::Kind::BoardMove,
                         .level = 0,
                         .points = {from, from + PicturePoint{static_cast<double>(by.dx),
                                                              static_cast<double>(by.dy)}}});
}

}  // namespace faultline
