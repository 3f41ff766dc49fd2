// Squares of a board by name, and zones: "rank 2, a1-c3".
#include "rules/data/zones.h"

#include <algorithm>
#include <set>

#include "base/quote.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

std::string shown(std::string_view text) {
  return quote(text, 60);
}

}  // namespace

std::string_view file_of(std::string_view name) {
  return name.substr(0, std::ranges::find_if_not(name, is_small_letter) - name.begin());
}

Zones::Zones(const Board& board)
    : rows_(board.rows),
      squares_(board.squares),
      levels_(board.levels.count),
      turned_(board.turned) {
  places_.resize(data::at(squares_));
  for (std::size_t row = 0; row < rows_.size(); ++row)
    for (const Cell& cell : rows_[row])
      if (cell.kind == CellKind::Square)
        places_[cell.square] = {.row = static_cast<int>(row), .column = cell.column};
  for (int s = 0; s < squares_ * levels_; ++s)
    all_.set(data::at(s));
}

Zones::Place Zones::place(Square square) const {
  Place place = places_[square % data::at(squares_)];
  place.level = square / squares_;
  return place;
}

Square Zones::at(Place place) const {
  if (place.row < 0 || place.row >= rows() || place.column < 0 || place.level < 0 ||
      place.level >= levels_)
    return kNoSquare;
  const std::vector<Cell>& row = rows_[data::at(place.row)];
  if (place.column >= static_cast<int>(row.size())) return kNoSquare;
  const Cell& cell = row[data::at(place.column)];
  if (cell.kind != CellKind::Square) return kNoSquare;
  return static_cast<Square>(place.level * squares_ + cell.square);
}

std::string Zones::name(Square square) const {
  if (square == kNoSquare || square >= squares_ * levels_) return "-";
  const Place p = place(square);
  const Cell& cell = rows_[data::at(p.row)][data::at(p.column)];
  return (levels_ > 1 ? std::to_string(p.level + 1) : "") + cell.name;
}

Square Zones::find(std::string_view name) const {
  int level = 0;
  if (levels_ > 1) {
    if (name.empty() || name[0] < '1' || name[0] > '0' + levels_) return kNoSquare;
    level = name[0] - '1';
    name.remove_prefix(1);
  }
  for (const std::vector<Cell>& row : rows_)
    for (const Cell& cell : row)
      if (cell.kind == CellKind::Square && cell.name == name)
        return static_cast<Square>(level * squares_ + cell.square);
  return kNoSquare;
}

SquareSet Zones::where(const std::function<bool(const Cell&, Place)>& wanted) const {
  SquareSet squares;
  for (int level = 0; level < levels_; ++level)
    for (std::size_t row = 0; row < rows_.size(); ++row)
      for (const Cell& cell : rows_[row])
        if (cell.kind == CellKind::Square &&
            wanted(cell, {.row = static_cast<int>(row), .column = cell.column, .level = level}))
          squares.set(data::at(level * squares_ + cell.square));
  return squares;
}

std::string Zones::description() const {
  std::string first;
  std::string last;
  std::set<std::string> files;
  for (const std::vector<Cell>& row : rows_)
    for (const Cell& cell : row)
      if (cell.kind == CellKind::Square) files.insert(std::string(file_of(cell.name)));
  // Files of one letter first, as people count them.
  for (const std::string& file : files)
    if (file.size() == 1) {
      if (first.empty()) first = file;
      last = file;
    }
  std::string text = first.empty() ? "" : "files " + first + " to " + last + ", ";
  text += "ranks 1 to " + std::to_string(rows_.size());
  if (levels_ > 1) text += ", levels 1 to " + std::to_string(levels_);
  return text;
}

Zones::Read Zones::read_item(std::string_view item) const {
  const auto off_board = [&](std::string_view what) {
    return Read{{}, std::string(what) + " is not on this board (" + description() + ")"};
  };
  if (item == "nowhere") return {};
  if (item.starts_with("rank ")) {
    const int rank = number_of(trimmed(item.substr(5)));
    if (rank < 0)
      return {{}, shown(item) + " is no zone: a rank is \"rank 2\", counted from White's side"};
    if (rank == 0 || rank > rows()) return off_board(printable(item, 20));
    const SquareSet squares =
        where([&](const Cell&, Place place) { return place.row == rank - 1; });
    if (squares.none()) return {{}, printable(item, 20) + " has no squares"};
    return {squares, ""};
  }
  if (item.starts_with("file ")) {
    const std::string_view file = trimmed(item.substr(5));
    const SquareSet squares =
        where([&](const Cell& cell, Place) { return file_of(cell.name) == file; });
    if (squares.none()) return off_board(printable(item, 20));
    return {squares, ""};
  }
  // A rectangle or one square, with or without a level.
  const std::size_t dash = item.find('-');
  const std::string_view from = trimmed(item.substr(0, dash));
  const std::string_view to =
      dash == std::string_view::npos ? from : trimmed(item.substr(dash + 1));
  struct Corner {
    const Cell* cell = nullptr;
    int row = 0;
    int level = -1;  // of every level
  };
  const auto corner = [&](std::string_view name) {
    Corner found;
    if (levels_ > 1 && !name.empty() && name[0] >= '1' && name[0] <= '9') {
      found.level = name[0] - '1';
      name.remove_prefix(1);
    }
    for (std::size_t row = 0; row < rows_.size(); ++row)
      for (const Cell& cell : rows_[row])
        if (!cell.name.empty() && cell.name == name) {
          found.cell = &cell;
          found.row = static_cast<int>(row);
        }
    return found;
  };
  const Corner first = corner(from);
  const Corner last = corner(to);
  const auto looks_like_square = [](std::string_view name) {
    const std::size_t letters = file_of(name).size();
    return letters > 0 && number_of(name.substr(letters)) >= 0;
  };
  for (const auto& [found, name] : {std::pair(first, from), std::pair(last, to)}) {
    if (found.cell != nullptr) continue;
    if (looks_like_square(name)) return off_board(printable(name, 20));
    std::string text = shown(item) + " is no zone: ";
    const std::string lower = in_small_letters(item);
    std::string with_dash(item);
    std::ranges::replace(with_dash, ':', '-');
    if (number_of(item) > 0)
      text += "did you mean \"rank " + printable(item, 10) + "\"?";
    else if (item.size() == 1 && is_small_letter(item[0]))
      text += "did you mean \"file " + printable(item, 10) + "\"?";
    else if (item.find(':') != std::string_view::npos && read_item(with_dash).error.empty())
      text += "did you mean \"" + with_dash + "\"?";
    else if (lower != item && read_item(lower).error.empty())
      text += "names of squares are in lower case: \"" + lower + "\"";
    else if (item.find(' ') != std::string_view::npos &&
             looks_like_square(item.substr(0, item.find(' '))))
      text += "put commas between squares: \"a1, b1\"";
    else
      text +=
          "zones are \"rank 2\", \"file a\", \"a1-c3\", \"e4\", \"nowhere\", with commas between";
    return {{}, text};
  }
  if (first.level != last.level) return {{}, shown(item) + ": both corners are on one level"};
  if (first.level >= levels_) return off_board(printable(item, 20));
  const auto between = [](int value, int one, int other) {
    return value >= std::min(one, other) && value <= std::max(one, other);
  };
  const SquareSet squares = where([&](const Cell&, Place place) {
    return between(place.row, first.row, last.row) &&
           between(place.column, first.cell->column, last.cell->column) &&
           (first.level < 0 || place.level == first.level);
  });
  if (squares.none()) return {{}, shown(item) + " has no squares"};
  return {squares, ""};
}

Zones::Read Zones::read(std::string_view zone) const {
  if (trimmed(zone).empty())
    return {{}, "an empty zone: write \"nowhere\", or zones such as \"rank 2\""};
  Read all;
  for (const std::string_view item : parts_of(zone, ',')) {
    Read one = read_item(trimmed(item));
    if (!one.error.empty()) return one;
    all.squares |= one.squares;
  }
  return all;
}

Zones::ReadList Zones::read_list(std::string_view squares) const {
  ReadList list;
  for (const std::string_view name : words_of(squares, " ,\t\n")) {
    list.squares.push_back(find(name));
    if (list.squares.back() != kNoSquare) continue;
    const Read zone = read_item(name);
    list.error = !zone.error.empty() ? zone.error
                 : levels_ > 1 && is_small_letter(name[0])
                     ? shown(name) + " needs its level: \"1" + printable(name, 10) + "\""
                     : shown(name) + " is a zone; squares are listed in their order";
    list.squares.clear();
    break;
  }
  return list;
}

Square Zones::mirrored(Square square) const {
  Place p = place(square);
  p.row = rows() - 1 - p.row;
  if (turned_) p.column = columns() - 1 - p.column;
  return at(p);
}

SquareSet Zones::mirrored(const SquareSet& zone) const {
  SquareSet squares;
  for (int s = 0; s < squares_ * levels_; ++s) {
    if (!zone[data::at(s)]) continue;
    const Square other = mirrored(static_cast<Square>(s));
    if (other != kNoSquare) squares.set(other);
  }
  return squares;
}

std::string Zones::text(const std::vector<Square>& squares) const {
  constexpr std::size_t kMostShown = 12;
  if (squares.size() > kMostShown) return std::to_string(squares.size()) + " squares";
  std::string text;
  for (const Square square : squares)
    text += (text.empty() ? "" : " ") + name(square);
  return text;
}

Zones::Box Zones::box(const SquareSet& zone) const {
  Box box;
  for (int s = 0; s < squares_ * levels_; ++s) {
    if (!zone[data::at(s)]) continue;
    const Place p = place(static_cast<Square>(s));
    if (box.width == 0) box = {.row = p.row, .column = p.column, .width = 1, .height = 1};
    const int right = std::max(box.column + box.width - 1, p.column);
    const int top = std::max(box.row + box.height - 1, p.row);
    box.column = std::min(box.column, p.column);
    box.row = std::min(box.row, p.row);
    box.width = right - box.column + 1;
    box.height = top - box.row + 1;
  }
  return box;
}

std::string Zones::text(const SquareSet& zone) const {
  std::vector<Square> squares;
  for (int s = 0; s < squares_ * levels_; ++s)
    if (zone[data::at(s)]) squares.push_back(static_cast<Square>(s));
  return text(squares);
}

}  // namespace faultline::data
