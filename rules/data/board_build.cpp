// Links between cells: by the edges of rows, or, where parts are displaced, by place.
#include "rules/data/board_build.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace faultline::data {

namespace {

void link_once(CellBoard& cells, Square from, Direction d, Square to) {
  BoardGraph::Neighbours& list = cells.links[from][static_cast<std::size_t>(index(d))];
  if (std::find(list.begin(), list.end(), to) == list.end()) list.push_back(to);
}

void link_both(CellBoard& cells, Square from, Direction d, Square to) {
  link_once(cells, from, d, to);
  link_once(cells, to, turned(d, 4), from);
}

Square add_cell(CellBoard& cells, CellKind kind) {
  cells.kinds.push_back(kind);
  cells.links.emplace_back();
  return static_cast<Square>(cells.kinds.size() - 1);
}

/// The row above a row, or nullptr; the first row above the last one where ranks wrap.
const std::vector<Cell>* row_above(const Board& board, std::size_t row) {
  if (row + 1 < board.rows.size()) return &board.rows[row + 1];
  return board.wraps_ranks ? &board.rows.front() : nullptr;
}

/// By the edges of the cells. `ids[row][i]`: a cell's number.
void link_by_edges(const Board& board, const std::vector<std::vector<Square>>& ids,
                   CellBoard& cells) {
  for (std::size_t r = 0; r < board.rows.size(); ++r) {
    const std::vector<Cell>& row = board.rows[r];
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      link_both(cells, ids[r][i], Direction::E, ids[r][i + 1]);
    if (board.wraps_files) link_both(cells, ids[r].back(), Direction::E, ids[r].front());
    const std::vector<Cell>* const above = row_above(board, r);
    if (above == nullptr) continue;
    const std::size_t above_row = (r + 1) % board.rows.size();
    // At a slanted edge only squares meet.
    const bool slanted = std::any_of(above->begin(), above->end(),
                                     [](const Cell& cell) { return cell.foot != cell.column; });
    const auto width = static_cast<double>(row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = 0; j < above->size(); ++j)
        for (const double turn : {-width, 0.0, width}) {
          if (turn != 0 && !board.wraps_files) continue;
          if (slanted && (row[i].kind != CellKind::Square || (*above)[j].kind != CellKind::Square))
            continue;
          const double foot = (*above)[j].foot + turn;
          const double left = row[i].column;
          const Square lower = ids[r][i];
          const Square upper = ids[above_row][j];
          if (foot - 1 < left && left < foot + 1) link_both(cells, lower, Direction::N, upper);
          if (foot <= left + 1 && left + 1 < foot + 1)
            link_both(cells, lower, Direction::NE, upper);
          if (foot < left && left <= foot + 1) link_both(cells, lower, Direction::NW, upper);
        }
  }
}

/// By the places at which cells lie when parts are displaced. All places of the rectangle around
/// the squares have a cell.
void link_by_places(const Board& board, std::span<const Displacement> places, CellBoard& cells) {
  using Place = std::pair<int, int>;  // file, rank
  std::map<Place, Square> at;
  // What is in no part first: later parts cover.
  for (std::size_t part = 0; part <= board.parts.size(); ++part)
    for (std::size_t r = 0; r < board.rows.size(); ++r)
      for (const Cell& cell : board.rows[r]) {
        if (cell.foot != cell.column)
          throw GameLimit("displaced parts on boards of slanted rows", "board.part");
        if (cell.kind == CellKind::Void) continue;
        std::size_t of = 0;
        for (std::size_t i = 0; i < board.parts.size(); ++i)
          if (cell.kind == CellKind::Square && board.parts[i].squares[cell.square]) of = i + 1;
        if (of != part) continue;
        const Displacement by = part == 0 ? Displacement{} : places[part - 1];
        const Place place{cell.column + by.files, static_cast<int>(r) + by.ranks};
        const Square id =
            cell.kind == CellKind::Square ? cell.square : add_cell(cells, CellKind::Barrier);
        const auto [entry, is_new] = at.try_emplace(place, id);
        if (is_new) continue;
        if (cells.is_square(entry->second)) {
          cells.covered.set(entry->second);
          cells.kinds[entry->second] = CellKind::Void;
        }
        entry->second = id;
      }
  int left = at.begin()->first.first;
  int right = left;
  int low = at.begin()->first.second;
  int high = low;
  for (const auto& [place, id] : at) {
    left = std::min(left, place.first);
    right = std::max(right, place.first);
    low = std::min(low, place.second);
    high = std::max(high, place.second);
  }
  for (int x = left; x <= right; ++x)
    for (int y = low; y <= high; ++y)
      if (!at.contains({x, y})) at[{x, y}] = add_cell(cells, CellKind::Void);
  for (const auto& [place, id] : at)
    for (int d = 0; d < kDirections; ++d) {
      const auto& step = kSteps[static_cast<std::size_t>(d)];
      const auto to = at.find({place.first + step[0], place.second + step[1]});
      if (to != at.end()) link_once(cells, id, static_cast<Direction>(d), to->second);
    }
}

/// The squares next to a cell along `d` for a rider: over voids where they are flown over.
BoardGraph::Neighbours next_of_slide(const Board& board, const CellBoard& cells, Square cell,
                                     Direction d) {
  BoardGraph::Neighbours result;
  std::vector<Square> open = cells.next(cell, d);
  std::size_t passed = 0;
  while (!open.empty() && passed <= cells.kinds.size()) {
    const Square next = open.back();
    open.pop_back();
    if (cells.is_square(next)) result.push_back(next);
    if (cells.kinds[next] != CellKind::Void || !board.riders_fly_over_void) continue;
    ++passed;
    const BoardGraph::Neighbours& beyond = cells.next(next, d);
    open.insert(open.end(), beyond.begin(), beyond.end());
  }
  return result;
}

}  // namespace

std::string GameLimit::message(const GameFile& game, const std::string& file) const {
  std::string place = file;
  for (std::size_t end = key.size(); end != std::string::npos && end > 0;
       end = key.rfind('.', end - 1))
    if (const auto found = game.places.find(key.substr(0, end)); found != game.places.end()) {
      place = found->second;
      break;
    }
  std::string name = key;
  if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0)
    name.resize(name.rfind('.'));
  return place + ": " + (name.empty() ? "" : name + ": ") + what();
}

CellBoard build_cells(const Board& board, std::span<const Displacement> places) {
  CellBoard cells;
  const auto squares = static_cast<std::size_t>(board.squares);
  cells.kinds.assign(squares, CellKind::Square);
  cells.links.resize(squares);
  if (!board.parts.empty()) {
    if (board.wraps_files || board.wraps_ranks)
      throw GameLimit("displaced parts on boards that wrap", "board.wrap");
    link_by_places(board, places, cells);
  } else {
    std::vector<std::vector<Square>> ids;
    for (const std::vector<Cell>& row : board.rows) {
      ids.emplace_back();
      for (const Cell& cell : row)
        ids.back().push_back(cell.kind == CellKind::Square ? cell.square
                                                           : add_cell(cells, cell.kind));
    }
    link_by_edges(board, ids, cells);
  }
  for (const Link& cut : board.cuts)
    std::erase(cells.links[cut.from][static_cast<std::size_t>(index(cut.way))], cut.to);
  for (const Link& link : board.links)
    link_once(cells, link.from, link.way, link.to);
  return cells;
}

CellBoard build_cells(const Board& board) {
  std::vector<Displacement> places;
  for (const Part& part : board.parts)
    places.push_back({part.files, part.ranks});
  return build_cells(board, places);
}

BoardGraph build_graph(const Board& board, const CellBoard& cells) {
  BoardGraph level(static_cast<std::size_t>(board.squares));
  for (const std::vector<Cell>& row : board.rows)
    for (const Cell& cell : row)
      if (cell.kind == CellKind::Square) level.set_name(cell.square, cell.name);
  for (Square s = 0; s < level.size(); ++s)
    for (int i = 0; i < kDirections; ++i) {
      const auto d = static_cast<Direction>(i);
      for (const Square to : cells.next(s, d))
        if (cells.is_square(to)) level.link(s, d, to);
      for (const Square to : next_of_slide(board, cells, s, d))
        level.link_for_riders(s, d, to);
      if (i % 2 != 0) continue;
      for (const Square over : cells.next(s, d))
        for (const int turn : {-1, 1})
          for (const Square to : cells.next(over, turned(d, turn)))
            if (cells.is_square(to)) {
              level.add_knight_leap(s, to);
              level.add_knight_leap(to, s);
            }
    }
  return board.levels.count > 1 ? BoardGraph::stacked(level, board.levels.count) : level;
}

}  // namespace faultline::data
