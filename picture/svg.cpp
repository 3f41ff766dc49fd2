// Layers of a board, from bottom to top: areas, squares, markings, pieces, labels.
#include "picture/svg.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "picture/piece_shapes.h"
#include "rules/fen.h"

namespace faultline {

namespace {

constexpr double kUnit = 100;     // drawing units per square
constexpr double kPieceSize = 1;  // in squares

constexpr std::string_view kPaper = "#fbf8f1";
constexpr std::string_view kLight = "#f1e7d0";
constexpr std::string_view kDark = "#c3ac84";
constexpr std::string_view kGrid = "#8f7a55";
constexpr std::string_view kInk = "#4b4336";
constexpr std::string_view kAccent = "#1f6f78";   // columns and rows of sectors, escalators
constexpr std::string_view kAcross = "#14717d";   // staircases along rows
constexpr std::string_view kUpright = "#8b2f6b";  // staircases along columns
constexpr std::string_view kVoid = "#3a3d44";     // gaps and barriers
constexpr std::string_view kVoidEdge = "#23252a";
constexpr std::string_view kVoidText = "#8d929c";
constexpr std::string_view kFault = "#a3271d";
constexpr std::string_view kMoved = "#e0a100";
constexpr std::string_view kCheck = "#d3212d";

/// A number with at most two decimals and no trailing zeros.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML cannot represent control characters, and non-ASCII bytes may not be valid UTF-8.
        result += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return result;
}

struct TextStyle {
  double size;  // in squares
  std::string_view colour;
  bool bold = false;
  bool centred = true;
};

TextStyle style_of(PictureLabel::Kind kind) {
  using enum PictureLabel::Kind;
  switch (kind) {
    case File:
    case Rank:
      break;
    case Column:
    case Row:
      return {.size = 0.32, .colour = kAccent, .bold = true};
    case Caption:
      return {.size = 0.42, .colour = kVoidText, .bold = true};
    case Name:
      return {.size = 0.18, .colour = kAccent};
    case Title:
      return {.size = 0.42, .colour = kInk, .bold = true, .centred = false};
    case Note:
      return {.size = 0.36, .colour = kInk, .centred = false};
  }
  return {.size = 0.3, .colour = kInk};
}

double length(PicturePoint p) {
  return std::hypot(p.x, p.y);
}
/// `p` times `factor`.
PicturePoint times(PicturePoint p, double factor) {
  return {p.x * factor, p.y * factor};
}
/// Rotated left by 90 degrees.
PicturePoint left_of(PicturePoint p) {
  return {-p.y, p.x};
}

/// As a FEN writes it.
std::string letter_of(Piece piece, const PieceKind& kind) {
  std::string letter = kind.letter;
  if (piece.colour == Colour::Black)
    for (char& c : letter)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letter;
}

/// Of a rectangle.
double smaller_side(const PicturePolygon& polygon) {
  return std::min(length(polygon[1] - polygon[0]), length(polygon[2] - polygon[1]));
}

/// Whether the points lie in order on a line along a rank or a file, a step apart.
bool is_straight(const std::vector<PicturePoint>& points) {
  if (points.size() < 2) return false;
  const PicturePoint step = points[1] - points[0];
  for (std::size_t i = 1; i < points.size(); ++i)
    if (length(points[i] - points[i - 1] - step) > 1e-6) return false;
  return step.x == 0 || step.y == 0;
}

std::string piece_id(Piece piece, const PieceKind& kind) {
  const std::string id = fmt::format("{}-{}", name(piece.colour), kind.name);
  // Names of files' pieces may have any characters.
  std::string plain = id;
  std::ranges::replace_if(
      plain, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return plain == id ? id : fmt::format("{}-{}", plain, index(piece.type));
}

class SvgWriter {
 public:
  SvgWriter(const BoardPicture& picture, const SvgOptions& options)
      : picture_(picture), options_(options), frame_(frame()) {}

  std::string write() {
    const double width = (frame_.high.x - frame_.low.x) * kUnit;
    const double height = (frame_.high.y - frame_.low.y) * kUnit;
    const double scale = options_.square_size / kUnit;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
        "viewBox=\"0 0 {} {}\">\n",
        number(std::round(width * scale)), number(std::round(height * scale)), number(width),
        number(height));
    if (!options_.title.empty()) line("<title>{}</title>", escaped(options_.title));
    definitions();
    line("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>", number(width), number(height), kPaper);
    areas();
    squares();
    below_holes();
    highlights();
    for (const PictureMark& mark : picture_.marks)
      draw(mark);
    pieces();
    for (const PictureMark& mark : picture_.marks)
      if (mark.kind == PictureMark::Kind::BoardMove) arrow(mark.points.front(), mark.points.back());
    for (const PictureLabel& label : picture_.labels)
      draw(label);
    return out_ + "</svg>\n";
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...) + '\n';
  }

  /// Everything that is drawn, with a margin.
  PictureBox frame() const {
    constexpr double kMargin = 0.3;
    constexpr double kLetterWidth = 0.62;  // of a text's size, for a wide font
    PictureBox box = picture_.levels.front().box;
    const auto hold = [&](PicturePoint point, double across, double down) {
      box = box.with(point - PicturePoint{across, down}).with(point + PicturePoint{across, down});
    };
    for (const PictureLevel& level : picture_.levels)
      box = box.with(level.box.low).with(level.box.high);
    for (const PictureMark& mark : picture_.marks)
      for (const PicturePoint point : mark.points)
        hold(point, 0.2, 0.2);
    for (const PictureLabel& label : picture_.labels) {
      const TextStyle style = style_of(label.kind);
      const double width = kLetterWidth * style.size * static_cast<double>(label.text.size());
      const PicturePoint middle =
          style.centred ? label.at : label.at + PicturePoint{width / 2, style.size / 2};
      hold(middle, width / 2, style.size / 2);
    }
    hold(box.low, kMargin, kMargin);
    hold(box.high - PicturePoint{kMargin, kMargin}, 2 * kMargin, 2 * kMargin);
    return box;
  }

  PicturePoint placed(PicturePoint p) const {
    return {(p.x - frame_.low.x) * kUnit, (frame_.high.y - p.y) * kUnit};
  }
  std::string text_of(PicturePoint p) const {
    const PicturePoint q = placed(p);
    return number(q.x) + "," + number(q.y);
  }
  std::string text_of(const std::vector<PicturePoint>& points) const {
    std::string text;
    for (const PicturePoint p : points)
      text += (text.empty() ? "" : " ") + text_of(p);
    return text;
  }

  void definitions() {
    line("<defs>");
    const auto is_barrier = [](const PictureArea& area) {
      return area.kind == PictureArea::Kind::Barrier;
    };
    if (std::any_of(picture_.areas.begin(), picture_.areas.end(), is_barrier))
      line(
          "<pattern id=\"hatch\" width=\"16\" height=\"16\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect width=\"16\" height=\"16\" fill=\"{}\"/>"
          "<rect width=\"5\" height=\"16\" fill=\"{}\"/></pattern>",
          kVoid, kVoidEdge);
    std::set<std::string> defined;
    const auto define = [&](Piece piece) {
      if (!piece.exists()) return;
      const std::string id = piece_id(piece, picture_.kind(piece));
      if (defined.insert(id).second) define_piece(piece, id);
    };
    for (const PictureSquare& square : picture_.squares)
      define(square.piece);
    line("</defs>");
  }

  void define_piece(Piece piece, const std::string& id) {
    const bool white = piece.colour == Colour::White;
    const std::string_view fill = white ? "#fffdf7" : "#45434a";
    const std::string_view outline = white ? "#26231f" : "#141317";
    const std::string_view detail = white ? "#26231f" : "#f0e9da";
    line("<g id=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">", id);
    for (const PiecePart& part : piece_parts(picture_.kind(piece))) {
      switch (part.kind) {
        case PiecePart::Kind::Body:
          line("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"/>", part.path, fill,
               outline);
          break;
        case PiecePart::Kind::Limb:
          line("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"8\"/>", part.path,
               outline);
          line("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\"/>", part.path, fill);
          break;
        case PiecePart::Kind::Line:
          line("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>", part.path,
               detail);
          break;
        case PiecePart::Kind::Bar:
          line("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"6\"/>", part.path,
               detail);
          break;
        case PiecePart::Kind::Dot:
          line("<path d=\"{}\" fill=\"{}\"/>", part.path, detail);
          break;
      }
    }
    line("</g>");
  }

  void areas() {
    for (const PictureArea& area : picture_.areas) {
      using enum PictureArea::Kind;
      line("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"/>",
           text_of(area.polygon), area.kind == Barrier ? "url(#hatch)" : kVoid, kVoidEdge);
    }
  }

  void squares() {
    for (const PictureSquare& square : picture_.squares)
      line(
          "<polygon class=\"square\" data-square=\"{}\" points=\"{}\" fill=\"{}\" stroke=\"{}\" "
          "stroke-width=\"1.5\"/>",
          escaped(square.name), text_of(square.polygon),
          square.shade == PictureShade::Light ? kLight : kDark, kGrid);
  }

  /// The next level, small and shaded, below the hole's own squares.
  void below_holes() {
    for (const PictureInset& inset : picture_.insets) {
      const bool light = inset.shade == PictureShade::Light;
      const std::string_view fill = inset.square == kNoSquare ? (light ? "#4d4a55" : "#33313a")
                                    : light                   ? kLight
                                                              : kDark;
      line("<polygon points=\"{}\" fill=\"{}\"/>", text_of(inset.polygon), fill);
    }
    for (const PictureInset& inset : picture_.insets)
      if (inset.piece.exists())
        use(inset.piece, middle_of(inset.polygon), kPieceSize * smaller_side(inset.polygon),
            "class=\"below\"");
    for (const PictureArea& area : picture_.areas)
      if (area.kind == PictureArea::Kind::Hole)
        line(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\" "
            "stroke-width=\"2.5\"/>",
            text_of(area.polygon), kVoidEdge, area.shade == PictureShade::Light ? "0.36" : "0.58",
            kVoidEdge);
  }

  void highlights() {
    for (const PictureHighlight& highlight : picture_.highlights) {
      const PictureSquare* square = picture_.find(highlight.square);
      if (square == nullptr) continue;
      using enum PictureHighlight::Kind;
      const PicturePoint centre = placed(square->centre);
      if (highlight.kind >= Moves) {
        if (highlight.kind != Captures)
          line("<circle class=\"moves\" cx=\"{}\" cy=\"{}\" r=\"17\" fill=\"{}\"/>",
               number(centre.x), number(centre.y), kAccent);
        if (highlight.kind != Moves)
          line(
              "<circle class=\"captures\" cx=\"{}\" cy=\"{}\" r=\"31\" fill=\"none\" "
              "stroke=\"{}\" stroke-width=\"8\"/>",
              number(centre.x), number(centre.y), kFault);
      } else if (highlight.kind == Check) {
        line("<circle class=\"check\" cx=\"{}\" cy=\"{}\" r=\"47\" fill=\"{}\" opacity=\"0.7\"/>",
             number(centre.x), number(centre.y), kCheck);
      } else {
        line("<polygon class=\"last-move\" points=\"{}\" fill=\"{}\" opacity=\"{}\"/>",
             text_of(square->polygon), kMoved, highlight.kind == MoveFrom ? "0.4" : "0.62");
      }
    }
  }

  void draw(const PictureMark& mark) {
    switch (mark.kind) {
      case PictureMark::Kind::Staircase:
        if (is_straight(mark.points))
          staircase(mark);
        else
          ring(mark);
        break;
      case PictureMark::Kind::Sector:
        line(
            "<polygon points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"5\" "
            "stroke-linejoin=\"round\"/>",
            text_of(mark.points), kInk);
        break;
      case PictureMark::Kind::Escalator:
        line(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\" stroke=\"{}\" "
            "stroke-width=\"5\" stroke-linejoin=\"round\"/>",
            text_of(mark.points), kAccent, kAccent);
        break;
      case PictureMark::Kind::Fork:
        fork(mark.points.front(), mark.points.back());
        break;
      case PictureMark::Kind::FaultLine:
        fault_line(mark.points);
        break;
      case PictureMark::Kind::BoardMove:
        break;  // over the pieces
    }
  }

  /// A belt with arrowheads in its direction of travel, and a return arrow along its side.
  void staircase(const PictureMark& mark) {
    constexpr double kHalfWidth = 0.4;
    constexpr double kHead = 0.12;
    const PicturePoint first = mark.points.front();
    const PicturePoint last = mark.points.back();
    const PicturePoint along = times(last - first, 1 / length(last - first));
    const PicturePoint aside = left_of(along);
    const std::string_view colour = std::abs(along.x) > 0.5 ? kAcross : kUpright;
    const PicturePoint low = first - times(along, kHalfWidth) - times(aside, kHalfWidth);
    const PicturePoint high = last + times(along, kHalfWidth) + times(aside, kHalfWidth);
    const PicturePoint a = placed({std::min(low.x, high.x), std::max(low.y, high.y)});
    line(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"26\" fill=\"{}\" "
        "fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"0.75\"/>",
        number(a.x), number(a.y), number(std::abs(high.x - low.x) * kUnit),
        number(std::abs(high.y - low.y) * kUnit), colour, mark.moved ? "0.3" : "0.12", colour,
        mark.moved ? "7" : "3.5");
    for (std::size_t i = 0; i + 1 < mark.points.size(); ++i)
      head(between(mark.points[i], mark.points[i + 1], 0.5), along, kHead, colour, 8);
    head(between(first, last, 0.5) + times(aside, kHalfWidth), times(along, -1), 0.75 * kHead,
         colour, 6);
  }

  /// A belt that leads around or jumps: a closed band with arrowheads between its squares.
  void ring(const PictureMark& mark) {
    constexpr double kHead = 0.13;
    const std::string_view colour = kAcross;
    line(
        "<polygon points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-opacity=\"{}\" stroke-linejoin=\"round\"/>",
        text_of(mark.points), colour, mark.moved ? "26" : "18", mark.moved ? "0.45" : "0.25");
    for (std::size_t i = 0; i < mark.points.size(); ++i) {
      const PicturePoint from = mark.points[i];
      const PicturePoint to = mark.points[(i + 1) % mark.points.size()];
      if (from == to) continue;
      head(between(from, to, 0.5), times(to - from, 1 / length(to - from)), kHead, colour, 8);
    }
  }

  /// The two strokes of an arrowhead, its point at `tip` + half its size.
  void head(PicturePoint tip, PicturePoint along, double size, std::string_view colour,
            double width) {
    const PicturePoint point = tip + times(along, size / 2);
    const PicturePoint back = point - times(along, size);
    const PicturePoint aside = times(left_of(along), size);
    line(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        text_of({back + aside, point, back - aside}), colour, number(width));
  }

  void fork(PicturePoint from, PicturePoint to) {
    line("<polyline points=\"{}\" stroke=\"{}\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
         text_of({from, to}), kAccent);
    for (const PicturePoint end : {from, to}) {
      const PicturePoint at = placed(end);
      line("<circle cx=\"{}\" cy=\"{}\" r=\"8\" fill=\"{}\"/>", number(at.x), number(at.y),
           kAccent);
    }
  }

  void fault_line(const std::vector<PicturePoint>& points) {
    constexpr double kTooth = 0.25;
    constexpr double kHeight = 0.07;
    std::vector<PicturePoint> jagged;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const PicturePoint way = points[i + 1] - points[i];
      const int teeth = std::max(1, static_cast<int>(std::lround(length(way) / kTooth)));
      const PicturePoint aside = times(left_of(way), kHeight / length(way));
      jagged.push_back(points[i]);
      for (int k = 0; k < teeth; ++k)
        jagged.push_back(between(points[i], points[i + 1], (k + 0.5) / teeth) +
                         times(aside, k % 2 == 0 ? 1 : -1));
    }
    jagged.push_back(points.back());
    line(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"7\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
        text_of(jagged), kFault);
  }

  void arrow(PicturePoint from, PicturePoint to) {
    constexpr double kHead = 0.34;
    const PicturePoint along = times(to - from, 1 / length(to - from));
    const PicturePoint neck = to - times(along, kHead);
    const PicturePoint shaft = times(left_of(along), 0.09);
    const PicturePoint barb = times(left_of(along), 0.26);
    line(
        "<polygon class=\"last-move\" points=\"{}\" fill=\"{}\" fill-opacity=\"0.9\" "
        "stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>",
        text_of(
            {from + shaft, neck + shaft, neck + barb, to, neck - barb, neck - shaft, from - shaft}),
        kMoved, kInk);
  }

  void pieces() {
    for (const PictureSquare& square : picture_.squares) {
      if (!square.piece.exists()) continue;
      use(square.piece, square.centre, kPieceSize,
          fmt::format("class=\"piece\" data-square=\"{}\" data-piece=\"{}\"", escaped(square.name),
                      letter_of(square.piece, picture_.kind(square.piece))));
    }
  }

  /// A piece `size` squares high around `centre`.
  void use(Piece piece, PicturePoint centre, double size, std::string_view attributes) {
    const PicturePoint corner = placed(centre + PicturePoint{-size / 2, size / 2});
    line("<use {} href=\"#{}\" transform=\"translate({} {}) scale({})\"/>", attributes,
         piece_id(piece, picture_.kind(piece)), number(corner.x), number(corner.y),
         number(size * kUnit / 100));
  }

  void draw(const PictureLabel& label) {
    constexpr double kHalfHeight = 0.36;  // of digits and capitals, in sizes
    const TextStyle style = style_of(label.kind);
    const PicturePoint at = placed(label.at);
    line(
        "<text x=\"{}\" y=\"{}\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" "
        "font-size=\"{}\"{} text-anchor=\"{}\" fill=\"{}\">{}</text>",
        number(at.x), number(at.y + (style.centred ? kHalfHeight * style.size * kUnit : 0)),
        number(style.size * kUnit), style.bold ? " font-weight=\"bold\"" : "",
        style.centred ? "middle" : "start", style.colour, escaped(label.text));
  }

  const BoardPicture& picture_;
  SvgOptions options_;
  PictureBox frame_;
  std::string out_;
};

}  // namespace

std::string board_svg(const BoardPicture& picture, const SvgOptions& options) {
  return SvgWriter(picture, options).write();
}

}  // namespace faultline
