// [board] of a game's file.
#include "rules/data/board_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/text.h"

namespace faultline::data {
namespace {

constexpr int kMostFiles = 26;
constexpr int kMostRanks = 99;
constexpr int kMostSquares = 128;  // of a single board
constexpr int kMostLevels = 6;
constexpr std::array<std::string_view, kDirections> kWays = {"n", "ne", "e", "se",
                                                             "s", "sw", "w", "nw"};

std::string roman(int number) {
  constexpr std::array<std::pair<int, std::string_view>, 7> kNumerals = {
      {{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}};
  std::string text;
  for (const auto& [value, numeral] : kNumerals)
    for (; number >= value; number -= value)
      text += numeral;
  return text;
}

bool is_square_name(std::string_view name) {
  std::size_t letters = 0;
  while (letters < name.size() && name[letters] >= 'a' && name[letters] <= 'z')
    ++letters;
  constexpr std::size_t kMostLetters = 3;
  return letters >= 1 && letters <= kMostLetters &&
         name[letters == name.size() ? 0 : letters] != '0' &&
         number_of(name.substr(letters)) >= 1 && number_of(name.substr(letters)) <= kMostRanks;
}

class BoardReader {
 public:
  BoardReader(const MergedFile& file, Findings& findings) : file_(file), findings_(findings) {}

  BoardRead read() {
    const TomlValue* board = table_of(file_.root, "board", "", findings_);
    if (board == nullptr) {
      if (file_.root.find("board") == nullptr && !misspelt("board"))
        findings_.error_in(
            file_.source, 0,
            "has no [board]: write files = 8 and ranks = 8 in it, or base = \"chess\" "
            "at the top");
      return std::move(read_);
    }
    check_keys(*board, "board", findings_);
    read_levels_count(*board);
    read_cells(*board);
    const std::optional<std::size_t> mirror =
        choice_of(*board, "mirror", {"flip", "turn"}, "board", findings_);
    b().turned = mirror == 1U;
    if (!count_squares(*board)) return std::move(read_);
    read_.zones = Zones(b());
    exclude_cells(*board);
    read_.zones = Zones(b());
    read_.usable = b().squares > 0;
    if (!read_.usable) {
      findings_.error(*board, "the board has no squares");
      return std::move(read_);
    }
    if (const auto wrap =
            choice_of(*board, "wrap", {"files", "ranks", "both"}, "board", findings_)) {
      b().wraps_files = *wrap != 1;
      b().wraps_ranks = *wrap != 0;
    }
    b().riders_fly_over_void =
        choice_of(*board, "riders", {"stop at void", "fly over void"}, "board", findings_) == 1U;
    b().leaps_over_void =
        choice_of(*board, "leaps", {"over void", "not over void"}, "board", findings_) != 1U;
    read_links(*board, "links", b().links);
    read_links(*board, "cuts", b().cuts);
    read_holes(*board);
    read_belts(*board);
    read_parts(*board);
    read_sectors(*board);
    return std::move(read_);
  }

 private:
  Board& b() { return read_.board; }
  const Zones& zones() const { return read_.zones; }

  bool misspelt(std::string_view table) const {
    return std::ranges::any_of(file_.root.items, [&](const TomlValue& item) {
      return item.key != table && item.is_table() &&
             nearest_name(item.key, {"board", "pieces", "hands", "rules", "start", "ends"}) ==
                 table;
    });
  }

  std::optional<SquareSet> zone(const TomlValue& value, std::string_view path) {
    return read_zone(value, path, file_, zones(), findings_);
  }

  // ------------------------------------------------------------------------------------------
  // cells

  void read_levels_count(const TomlValue& board) {
    const TomlValue* levels = table_of(board, "levels", "board", findings_);
    if (levels == nullptr) return;
    check_keys(*levels, "board.levels", findings_);
    b().levels.count =
        whole_of(*levels, "count", {1, kMostLevels}, "board.levels", findings_).value_or(1);
    if (levels->find("count") == nullptr)
      findings_.error(*levels, "[board.levels] has no count: count = 2");
  }

  void read_cells(const TomlValue& board) {
    const TomlValue* rows = board.find("rows");
    const TomlValue* files = board.find("files");
    const TomlValue* ranks = board.find("ranks");
    if (rows != nullptr && (files != nullptr || ranks != nullptr)) {
      findings_.error(*rows, "rows and " + std::string(files != nullptr ? "files" : "ranks") +
                                 " (line " +
                                 std::to_string((files != nullptr ? files : ranks)->line) +
                                 ") both say what the board is: leave one out");
      return;
    }
    if (rows != nullptr) {
      read_rows(*rows);
      return;
    }
    const auto width = whole_of(board, "files", {1, kMostFiles}, "board", findings_);
    const auto height = whole_of(board, "ranks", {1, kMostRanks}, "board", findings_);
    for (const char* key : {"files", "ranks"})
      if (board.find(key) == nullptr)
        findings_.error(board, std::string("[board] has no ") + key + ": " + key + " = 8");
    if (!width || !height) return;
    for (int row = 0; row < *height; ++row) {
      std::vector<Cell> cells;
      for (int column = 0; column < *width; ++column)
        cells.push_back(
            {.kind = CellKind::Square,
             .name = std::string(1, static_cast<char>('a' + column)) + std::to_string(row + 1),
             .square = kNoSquare,
             .column = column,
             .foot = static_cast<double>(column)});
      b().rows.push_back(std::move(cells));
    }
  }

  void read_rows(const TomlValue& rows) {
    if (!rows.is_list() || rows.items.empty() || rows.items.size() > kMostRanks) {
      wrong_value(rows, "board", findings_);
      return;
    }
    bool good = true;
    for (const TomlValue& row : rows.items) {
      std::vector<Cell> cells;
      if (row.is_text()) {
        good = read_row(row, row.text, cells) && good;
      } else if (row.is_table()) {
        check_keys(row, "board.rows", findings_);
        const auto text = text_of(row, "cells", "board.rows", findings_);
        const TomlValue* foot = row.find("foot");
        if (foot != nullptr && !foot->is_list()) {
          wrong_value(*foot, "board.rows", findings_);
          good = false;
        } else if (!text) {
          if (row.find("cells") == nullptr)
            findings_.error(row, "a row has cells: { cells = \"a1 b1\", foot = [ 0, 1 ] }");
          good = false;
        } else {
          good = read_row(row, *text, cells) && read_feet(row, cells) && good;
        }
      } else {
        findings_.error(row, "a row of board.rows is " + row.shown() +
                                 ", but must be a text (\"a1 b1 c1\") or a table ({ cells = "
                                 "\"a1 b1\", foot = [ 0.5, 1.5 ] })");
        good = false;
      }
      b().rows.push_back(std::move(cells));
    }
    std::ranges::reverse(b().rows);
    const std::size_t width = b().rows.back().size();
    for (std::size_t i = 0; good && i < b().rows.size(); ++i)
      if (b().rows[i].size() != width) {
        findings_.error(rows.items[rows.items.size() - 1 - i],
                        "this row has " + counted(b().rows[i].size(), "cell") +
                            ", but the top row has " + std::to_string(width) +
                            "; write . for cells without board and # for barriers");
        good = false;
      }
    if (!good) b().rows.clear();
  }

  bool read_row(const TomlValue& row, std::string_view text, std::vector<Cell>& cells) {
    std::string_view rest = trimmed(text);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      rest = trimmed(rest.substr(word.size()));
      Cell cell;
      cell.column = static_cast<int>(cells.size());
      cell.foot = static_cast<double>(cell.column);
      if (word == "#")
        cell.kind = CellKind::Barrier;
      else if (word == ".")
        cell.kind = CellKind::Void;
      else if (is_square_name(word))
        cell.name = std::string(word);
      else {
        findings_.error(row,
                        quote(word) +
                            " is no cell: cells are squares (letters, then a number: a1, bc4), "
                            "# (barrier) and . (no board)");
        return false;
      }
      if (!cell.name.empty() && !names_.insert(cell.name).second) {
        findings_.error(row, "there are two squares " + cell.name);
        return false;
      }
      cells.push_back(std::move(cell));
    }
    if (cells.empty()) findings_.error(row, "a row without cells");
    return !cells.empty();
  }

  bool read_feet(const TomlValue& row, std::vector<Cell>& cells) {
    const TomlValue* feet = row.find("foot");
    if (feet == nullptr) return true;
    const auto is_place = [](const TomlValue& one) {
      return (one.kind == TomlValue::Kind::Whole || one.kind == TomlValue::Kind::Number) &&
             std::abs(one.number) <= 1000;
    };
    if (!feet->is_list() || !std::ranges::all_of(feet->items, is_place)) {
      wrong_value(*feet, "board.rows", findings_);
      return false;
    }
    if (feet->items.size() != cells.size()) {
      findings_.error(*feet, "foot has " + counted(feet->items.size(), "number") + " for " +
                                 counted(cells.size(), "cell"));
      return false;
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i].foot = feet->items[i].number;
    has_feet_ = true;
    return true;
  }

  /// Numbers the squares; false, and reported, if there are none or too many.
  bool count_squares(const TomlValue& board) {
    int squares = 0;
    for (std::vector<Cell>& row : b().rows)
      for (Cell& cell : row)
        if (cell.kind == CellKind::Square)
          cell.square = static_cast<Square>(squares++);
        else
          cell.square = kNoSquare;
    b().squares = squares;
    const int most = b().levels.count > 1 ? kMaxSquares : kMostSquares;
    if (squares * b().levels.count > most) {
      const TomlValue* shape =
          board.find("rows") != nullptr ? board.find("rows") : board.find("files");
      findings_.error(shape != nullptr ? *shape : board,
                      "the board has " + std::to_string(squares * b().levels.count) +
                          " squares; this program plays on up to " + std::to_string(kMostSquares) +
                          ", or " + std::to_string(kMaxSquares) + " on several levels");
      return false;
    }
    return squares > 0;
  }

  void exclude_cells(const TomlValue& board) {
    for (const auto& [key, kind] :
         {std::pair("void", CellKind::Void), std::pair("barrier", CellKind::Barrier)}) {
      const TomlValue* value = board.find(key);
      if (value == nullptr) continue;
      if (board.find("rows") != nullptr) {
        findings_.error(*value, std::string("board.") + key +
                                    " is for boards of files and ranks; in rows write " +
                                    (kind == CellKind::Void ? "." : "#") + " for the cell");
        continue;
      }
      const std::optional<SquareSet> squares = zone(*value, "board");
      if (!squares) continue;
      for (std::vector<Cell>& row : b().rows)
        for (Cell& cell : row)
          if (cell.square != kNoSquare && (*squares)[cell.square]) cell.kind = kind;
    }
    count_squares(board);
  }

  void read_links(const TomlValue& board, const char* key, std::vector<Link>& links) {
    const TomlValue* list = board.find(key);
    if (list == nullptr) return;
    if (!list->is_list() || !std::ranges::all_of(list->items, &TomlValue::is_table)) {
      wrong_value(*list, "board", findings_);
      return;
    }
    for (const TomlValue& one : list->items) {
      check_keys(one, "board.links", findings_);
      Link link;
      bool good = true;
      for (const auto& [name, square] :
           {std::pair("from", &link.from), std::pair("to", &link.to)}) {
        const auto text = text_of(one, name, "board.links", findings_);
        if (!text) {
          if (one.find(name) == nullptr)
            findings_.error(one, std::string("a link has no ") + name +
                                     ": { from = \"a8\", way = \"n\", to = \"a1\" }");
          good = false;
          continue;
        }
        *square = one_level_square(*text);
        if (*square == kNoSquare) {
          findings_.error(
              one, quote(*text) + " is no square of this board (" + zones().description() + ")");
          good = false;
        }
      }
      const auto way = text_of(one, "way", "board.links", findings_);
      const auto* const found = way ? std::ranges::find(kWays, *way) : kWays.end();
      if (found == kWays.end()) {
        const TomlValue* value = one.find("way");
        if (value != nullptr && value->is_text()) wrong_value(*value, "board.links", findings_);
        if (value == nullptr)
          findings_.error(one, "a link has no way: { from = \"a8\", way = \"n\", to = \"a1\" }");
        good = false;
      }
      if (!good) continue;
      link.way = static_cast<Direction>(found - kWays.begin());
      links.push_back(link);
      links.push_back({.from = link.to, .way = turned(link.way, 4), .to = link.from});
    }
  }

  Square one_level_square(std::string_view name) const {
    for (const std::vector<Cell>& row : read_.board.rows)
      for (const Cell& cell : row)
        if (cell.kind == CellKind::Square && cell.name == name) return cell.square;
    return kNoSquare;
  }

  // ----------------------------------------------------------------------------------------
  // devices

  /// when, who, uses, pause and undo.
  Control read_control(const TomlValue& table, std::string_view path, When usual) {
    Control control{.when = usual};
    if (const TomlValue* when = table.find("when")) read_when(*when, path, control);
    if (const auto who = choice_of(table, "who", {"any", "own", "majority"}, path, findings_))
      control.who = static_cast<Who>(*who);
    control.uses = whole_of(table, "uses", {0, 1000}, path, findings_).value_or(kNoLimit);
    control.pause = whole_of(table, "pause", {0, 1000}, path, findings_).value_or(0);
    control.undo = truth_of(table, "undo", path, findings_).value_or(true);
    if (control.when != When::Instead)
      for (const char* key : {"uses", "pause", "undo"})
        if (const TomlValue* value = table.find(key))
          findings_.error(*value, std::string(key) +
                                      " is for movements that are a turn of their own: when = "
                                      "\"instead\"");
    return control;
  }

  void read_when(const TomlValue& when, std::string_view path, Control& control) {
    constexpr std::array<std::string_view, 4> kWhens = {"left", "entered", "left or entered",
                                                        "instead"};
    const bool is_belt = path == "board.belt";
    if (when.is_text()) {
      const auto* const found = std::ranges::find(kWhens, when.text);
      if (found != kWhens.end()) {
        control.when = static_cast<When>(found - kWhens.begin());
        if (is_belt || control.when == When::Instead) return;
        findings_.error(
            when, std::string(path) + " can only be moved instead of a piece: when = \"instead\"");
        return;
      }
      const int every = when.text == "after" ? 1
                        : when.text.starts_with("every ")
                            ? number_of(std::string_view(when.text).substr(6))
                            : 0;
      if (every >= 1 && every <= 1000) {
        control.when = When::Every;
        control.every = every;
        if (!is_belt)
          findings_.error(when, std::string(path) +
                                    " can only be moved instead of a piece: when = \"instead\"; "
                                    "movements as a second part of a turn are reserved");
        return;
      }
    }
    wrong_value(when, path, findings_);
  }

  void read_belts(const TomlValue& board) {
    const TomlValue* list = board.find("belt");
    if (list == nullptr) return;
    if (!list->is_list() || !std::ranges::all_of(list->items, &TomlValue::is_table)) {
      findings_.error(*list, "board.belt is " + list->shown() +
                                 ", but each belt is a table of its own: [[board.belt]]");
      return;
    }
    for (const TomlValue& one : list->items) {
      check_keys(one, "board.belt", findings_);
      Belt belt;
      belt.name = text_of(one, "name", "board.belt", findings_).value_or("");
      belt.control = read_control(one, "board.belt", When::Left);
      belt.steps = whole_of(one, "steps", {1, 100}, "board.belt", findings_).value_or(1);
      belt.both_ways = choice_of(one, "ways", {"forward", "both"}, "board.belt", findings_) == 1U;
      if (belt.both_ways && belt.control.when != When::Instead)
        findings_.error(*one.find("ways"),
                        "ways = \"both\" lets the player choose, who can do so only where the belt "
                        "moves as a turn of its own: when = \"instead\"");
      for (std::vector<std::vector<Square>>& cycles : read_cycles(one)) {
        belt.cycles = std::move(cycles);
        b().belts.push_back(belt);
        belts_.emplace_back(one.find("squares") != nullptr ? one.find("squares") : &one,
                            static_cast<int>(&one - list->items.data()) + 1);
      }
    }
    warn_of_crossings();
  }

  /// The cycles of a belt, or of one on each level where the squares are named without one.
  std::vector<std::vector<std::vector<Square>>> read_cycles(const TomlValue& one) {
    const TomlValue* squares = one.find("squares");
    const TomlValue* quarter = one.find("quarter");
    if ((squares == nullptr) == (quarter == nullptr)) {
      findings_.error(one, squares == nullptr
                               ? "a belt has no squares: squares = \"a1 a2 a3 a4\", or quarter = "
                                 "\"a1-d4\""
                               : "a belt has squares or a quarter, not both");
      return {};
    }
    if (quarter != nullptr) return read_quarter(*quarter);
    if (!squares->is_text()) {
      wrong_value(*squares, "board.belt", findings_);
      return {};
    }
    std::vector<std::vector<std::vector<Square>>> belts;
    for (const std::string& text : on_each_level(squares->text)) {
      const Zones::ReadList list = zones().read_list(text);
      if (!list.error.empty()) {
        findings_.error(*squares, list.error);
        return {};
      }
      std::set<Square> seen;
      for (const Square square : list.squares) {
        if (!seen.insert(square).second) {
          findings_.error(*squares, "this belt has " + zones().name(square) + " twice");
          return {};
        }
        require_no_hole(*squares, square);
      }
      if (list.squares.size() < 2) {
        findings_.error(*squares, "a belt has at least two squares: squares = \"a1 a2 a3 a4\"");
        return {};
      }
      belts.push_back({list.squares});
    }
    return belts;
  }

  /// A list of squares that begins without a level, once for each level; others as they are.
  std::vector<std::string> on_each_level(const std::string& squares) const {
    const std::size_t first = squares.find_first_not_of(" ,");
    if (read_.board.levels.count == 1 || first == std::string::npos || squares[first] < 'a')
      return {squares};
    std::vector<std::string> lists;
    for (int level = 1; level <= read_.board.levels.count; ++level) {
      std::string list;
      bool begins = true;
      for (const char c : squares) {
        const bool separates = c == ' ' || c == ',';
        if (begins && !separates) list += std::to_string(level);
        begins = separates;
        list += c;
      }
      lists.push_back(std::move(list));
    }
    return lists;
  }

  void require_no_hole(const TomlValue& where, Square square) {
    const bool deepest = square / b().squares + 1 == b().levels.count;
    if (!deepest && !b().levels.below.empty() &&
        !b().levels.below[square % at(b().squares)].empty())
      findings_.error(where, zones().name(square) +
                                 " is a hole, on which nothing stands that a "
                                 "belt could carry");
  }

  std::vector<std::vector<std::vector<Square>>> read_quarter(const TomlValue& quarter) {
    const std::optional<SquareSet> squares = zone(quarter, "board.belt");
    if (!squares) return {};
    int low_row = kMostRanks, low_column = 1000, high_row = -1, high_column = -1;
    for (int s = 0; s < b().all_squares(); ++s) {
      if (!(*squares)[at(s)]) continue;
      require_no_hole(quarter, static_cast<Square>(s));
      const Zones::Place p = zones().place(static_cast<Square>(s));
      low_row = std::min(low_row, p.row);
      high_row = std::max(high_row, p.row);
      low_column = std::min(low_column, p.column);
      high_column = std::max(high_column, p.column);
    }
    const int size = high_row - low_row + 1;
    if (size != high_column - low_column + 1 ||
        static_cast<int>(squares->count()) != size * size * (quarter_levels(*squares))) {
      findings_.error(quarter, "quarter = " + quarter.shown() +
                                   " is no square of squares: only as many files as ranks can be "
                                   "turned by a quarter, for example \"a1-d4\"");
      return {};
    }
    std::set<Square> done;
    std::vector<std::vector<std::vector<Square>>> belts;
    for (int level = 0; level < b().levels.count; ++level) {
      std::vector<std::vector<Square>> cycles;
      for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
          Zones::Place p{.row = low_row + row, .column = low_column + column, .level = level};
          const Square first = zones().at(p);
          if (first == kNoSquare || !(*squares)[first] || done.contains(first)) continue;
          std::vector<Square> cycle;
          int r = row;
          int c = column;
          do {  // clockwise, north up: (row, column) goes to (size - 1 - column, row)
            p.row = low_row + r;
            p.column = low_column + c;
            cycle.push_back(zones().at(p));
            done.insert(cycle.back());
            const int next_row = size - 1 - c;
            c = r;
            r = next_row;
          } while (r != row || c != column);
          if (cycle.size() > 1) cycles.push_back(std::move(cycle));
        }
      if (!cycles.empty()) belts.push_back(std::move(cycles));
    }
    if (belts.empty())
      findings_.error(quarter, "quarter = " + quarter.shown() + " is too small to be turned");
    return belts;
  }
  int quarter_levels(const SquareSet& squares) const {
    std::set<int> levels;
    for (int s = 0; s < read_.board.all_squares(); ++s)
      if (squares[at(s)]) levels.insert(s / read_.board.squares);
    return static_cast<int>(levels.size());
  }

  /// Belts that move at once and share several squares make some moves impossible.
  void warn_of_crossings() {
    for (std::size_t j = 1; j < b().belts.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const Belt& one = b().belts[i];
        const Belt& other = b().belts[j];
        if (one.control.when == When::Instead || other.control.when == When::Instead) continue;
        std::map<Square, Square> next_one = next_of(one);
        std::map<Square, Square> next_other = next_of(other);
        std::vector<Square> shared;
        for (const auto& cycle : one.cycles)
          for (const Square square : cycle)
            if (next_other.contains(square)) shared.push_back(square);
        if (shared.size() < 2) continue;
        const auto torn =
            std::ranges::find_if(shared, [&](Square s) { return next_one[s] != next_other[s]; });
        if (torn == shared.end()) continue;
        const Square left = shared[shared[0] == *torn ? 1 : 0];
        const auto name = [&](Square s) { return zones().name(s); };
        findings_.warning(*belts_[j].first,
                          "belts " + std::to_string(belts_[i].second) + " and " +
                              std::to_string(belts_[j].second) + " share " + zones().text(shared) +
                              ": when a piece leaves " + name(left) +
                              " both advance, and a piece on " + name(*torn) + " would go to " +
                              name(next_one[*torn]) + " and to " + name(next_other[*torn]) +
                              ": such moves are illegal");
      }
  }
  static std::map<Square, Square> next_of(const Belt& belt) {
    std::map<Square, Square> next;
    for (const std::vector<Square>& cycle : belt.cycles)
      for (std::size_t i = 0; i < cycle.size(); ++i)
        next[cycle[i]] = cycle[(i + static_cast<std::size_t>(belt.steps)) % cycle.size()];
    return next;
  }

  void read_parts(const TomlValue& board) {
    const TomlValue* list = board.find("part");
    if (list == nullptr) return;
    if (!list->is_list() || !std::ranges::all_of(list->items, &TomlValue::is_table)) {
      findings_.error(*list, "board.part is " + list->shown() +
                                 ", but each part is a table of its own: [[board.part]]");
      return;
    }
    if (has_feet_ || b().wraps_files || b().wraps_ranks)
      findings_.error(*list, "parts can be displaced only on boards without slanted rows and wrap");
    for (const TomlValue& one : list->items) {
      check_keys(one, "board.part", findings_);
      Part part;
      part.name = text_of(one, "name", "board.part", findings_).value_or("");
      const TomlValue* squares = one.find("squares");
      if (squares == nullptr)
        findings_.error(one, "a part has no squares: squares = \"a1-h4\"");
      else if (const auto zone_of_it = zone(*squares, "board.part"))
        part.squares = *zone_of_it;
      const auto where = pair_of(one, "at", {-99, 99}, "board.part", findings_);
      part.files = where ? where->low : 0;
      part.ranks = where ? where->high : 0;
      if (const TomlValue* shift = table_of(one, "shift", "board.part", findings_))
        read_shift(*shift, part);
      b().parts.push_back(std::move(part));
    }
  }

  void read_shift(const TomlValue& shift, Part& part) {
    constexpr std::string_view kPath = "board.part.shift";
    check_keys(shift, kPath, findings_);
    Part::Shift read;
    read.control = read_control(shift, kPath, When::Instead);
    const int width = zones().columns() - 1;
    const Interval amounts{-99, 99};
    read.files = pair_of(shift, "files", amounts, kPath, findings_).value_or(Interval{});
    read.ranks = pair_of(shift, "ranks", amounts, kPath, findings_).value_or(Interval{});
    read.within = pair_of(shift, "within", amounts, kPath, findings_)
                      .value_or(Interval{.low = -width, .high = width});
    read.within_ranks = pair_of(shift, "within_ranks", amounts, kPath, findings_)
                            .value_or(Interval{.low = part.ranks, .high = part.ranks});
    for (const auto& [key, interval] :
         {std::pair("files", read.files), std::pair("ranks", read.ranks),
          std::pair("within", read.within), std::pair("within_ranks", read.within_ranks)})
      if (interval.low > interval.high) {
        findings_.error(*shift.find(key),
                        std::string(key) + " goes from " + std::to_string(interval.low) + " to " +
                            std::to_string(interval.high) + ": the smaller number comes first");
        return;
      }
    const Interval none;
    if (read.files == none && read.ranks == none) {
      findings_.error(shift, "a shift moves by files or ranks: shift = { files = [ -1, 1 ] }");
      return;
    }
    if (part.files < read.within.low || part.files > read.within.high)
      findings_.error(shift, "the part begins at " + std::to_string(part.files) +
                                 " files, which is not within " + std::to_string(read.within.low) +
                                 " to " + std::to_string(read.within.high));
    if (part.ranks < read.within_ranks.low || part.ranks > read.within_ranks.high)
      findings_.error(shift, "the part begins at " + std::to_string(part.ranks) +
                                 " ranks, which is not within_ranks " +
                                 std::to_string(read.within_ranks.low) + " to " +
                                 std::to_string(read.within_ranks.high));
    if (read.control.uses != 0) part.shift = read;
  }

  void read_sectors(const TomlValue& board) {
    const TomlValue* table = table_of(board, "sectors", "board", findings_);
    if (table == nullptr) return;
    check_keys(*table, "board.sectors", findings_);
    const auto size = pair_of(*table, "size", {1, 99}, "board.sectors", findings_);
    if (!size) {
      if (table->find("size") == nullptr)
        findings_.error(*table, "[board.sectors] has no size: size = [ 2, 2 ]");
      return;
    }
    const int width = zones().columns();
    const int height = zones().rows();
    if (width % size->low != 0 || height % size->high != 0 || b().squares != width * height ||
        b().levels.count > 1 || has_feet_ || !b().parts.empty()) {
      findings_.error(*table,
                      "sectors of " + std::to_string(size->low) + "×" + std::to_string(size->high) +
                          " need a rectangle of squares that they cover exactly, without "
                          "parts and levels; this board has " +
                          std::to_string(width) + "×" + std::to_string(height) + " cells" +
                          (b().squares != width * height ? ", not all of them squares" : ""));
      return;
    }
    Sectors sectors;
    sectors.width = size->low;
    sectors.height = size->high;
    sectors.columns = width / size->low;
    for (int row = 0; row < height; row += sectors.height)
      for (int column = 0; column < width; column += sectors.width) {
        std::vector<Square> area;
        for (int r = row; r < row + sectors.height; ++r)
          for (int c = column; c < column + sectors.width; ++c)
            area.push_back(zones().at({.row = r, .column = c}));
        sectors.areas.push_back(std::move(area));
      }
    read_gaps(*table, sectors);
    if (const TomlValue* slide = table_of(*table, "slide", "board.sectors", findings_)) {
      constexpr std::string_view kPath = "board.sectors.slide";
      check_keys(*slide, kPath, findings_);
      Sectors::Slide read;
      read.control = read_control(*slide, kPath, When::Instead);
      read.far = whole_of(*slide, "far", {1, kMostFiles}, kPath, findings_).value_or(1);
      read.push = whole_of(*slide, "push", {1, kMostFiles}, kPath, findings_).value_or(1);
      if (sectors.gaps.empty())
        findings_.error(*slide, "nothing can slide without a gap: gaps = \"BII\"");
      if (read.control.uses != 0) sectors.slide = read;
    }
    b().sectors = std::move(sectors);
  }

  void read_gaps(const TomlValue& table, Sectors& sectors) {
    const auto gaps = text_of(table, "gaps", "board.sectors", findings_);
    if (!gaps) return;
    std::string_view rest = *gaps;
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(" ,+");
      const std::string_view word = rest.substr(0, end);
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
      if (word.empty()) continue;
      int found = -1;
      for (int area = 0; area < static_cast<int>(sectors.areas.size()); ++area)
        if (area_name(sectors, area) == word) found = area;
      const TomlValue& value = *table.find("gaps");
      if (found < 0) {
        findings_.error(value,
                        quote(word) + " is no area: areas are AI to " +
                            area_name(sectors, static_cast<int>(sectors.areas.size()) - 1) +
                            ", a letter for the column and a Roman number for the row, as in "
                            "gaps = \"BII\"");
        continue;
      }
      if (std::ranges::find(sectors.gaps, found) != sectors.gaps.end())
        findings_.error(value, "gaps has " + printable(word, 10) + " twice");
      else
        sectors.gaps.push_back(found);
    }
    std::ranges::sort(sectors.gaps);
    if (sectors.gaps.size() == sectors.areas.size())
      findings_.error(*table.find("gaps"), "every area is a gap: where is the board?");
  }

  // -----------------------------------------------------------------------------------------
  // levels

  void read_holes(const TomlValue& board) {
    const TomlValue* table = board.find("levels");
    if (table == nullptr || !table->is_table()) return;
    constexpr std::string_view kPath = "board.levels";
    b().levels.lost = truth_of(*table, "lost", kPath, findings_).value_or(false);
    const TomlValue* hole = table->find("hole");
    const TomlValue* below = table->find("below");
    if (below != nullptr && !below->is_list() && !(below->is_text() && below->text == "all")) {
      wrong_value(*below, kPath, findings_);
      return;
    }
    if (hole == nullptr) {
      if (below != nullptr)
        findings_.error(*below,
                        "below says what lies under a hole, and there is no hole: hole = "
                        "\"c3-f6\"");
      return;
    }
    if (has_feet_ || !b().parts.empty() || b().squares != zones().columns() * zones().rows()) {
      findings_.error(*hole, "holes need levels that are rectangles of squares");
      return;
    }
    const std::optional<SquareSet> squares = zone(*hole, kPath);
    if (!squares) return;
    int low_row = kMostRanks, low_column = 1000, high_row = -1, high_column = -1;
    int count = 0;
    for (int s = 0; s < b().squares; ++s) {
      if (!(*squares)[at(s)]) continue;
      ++count;
      const Zones::Place p = zones().place(static_cast<Square>(s));
      low_row = std::min(low_row, p.row);
      high_row = std::max(high_row, p.row);
      low_column = std::min(low_column, p.column);
      high_column = std::max(high_column, p.column);
    }
    const int wide = high_column - low_column + 1;
    const int high = high_row - low_row + 1;
    const int width = zones().columns();
    const int height = zones().rows();
    if (count == 0) {
      findings_.error(*hole, "the hole has no squares; leave hole out");
      return;
    }
    if (below == nullptr) {
      findings_.error(*hole,
                      "what lies under each square of the hole? below = [ 2, 2 ], or below = "
                      "\"all\"");
      return;
    }
    b().levels.below.resize(at(b().squares));
    if (below->is_text() && below->text == "all") {
      for (int s = 0; s < b().squares; ++s)
        for (int t = 0; (*squares)[at(s)] && t < b().squares; ++t)
          b().levels.below[at(s)].push_back(static_cast<Square>(t));
      return;
    }
    const auto size = pair_of(*table, "below", {1, 99}, kPath, findings_);
    if (!size) return;
    const auto by = [](int a, int c) { return std::to_string(a) + "×" + std::to_string(c); };
    if (count != wide * high) {
      findings_.error(*hole, "hole " + printable(hole->text, 20) +
                                 " is no rectangle, so that it is not clear what lies under which "
                                 "square: below = \"all\"");
      return;
    }
    if (wide * size->low != width || high * size->high != height) {
      std::string help = "below = \"all\"";
      if (width % size->low == 0 && height % size->high == 0)
        help = "A hole of " + by(width / size->low, height / size->high) + " fits (below = [" +
               std::to_string(size->low) + ", " + std::to_string(size->high) + "]), or " + help;
      else
        help = "Write " + help;
      findings_.error(*hole, "hole " + printable(hole->text, 20) + " has " + by(wide, high) +
                                 " squares, " + by(size->low, size->high) + " below each make " +
                                 by(wide * size->low, high * size->high) + ", but a level has " +
                                 by(width, height) + ". " + help + ".");
      return;
    }
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        const Square over = zones().at(
            {.row = low_row + row / size->high, .column = low_column + column / size->low});
        b().levels.below[over].push_back(zones().at({.row = row, .column = column}));
      }
  }

  const MergedFile& file_;
  Findings& findings_;
  BoardRead read_;
  std::set<std::string> names_;
  bool has_feet_ = false;
  std::vector<std::pair<const TomlValue*, int>> belts_;  // where each is, and its number there
};

}  // namespace

BoardRead read_board(const MergedFile& file, Findings& findings) {
  return BoardReader(file, findings).read();
}

std::optional<SquareSet> read_zone(const TomlValue& value, std::string_view path,
                                   const MergedFile& file, const Zones& zones, Findings& findings) {
  if (!value.is_text()) {
    wrong_value(value, path, findings);
    return std::nullopt;
  }
  Zones::Read read = zones.read(value.text);
  if (!read.error.empty()) {
    const TomlValue* shape = file.is_own(value) ? nullptr : file.own_shape();
    const TomlValue* board = file.root.find("board");
    if (const TomlValue* ranks = board->find("ranks"); shape != nullptr && ranks != nullptr &&
                                                       file.is_own(*ranks) &&
                                                       read.error.starts_with("rank"))
      shape = ranks;
    if (shape != nullptr)  // what a base says does not fit this file's board
      findings.error(*shape,
                     "board." + shape->key +
                         (shape->is_list() ? " has another board" : " = " + shape->shown()) +
                         ", but " + value.key + " = \"" + printable(value.text, 60) + "\" (from " +
                         value.place() + "): " + read.error + ". Say " + value.key + " anew.");
    else
      findings.error(value, value.key + ": " + read.error);
    return std::nullopt;
  }
  return read.squares;
}

std::string area_name(const Sectors& sectors, int area) {
  return std::string(1, static_cast<char>('A' + area % sectors.columns)) +
         roman(area / sectors.columns + 1);
}

}  // namespace faultline::data
