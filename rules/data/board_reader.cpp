// The cells of a game's board and how they are linked: [board] but for what moves it.
#include "rules/data/board_reader.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "rules/data/movement_reader.h"
#include "rules/data/references.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

constexpr int kMostRows = 99;
constexpr int kMostSquares = 128;  // of a single board

/// Letters, then a number: "bc4".
bool is_square_name(std::string_view name) {
  constexpr std::size_t kMostLetters = 3;
  const std::string_view letters = file_of(name);
  const std::string_view rank = name.substr(letters.size());
  const int number = number_of(rank);
  return !letters.empty() && letters.size() <= kMostLetters && !rank.starts_with('0') &&
         number >= 1 && number <= kMostRows;
}

class BoardReader {
 public:
  BoardReader(const MergedFile& file, Findings& findings) : file_(file), findings_(findings) {}

  BoardRead read() {
    const TomlValue* board = table_of(file_.root, "board");
    if (board == nullptr) {
      if (file_.root.find("board") == nullptr && !is_misspelt(file_.root, "board"))
        findings_.error_in(
            file_.source, 0,
            "has no [board]: write files = 8 and ranks = 8 in it, or base = \"chess\" "
            "at the top");
      return std::move(read_);
    }
    Board& b = read_.board;
    const TomlValue* levels = table_of(*board, "levels");
    b.levels.count = levels != nullptr ? whole_of(*levels, "count").value_or(1) : 1;
    read_cells(*board);
    b.turned = text_of(*board, "mirror") == "turn";
    if (!count_squares(*board)) return std::move(read_);
    read_.zones = Zones(b);
    exclude_cells(*board);
    read_.zones = Zones(b);
    read_.usable = b.squares > 0;
    if (!read_.usable) {
      findings_.error(*board, "the board has no squares");
      return std::move(read_);
    }
    const std::string wrap = text_of(*board, "wrap").value_or("");
    b.wraps_files = wrap == "files" || wrap == "both";
    b.wraps_ranks = wrap == "ranks" || wrap == "both";
    b.riders_fly_over_void = text_of(*board, "riders") == "fly over void";
    b.leaps_over_void = text_of(*board, "leaps") != "not over void";
    read_links(board->find("links"), b.links);
    read_links(board->find("cuts"), b.cuts);
    read_movements(*board, file_, read_.zones, b, findings_);
    return std::move(read_);
  }

 private:
  void read_cells(const TomlValue& board) {
    const TomlValue* rows = board.find("rows");
    const TomlValue* files = board.find("files");
    const TomlValue* ranks = board.find("ranks");
    if (rows != nullptr) {
      if (files != nullptr || ranks != nullptr) {
        const TomlValue& other = *(files != nullptr ? files : ranks);
        findings_.error(*rows, "rows and " + other.key + " (line " + std::to_string(other.line) +
                                   ") both say what the board is: leave one out");
      } else if (rows->is_list()) {
        read_rows(*rows);
      }
      return;
    }
    for (const char* key : {"files", "ranks"})
      if (board.find(key) == nullptr)
        findings_.error(board, std::string("[board] has no ") + key + ": " + key + " = 8");
    const int width = whole_of(board, "files").value_or(0);
    const int height = whole_of(board, "ranks").value_or(0);
    if (width == 0) return;
    for (int row = 1; row <= height; ++row) {
      std::vector<Cell>& cells = read_.board.rows.emplace_back();
      for (int column = 0; column < width; ++column)
        add_cell(cells).name =
            std::string(1, static_cast<char>('a' + column)) + std::to_string(row);
    }
  }

  static Cell& add_cell(std::vector<Cell>& cells) {
    Cell& cell = cells.emplace_back();
    cell.column = static_cast<int>(cells.size()) - 1;
    cell.foot = cell.column;
    return cell;
  }

  void read_rows(const TomlValue& rows) {
    if (rows.items.empty() || rows.items.size() > kMostRows)
      return findings_.error(rows, "board.rows has " + std::to_string(rows.items.size()) +
                                       " rows, but must have 1 to " + std::to_string(kMostRows));
    std::vector<std::vector<Cell>>& cells = read_.board.rows;
    bool good = true;
    for (const TomlValue& row : rows.items)
      good = read_row(row, cells.emplace_back()) && good;
    const std::size_t width = cells.front().size();
    for (std::size_t i = 0; good && i < cells.size(); ++i)
      if (cells[i].size() != width) {
        findings_.error(rows.items[i], "this row has " + counted(cells[i].size(), "cell") +
                                           ", but the top row has " + std::to_string(width) +
                                           "; write . for cells without board and # for barriers");
        good = false;
      }
    if (!good) cells.clear();
    std::ranges::reverse(cells);
  }

  /// A text, or a table with one and the feet of its cells.
  bool read_row(const TomlValue& row, std::vector<Cell>& cells) {
    const std::optional<std::string> text = row.is_text() ? row.text : text_of(row, "cells");
    if (!text) return false;
    for (const std::string_view word : words_of(*text)) {
      Cell& cell = add_cell(cells);
      if (word == "#")
        cell.kind = CellKind::Barrier;
      else if (word == ".")
        cell.kind = CellKind::Void;
      else
        cell.name = std::string(word);
      if (cell.name.empty()) continue;
      const bool is_name = is_square_name(word);
      if (is_name && names_.insert(cell.name).second) continue;
      findings_.error(row, is_name ? "there are two squares " + cell.name
                                   : quote(word) +
                                         " is no cell: cells are squares (letters, then a number: "
                                         "a1, bc4), # (barrier) and . (no board)");
      return false;
    }
    if (cells.empty()) findings_.error(row, "a row without cells");
    return !cells.empty() && read_feet(row, cells);
  }

  bool read_feet(const TomlValue& row, std::vector<Cell>& cells) {
    const TomlValue* feet = row.find("foot");
    if (feet == nullptr) return true;
    if (!feet->is_list()) return false;
    if (feet->items.size() != cells.size()) {
      findings_.error(*feet, "foot has " + counted(feet->items.size(), "number") + " for " +
                                 counted(cells.size(), "cell"));
      return false;
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i].foot = feet->items[i].number;
    return true;
  }

  /// Numbers the squares; false, and reported, if there are too many; false if there are none.
  bool count_squares(const TomlValue& board) {
    Board& b = read_.board;
    b.squares = 0;
    for (std::vector<Cell>& row : b.rows)
      for (Cell& cell : row)
        cell.square = cell.kind == CellKind::Square ? static_cast<Square>(b.squares++) : kNoSquare;
    if (b.all_squares() <= (b.levels.count > 1 ? kMaxSquares : kMostSquares)) return b.squares > 0;
    const TomlValue* shape =
        board.find("rows") != nullptr ? board.find("rows") : board.find("files");
    findings_.error(*shape,
                    "board." + shape->key + ": the board has " + std::to_string(b.all_squares()) +
                        " squares; this program plays on up to " + std::to_string(kMostSquares) +
                        ", or " + std::to_string(kMaxSquares) + " on several levels");
    return false;
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
      const auto squares = read_zone(*value, file_, read_.zones, findings_);
      for (std::vector<Cell>& row : read_.board.rows)
        for (Cell& cell : row)
          if (squares && cell.square != kNoSquare && (*squares)[cell.square]) cell.kind = kind;
    }
    count_squares(board);
  }

  void read_links(const TomlValue* list, std::vector<Link>& links) {
    for (const TomlValue* one : tables_in(list)) {
      const auto way = choice_of(*one, "board.links", "way");
      const Square from = square_of(*one, "from");
      const Square to = square_of(*one, "to");
      if (!way || from == kNoSquare || to == kNoSquare) continue;
      links.push_back({.from = from, .way = static_cast<Direction>(*way), .to = to});
      links.push_back({.from = to, .way = turned(links.back().way, 4), .to = from});
    }
  }

  /// Within a level.
  Square square_of(const TomlValue& link, std::string_view key) {
    const auto name = text_of(link, key);
    if (!name) return kNoSquare;
    const Square square = read_.zones.find((read_.zones.levels() > 1 ? "1" : "") + *name);
    if (square == kNoSquare)
      findings_.error(
          link, quote(*name) + " is no square of this board (" + read_.zones.description() + ")");
    return square;
  }

  const MergedFile& file_;
  Findings& findings_;
  BoardRead read_;
  std::set<std::string> names_;
};

}  // namespace

BoardRead read_board(const MergedFile& file, Findings& findings) {
  return BoardReader(file, findings).read();
}

}  // namespace faultline::data
