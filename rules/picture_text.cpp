#include "rules/picture_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <vector>

namespace faultline {
namespace {

/// What is written at one place, and how many columns it takes.
struct PlacedText {
  std::string text;
  std::size_t width = 0;
  bool is_label = false;
};

std::string arrow(PicturePoint from, PicturePoint to) {
  const auto sign = [](double x) { return x > 0.01 ? 1 : x < -0.01 ? -1 : 0; };
  constexpr const char* kArrows[3][3] = {{"↙", "↓", "↘"}, {"←", "↺", "→"}, {"↖", "↑", "↗"}};
  return kArrows[sign(to.y - from.y) + 1][sign(to.x - from.x) + 1];
}

class PictureRows {
 public:
  explicit PictureRows(const BoardPicture& picture) : picture_(picture) {
    for (const PictureMark& mark : picture.marks)
      if (mark.kind == PictureMark::Kind::Staircase) add_arrows(mark.points);
    for (const PictureSquare& square : picture.squares)
      widest_ = std::max(widest_, cell(square).width);
  }

  bool has_arrows() const { return !arrows_.empty(); }

  std::string level(int number) const {
    Rows rows;
    for (const PictureSquare& square : picture_.squares)
      if (square.level == number) rows[height(square.centre)][square.centre.x] = cell(square);
    for (const PictureArea& area : picture_.areas) {
      if (area.level != number || area.kind == PictureArea::Kind::Gap) continue;
      const PicturePoint middle = middle_of(area.polygon);
      rows[height(middle)][middle.x] = {area.kind == PictureArea::Kind::Hole ? "o" : "#", 1};
    }
    for (const PictureLabel& label : picture_.labels)
      if (label.level == number &&
          (label.kind == PictureLabel::Kind::File || label.kind == PictureLabel::Kind::Rank))
        rows[height(label.at)][label.at.x] = {label.text, label.text.size(), true};
    return text_of(rows);
  }

 private:
  using Row = std::map<double, PlacedText>;          // by x
  using Rows = std::map<long, Row, std::greater<>>;  // by height()

  static long height(PicturePoint point) { return std::lround(4 * point.y); }

  void add_arrows(const std::vector<PicturePoint>& points) {
    const auto length = [&](std::size_t i) {
      const PicturePoint by = points[(i + 1) % points.size()] - points[i];
      return std::hypot(by.x, by.y);
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool returns = i + 1 == points.size() && length(i) > length(0) + 1;
      arrows_[{height(points[i]), std::lround(4 * points[i].x)}] +=
          returns ? "↺" : arrow(points[i], points[(i + 1) % points.size()]);
    }
  }

  PlacedText cell(const PictureSquare& square) const {
    std::string text = ".";
    if (square.piece.exists()) {
      text = picture_.kind(square.piece).letter;
      if (square.piece.colour == Colour::Black)
        std::ranges::transform(text, text.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    }
    PlacedText placed{.text = text, .width = text.size()};
    const auto found = arrows_.find({height(square.centre), std::lround(4 * square.centre.x)});
    if (found == arrows_.end()) return placed;
    constexpr std::size_t kArrowBytes = 3;
    placed.text += found->second;
    placed.width += found->second.size() / kArrowBytes;
    return placed;
  }

  std::string text_of(const Rows& rows) const {
    double left = 0;
    bool is_first = true;
    for (const auto& [y, row] : rows) {
      if (is_first || row.begin()->first < left) left = row.begin()->first;
      is_first = false;
    }
    const auto unit = static_cast<double>(widest_ + 1);
    std::string text;
    for (const auto& [y, row] : rows) {
      std::size_t column = 0;
      for (const auto& [x, placed] : row) {
        auto begin = static_cast<std::size_t>(std::lround(unit * (x - left)));
        if (placed.is_label && column > 0) begin = std::max(begin, column + 1);
        if (begin > column) text.append(begin - column, ' ');
        text += placed.text;
        column = std::max(begin, column) + placed.width;
      }
      text += '\n';
    }
    return text;
  }

  const BoardPicture& picture_;
  std::map<std::pair<long, long>, std::string> arrows_;  // by height and place in the row
  std::size_t widest_ = 1;
};

}  // namespace

std::string picture_text(const BoardPicture& picture) {
  const PictureRows rows(picture);
  std::string text;
  for (int level = 0; level < static_cast<int>(picture.levels.size()); ++level) {
    if (picture.levels.size() > 1)
      text += (level > 0 ? "\nlevel " : "level ") + std::to_string(level + 1) + "\n";
    text += rows.level(level);
  }
  if (rows.has_arrows()) text += "arrows: where belts carry; ↺: back to the first square\n";
  for (const PictureLabel& label : picture.labels)
    if (label.kind == PictureLabel::Kind::Note) text += label.text + '\n';
  return text;
}

}  // namespace faultline
