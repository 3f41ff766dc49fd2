// Lays out boards: rows of cells, seams between sectors, displaced parts, levels side by side.
#include "rules/data/board_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace faultline::data {
namespace {

constexpr double kSeam = 0.09;  // between sectors, to show what can move
// From one level's edge to the next one's: with space for labels and a title.
constexpr double kBetweenLevels = 1.5;
constexpr double kBelowLevels = 2.1;
constexpr double kTitleDistance = 0.45;
constexpr double kAside = kPictureLabelDistance;

double as_double(std::size_t n) {
  return static_cast<double>(n);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// The letters with which a name begins.
std::string letters_of(const std::string& name) {
  const auto end = std::find_if_not(name.begin(), name.end(), is_letter);
  return {name.begin(), end};
}

/// What most of the texts are; "" if there are none.
std::string most_common(const std::vector<std::string>& texts) {
  std::map<std::string, int> counts;
  for (const std::string& text : texts)
    ++counts[text];
  std::string best;
  int most = 0;
  for (const auto& [text, times] : counts)
    if (times > most) {
      most = times;
      best = text;
    }
  return best;
}

PictureBox bounds(const PicturePolygon& polygon) {
  PictureBox box{polygon.front(), polygon.front()};
  for (const PicturePoint point : polygon)
    box = box.with(point);
  return box;
}
PictureBox with(PictureBox box, const PictureBox& other) {
  return box.with(other.low).with(other.high);
}

constexpr std::array<const char*, 13> kRoman = {"I",    "II", "III", "IV", "V",   "VI",  "VII",
                                                "VIII", "IX", "X",   "XI", "XII", "XIII"};

}  // namespace

std::string sector_name(const Sectors& sectors, std::size_t area) {
  const auto columns = static_cast<std::size_t>(sectors.columns);
  return std::string(1, static_cast<char>('A' + area % columns)) + kRoman[area / columns];
}

std::vector<std::vector<Square>> shown_cycles(const Belt& belt, int squares_of_level) {
  // A rectangle that turns has its cycles one around the other: equally many on each level, the
  // longest way around first in no fixed order.
  std::vector<std::vector<Square>> shown;
  std::map<int, std::vector<std::vector<Square>>> levels;
  for (const std::vector<Square>& cycle : belt.cycles)
    if (cycle.size() > 1) levels[cycle.front() / squares_of_level].push_back(cycle);
  for (const auto& [level, cycles] : levels) {
    const bool around =
        cycles.size() > 1 && std::all_of(cycles.begin(), cycles.end(), [](const auto& cycle) {
          return cycle.size() == 4 || cycle.size() == 2;
        });
    if (!around) {
      shown.insert(shown.end(), cycles.begin(), cycles.end());
      continue;
    }
    // The one with the first square is in the corner.
    shown.push_back(
        *std::min_element(cycles.begin(), cycles.end(), [](const auto& a, const auto& b) {
          return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
        }));
  }
  return shown;
}

// ----------------------------------------------------------------------------------------- layout

BoardLayout::BoardLayout(const GameFile& game, const BoardGraph& graph, BoardState state)
    : game_(&game), graph_(&graph), state_(std::move(state)) {
  name_lines();
  lean();
  find_groups();
  place_squares();
}

/// The names of files and ranks, as most of their squares have them.
void BoardLayout::name_lines() {
  std::vector<std::vector<std::string>> letters(columns()), digits(rows());
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      if (cell(r, c).kind != CellKind::Square) continue;
      const std::string& name = cell(r, c).name;
      const std::string file = letters_of(name);
      if (file.empty() || file.size() == name.size()) continue;
      letters[c].push_back(file);
      digits[r].push_back(name.substr(file.size()));
    }
  for (const auto& texts : letters)
    files_.push_back(most_common(texts));
  for (const auto& texts : digits)
    ranks_.push_back(most_common(texts));
}

void BoardLayout::lean() {
  places_.resize(rows());
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const Cell& at = cell(r, c);
      const auto left = as_double(c);
      places_[r].push_back(
          {left, left, at.kind == CellKind::Square && at.name != files_[c] + ranks_[r]});
    }
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const Cell& foot = cell(r, c);
      const double offset = foot.foot - as_double(c);
      if (offset == 0) continue;
      std::size_t end = r + 1;
      while (places_[r][c].named_otherwise && end < rows() && places_[end][c].named_otherwise &&
             cell(end, c).foot == as_double(c))
        ++end;
      const auto height = as_double(end - r);
      for (std::size_t up = r; up < end; ++up) {
        places_[up][c].low += offset * (1 - as_double(up - r) / height);
        places_[up][c].high += offset * (1 - as_double(up + 1 - r) / height);
      }
    }
}

double BoardLayout::seam_before(std::size_t index, int size) const {
  return game_->board.sectors ? kSeam * std::floor(as_double(index) / size) : 0;
}

PicturePolygon BoardLayout::cell_polygon(std::size_t row, std::size_t column,
                                         Displacement by) const {
  const auto& sectors = game_->board.sectors;
  const double x = by.files + (sectors ? seam_before(column, sectors->width) : 0);
  const double y = by.ranks + as_double(row) + (sectors ? seam_before(row, sectors->height) : 0);
  const std::vector<Place>& places = places_[row];
  double low_left = places[column].low, high_left = places[column].high;
  double low_right = low_left + 1, high_right = high_left + 1;
  if (cell(row, column).kind == CellKind::Barrier) {
    // It fills what its neighbours leave.
    const auto is_square = [&](std::size_t c) {
      return c < columns() && cell(row, c).kind == CellKind::Square;
    };
    if (column > 0 && is_square(column - 1)) {
      low_left = places[column - 1].low + 1;
      high_left = places[column - 1].high + 1;
    }
    if (is_square(column + 1)) {
      low_right = places[column + 1].low;
      high_right = places[column + 1].high;
    }
  }
  return {{x + low_left, y}, {x + low_right, y}, {x + high_right, y + 1}, {x + high_left, y + 1}};
}

int BoardLayout::part_of(Square of_level) const {
  for (std::size_t i = game_->board.parts.size(); i-- > 0;)
    if (game_->board.parts[i].squares[of_level]) return static_cast<int>(i);
  return -1;
}

void BoardLayout::find_groups() {
  const std::size_t parts = game_->board.parts.size();
  if (parts == 0) return;
  std::vector<std::vector<PictureBox>> boxes(parts + 1);  // the last one of what is in no part
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const Cell& at = cell(r, c);
      if (at.kind != CellKind::Square) continue;
      const int part = part_of(at.square);
      const std::size_t group = part < 0 ? parts : static_cast<std::size_t>(part);
      const Displacement by = part < 0 ? Displacement{} : state_.places[group];
      boxes[group].push_back(bounds(cell_polygon(r, c, by)));
    }
  for (std::size_t g = 0; g <= parts; ++g) {
    if (boxes[g].empty()) continue;
    PictureBox box = boxes[g].front();
    for (const PictureBox& other : boxes[g])
      box = with(box, other);
    groups_.push_back({g < parts ? state_.places[g] : Displacement{}, box, g < parts});
  }
}

PictureBox BoardLayout::part(std::size_t part) const {
  return groups_[part].box;
}

void BoardLayout::place_squares() {
  const Board& board = game_->board;
  polygons_.resize(static_cast<std::size_t>(board.all_squares()));
  shades_.resize(polygons_.size());
  bool first = true;
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const Cell& at = cell(r, c);
      const bool on_grid = board.parts.empty() || at.kind == CellKind::Barrier;
      if (at.kind != CellKind::Square && !on_grid) continue;
      const int part = at.kind == CellKind::Square ? part_of(at.square) : -1;
      const Displacement by =
          part < 0 ? Displacement{} : state_.places[static_cast<std::size_t>(part)];
      const PicturePolygon polygon = cell_polygon(r, c, by);
      if (at.kind == CellKind::Square) {
        polygons_[at.square] = polygon;
        shades_[at.square] =
            checkered(static_cast<int>(c) + by.files, static_cast<int>(r) + by.ranks);
      }
      // Where nothing lies elsewhere the whole grid counts, voids included.
      if (on_grid || !state_.missing[at.square]) {
        box_ = first ? bounds(polygon) : with(box_, bounds(polygon));
        first = false;
      }
    }
  for (int level = 1; level < board.levels.count; ++level)
    for (int s = 0; s < board.squares; ++s) {
      const auto to = static_cast<std::size_t>(level * board.squares + s);
      polygons_[to] = polygons_[static_cast<std::size_t>(s)];
      shades_[to] = shades_[static_cast<std::size_t>(s)];
    }
  for (std::size_t s = 0; s < polygons_.size(); ++s)
    for (PicturePoint& point : polygons_[s])
      point = point + corner(level(static_cast<Square>(s)));
}

/// Where a level is moved: up to three side by side, four as two by two, the first at the top left.
PicturePoint BoardLayout::corner(int level) const {
  const int levels = state_.levels;
  const int columns_of_levels = levels == 4 ? 2 : levels < 3 ? levels : 3;
  const PicturePoint size = box_.high - box_.low;
  const int row = level / columns_of_levels;
  return {level % columns_of_levels * (size.x + kBetweenLevels), -row * (size.y + kBelowLevels)};
}

bool BoardLayout::is_hole(Square s) const {
  const Levels& levels = game_->board.levels;
  return !levels.below.empty() && level(s) + 1 < state_.levels &&
         !levels.below[static_cast<std::size_t>(s % game_->board.squares)].empty();
}

PicturePolygon BoardLayout::sector(std::size_t area) const {
  PictureBox box = bounds(polygons_[game_->board.sectors->areas[area].front()]);
  for (const Square s : game_->board.sectors->areas[area])
    box = with(box, bounds(polygons_[s]));
  return rectangle_at(box.low, box.high.x - box.low.x, box.high.y - box.low.y);
}

std::string BoardLayout::barrier_name(std::size_t row, std::size_t column, int level) const {
  return (game_->board.levels.count > 1 ? std::to_string(level + 1) : "") + files_[column] +
         ranks_[row];
}

// ---------------------------------------------------------------------------------------- drawing

BoardPicture BoardLayout::draw() const {
  BoardPicture picture;
  for (int level = 0; level < state_.levels; ++level)
    draw_level(picture, level);
  draw_sectors(picture);
  draw_belts(picture);
  draw_forks(picture);
  draw_faults(picture);
  return picture;
}

void BoardLayout::draw_level(BoardPicture& picture, int level) const {
  const PicturePoint at = corner(level);
  const int first = level * game_->board.squares;
  picture.levels.push_back({{box_.low + at, box_.high + at}});
  for (int i = 0; i < game_->board.squares; ++i) {
    const auto s = static_cast<Square>(first + i);
    if (is_missing(s)) continue;
    if (is_hole(s))
      draw_hole(picture, s);
    else
      picture.squares.push_back(
          {s, graph_->name(s), level, polygons_[s], centre(s), shades_[s], {}});
  }
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      if (cell(r, c).kind != CellKind::Barrier) continue;
      PicturePolygon polygon = cell_polygon(r, c, {});
      for (PicturePoint& point : polygon)
        point = point + at;
      picture.areas.push_back(
          {PictureArea::Kind::Barrier, barrier_name(r, c, level), level, std::move(polygon)});
    }
  draw_escalators(picture, level);
  draw_labels(picture, level);
}

void BoardLayout::draw_hole(BoardPicture& picture, Square s) const {
  const int squares = game_->board.squares;
  picture.areas.push_back(
      {PictureArea::Kind::Hole, graph_->name(s), level(s), polygons_[s], shades_[s]});
  struct Below {
    std::size_t column, row;
    Square square;
  };
  std::vector<Below> below;
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const auto& under = game_->board.levels.below[static_cast<std::size_t>(s % squares)];
      if (cell(r, c).kind == CellKind::Square &&
          std::find(under.begin(), under.end(), cell(r, c).square) != under.end())
        below.push_back({c, r, cell(r, c).square});
    }
  std::size_t left = columns(), right = 0, low = rows(), high = 0;
  for (const Below& b : below) {
    left = std::min(left, b.column);
    right = std::max(right, b.column);
    low = std::min(low, b.row);
    high = std::max(high, b.row);
  }
  const PictureBox hole = bounds(polygons_[s]);
  const double width = 1 / as_double(right - left + 1);
  const double height = 1 / as_double(high - low + 1);
  for (const Below& b : below) {
    const auto under = static_cast<Square>((level(s) + 1) * squares + b.square);
    picture.insets.push_back(
        {is_hole(under) ? kNoSquare : under,
         level(s),
         rectangle_at(hole.low + PicturePoint{width * as_double(b.column - left),
                                              height * as_double(b.row - low)},
                      width, height),
         shades_[under],
         {}});
  }
}

void BoardLayout::draw_labels(BoardPicture& picture, int level) const {
  using enum PictureLabel::Kind;
  const PicturePoint at = corner(level);
  const auto add = [&](PictureLabel::Kind kind, const std::string& text, PicturePoint point) {
    if (!text.empty()) picture.labels.push_back({kind, level, text, at + point});
  };
  if (game_->board.parts.empty()) {
    const auto& sectors = game_->board.sectors;
    for (std::size_t c = 0; c < columns(); ++c)
      add(File, files_[c],
          {as_double(c) + (sectors ? seam_before(c, sectors->width) : 0) + 0.5, -kAside});
    for (std::size_t r = 0; r < rows(); ++r)
      add(Rank, ranks_[r],
          {-kAside, as_double(r) + (sectors ? seam_before(r, sectors->height) : 0) + 0.5});
  } else {
    for (const Group& group : groups_)
      draw_group_labels(picture, group, level);
  }
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      if (!places_[r][c].named_otherwise) continue;
      const Cell& named = cell(r, c);
      if (!is_missing(named.square))
        add(Name, named.name, polygons_[named.square].back() + PicturePoint{0.25, -0.14});
    }
  if (game_->board.levels.count > 1) {
    const int levels = state_.levels;
    const std::string title = "level " + std::to_string(level + 1) +
                              (levels == 1           ? ""
                               : level == 0          ? ", the outermost"
                               : level == levels - 1 ? ", the deepest"
                                                     : "");
    add(Title, title, PicturePoint{box_.low.x, box_.high.y + kTitleDistance});
  }
}

/// Each part of a displaced board has labels of its own on the side that the others leave free.
void BoardLayout::draw_group_labels(BoardPicture& picture, const Group& group, int level) const {
  const PicturePoint at = corner(level);
  const auto add = [&](PictureLabel::Kind kind, const std::string& text, PicturePoint point) {
    if (!text.empty()) picture.labels.push_back({kind, level, text, at + point, true});
  };
  const bool above = group.box.middle().y > as_double(rows()) / 2;
  const bool parts_to_the_right = groups_.front().by.files >= 0;
  const bool right = (group.is_part ? group.by.files >= 0 : !parts_to_the_right);
  const double x = right ? group.box.high.x + kAside : group.box.low.x - kAside;
  for (std::size_t c = 0; c < columns(); ++c) {
    const double middle = as_double(c) + group.by.files + 0.5;
    if (middle > group.box.low.x && middle < group.box.high.x)
      add(PictureLabel::Kind::File, files_[c],
          {middle, above ? group.box.high.y + kAside : group.box.low.y - kAside});
  }
  for (std::size_t r = 0; r < rows(); ++r) {
    const bool shown =
        std::any_of(game_->board.rows[r].begin(), game_->board.rows[r].end(), [&](const Cell& c) {
          return c.kind == CellKind::Square && !is_missing(c.square) &&
                 (part_of(c.square) >= 0) == group.is_part &&
                 (!group.is_part ||
                  state_.places[static_cast<std::size_t>(part_of(c.square))] == group.by);
        });
    if (shown) add(PictureLabel::Kind::Rank, ranks_[r], {x, as_double(r) + group.by.ranks + 0.5});
  }
}

void BoardLayout::draw_sectors(BoardPicture& picture) const {
  if (!game_->board.sectors) return;
  const Sectors& sectors = *game_->board.sectors;
  using enum PictureLabel::Kind;
  const auto columns_of_areas = static_cast<std::size_t>(sectors.columns);
  for (std::size_t a = 0; a < sectors.areas.size(); ++a) {
    PicturePolygon outline = sector(a);
    const std::string name = sector_name(sectors, a);
    const int level_of = level(sectors.areas[a].front());
    const PicturePoint middle = middle_of(outline);
    if (level_of == 0 && a < columns_of_areas)
      picture.labels.push_back({Column, 0, name.substr(0, 1), {middle.x, box_.high.y + kAside}});
    if (level_of == 0 && a % columns_of_areas == 0)
      picture.labels.push_back({Row, 0, name.substr(1), {box_.high.x + kAside, middle.y}});
    if (level_of < state_.levels && is_missing(sectors.areas[a].front())) {
      picture.areas.push_back({PictureArea::Kind::Gap, name, level_of, std::move(outline)});
      picture.labels.push_back({Caption, level_of, name, middle});
    } else {
      picture.marks.push_back({PictureMark::Kind::Sector, level_of, std::move(outline)});
    }
  }
}

/// Outlines of what leans together.
void BoardLayout::draw_escalators(BoardPicture& picture, int level) const {
  const auto at = [&](std::size_t row, std::size_t column) -> const PicturePolygon& {
    return polygons_[static_cast<std::size_t>(level * game_->board.squares +
                                              cell(row, column).square)];
  };
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::size_t c = 0; c < columns(); ++c) {
      const auto leans = [&](std::size_t row, std::size_t column) {
        return column < columns() && row < rows() && cell(row, column).kind == CellKind::Square &&
               places_[row][column].low != places_[row][column].high;
      };
      const auto begins = [&](std::size_t column) {
        return leans(r, column) && cell(r, column).foot != as_double(column);
      };
      if (!begins(c) || (c > 0 && begins(c - 1))) continue;
      std::size_t last = c;
      while (begins(last + 1))
        ++last;
      std::size_t top = r;
      while (leans(top + 1, c))
        ++top;
      picture.marks.push_back({PictureMark::Kind::Escalator,
                               level,
                               {at(r, c)[0], at(r, last)[1], at(top, last)[2], at(top, c)[3]}});
    }
}

/// Where the line to the north or south of a square goes on in two ways.
void BoardLayout::draw_forks(BoardPicture& picture) const {
  if (!game_->board.parts.empty()) return;
  for (const PictureSquare& square : picture.squares)
    for (const Square ahead : graph_->neighbours(square.square, Direction::N))
      if (graph_->neighbours(ahead, Direction::S).size() > 1 && !is_missing(ahead))
        picture.marks.push_back(
            {PictureMark::Kind::Fork, square.level, {square.centre, centre(ahead)}});
  for (const Link& link : game_->board.links)
    if (link.from < link.to && !is_missing(link.from) && !is_missing(link.to))
      picture.marks.push_back({PictureMark::Kind::Fork, 0, {centre(link.from), centre(link.to)}});
}

void BoardLayout::draw_belts(BoardPicture& picture) const {
  for (std::size_t i = 0; i < game_->board.belts.size(); ++i) {
    const Belt& belt = game_->board.belts[i];
    for (const std::vector<Square>& cycle : shown_cycles(belt, game_->board.squares)) {
      if (level(cycle.front()) >= state_.levels) continue;
      PictureMark mark{
          .kind = PictureMark::Kind::Staircase, .level = level(cycle.front()), .points = {}};
      for (const Square s : cycle)
        mark.points.push_back(centre(s));
      if (belt.control.when == When::Instead)  // a turn names it
        picture.labels.push_back({PictureLabel::Kind::Name, mark.level,
                                  "@" + (belt.name.empty() ? std::to_string(i + 1) : belt.name),
                                  middle_of(mark.points)});
      picture.marks.push_back(std::move(mark));
    }
  }
}

void BoardLayout::draw_faults(BoardPicture& picture) const {
  if (groups_.size() < 2) return;
  const auto height = as_double(rows());
  const auto width = as_double(columns());
  const Group& part = groups_.front();
  const double dx = part.by.files;
  const double dy = part.by.ranks;
  const double left = std::max(0.0, dx);
  const double right = std::min(width, dx + width);
  const double edge = part.box.high.y;         // the part's upper edge
  const double border = groups_[1].box.low.y;  // the lower edge of the others
  PictureMark fault{.kind = PictureMark::Kind::FaultLine, .level = 0, .points = {}};
  if (groups_.size() == 2 && part.box.low.y == dy && groups_[1].box.high.y == height &&
      part.box.high.x - part.box.low.x == width && edge - dy == border) {
    // A lower half below an upper one.
    if (dy <= 0) {
      constexpr double kBeyond = 0.4;
      const double middle = (edge + border) / 2;
      fault.points = {{left - kBeyond, middle}, {right + kBeyond, middle}};
    } else {
      // Around the part that covers the upper half, where the two border on each other.
      const bool touches = dy < height - border || left < right;
      if (dx > 0 && dx < width) fault.points.push_back({dx, border});
      if (touches) fault.points.push_back({left, edge});
      if (touches) fault.points.push_back({right, edge});
      if (dx < 0 && dx > -width) fault.points.push_back({dx + width, border});
      if (left >= right) fault.points = {{left, border}, {left, edge}};
    }
    picture.marks.push_back(std::move(fault));
    return;
  }
  // Else along every edge between squares of different parts, straight stretches as one.
  std::vector<std::pair<PicturePoint, PicturePoint>> edges;
  for (const PictureSquare& a : picture.squares)
    for (const PictureSquare& b : picture.squares) {
      if (a.level != b.level || part_of(a.square) == part_of(b.square)) continue;
      const PicturePoint by = b.centre - a.centre;
      if (by == PicturePoint{1, 0}) edges.emplace_back(a.polygon[1], a.polygon[2]);
      if (by == PicturePoint{0, 1}) edges.emplace_back(a.polygon[3], a.polygon[2]);
    }
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = 0; j < edges.size(); ++j) {
      const bool both_across =
          edges[i].first.y == edges[i].second.y && edges[j].first.y == edges[j].second.y;
      const bool both_up =
          edges[i].first.x == edges[i].second.x && edges[j].first.x == edges[j].second.x;
      if (i == j || edges[i].second != edges[j].first || (!both_across && !both_up)) continue;
      edges[i].second = edges[j].second;
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(j));
      i = 0;
      j = 0;
    }
  for (const auto& [from, to] : edges)
    picture.marks.push_back({PictureMark::Kind::FaultLine, 0, {from, to}});
}

}  // namespace faultline::data
