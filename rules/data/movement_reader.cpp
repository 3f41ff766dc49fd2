// What changes a game's board: its belts, parts, sectors and holes.
#include "rules/data/movement_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/quote.h"
#include "rules/data/references.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

std::string by_text(int width, int height) {
  return std::to_string(width) + "×" + std::to_string(height);
}

using Cycles = std::vector<std::vector<Square>>;

constexpr std::size_t kMostBelts = 128;

class MovementReader {
 public:
  MovementReader(const MergedFile& file, const Zones& zones, Board& board, Findings& findings)
      : file_(file), zones_(zones), board_(board), findings_(findings) {}

  void read(const TomlValue& table) {
    read_holes(table_of(table, "levels"));
    read_belts(table.find("belt"));
    read_parts(table.find("part"));
    read_sectors(table_of(table, "sectors"));
  }

 private:
  std::optional<SquareSet> zone(const TomlValue& value) {
    return read_zone(value, file_, zones_, findings_);
  }
  bool is_slanted() const {
    return std::ranges::any_of(board_.rows, [](const std::vector<Cell>& row) {
      return std::ranges::any_of(row, [](const Cell& cell) { return cell.foot != cell.column; });
    });
  }
  bool is_full_rectangle() const { return board_.squares == zones_.columns() * zones_.rows(); }

  /// when, who, uses, pause and undo; `when` only of belts.
  Control read_control(const TomlValue& table, std::string_view path, When usual) {
    Control control{.when = usual};
    if (const auto when = text_of(table, "when"))
      if (!read_when(*when, control))
        findings_.error(*table.find("when"),
                        "board.belt.when is " + quote(*when) +
                            ", but must be \"left\", \"entered\", \"left or "
                            "entered\", \"instead\", \"after\" or \"every N\"");
    control.who = static_cast<Who>(choice_of(table, path, "who").value_or(0));
    control.uses = whole_of(table, "uses").value_or(kNoLimit);
    control.pause = whole_of(table, "pause").value_or(0);
    control.undo = truth_of(table, "undo").value_or(true);
    if (control.when != When::Instead)
      for (const char* key : {"uses", "pause", "undo"})
        if (const TomlValue* value = table.find(key))
          findings_.error(*value, std::string(key) +
                                      " is for movements that are a turn of their own: when = "
                                      "\"instead\"");
    return control;
  }

  static bool read_when(std::string_view when, Control& control) {
    constexpr std::array<std::string_view, 4> kWhens = {"left", "entered", "left or entered",
                                                        "instead"};
    const auto* const found = std::ranges::find(kWhens, when);
    if (found != kWhens.end()) {
      control.when = static_cast<When>(found - kWhens.begin());
      return true;
    }
    constexpr int kMostTurns = 1000;
    control.when = When::Every;
    control.every = when == "after"              ? 1
                    : when.starts_with("every ") ? number_of(when.substr(6))
                                                 : 0;
    return control.every >= 1 && control.every <= kMostTurns;
  }

  // ----------------------------------------------------------------------------------------
  // belts

  void read_belts(const TomlValue* list) {
    for (const TomlValue* one : tables_in(list)) {
      Belt belt;
      belt.name = text_of(*one, "name").value_or("");
      belt.control = read_control(*one, "board.belt", When::Left);
      belt.steps = whole_of(*one, "steps").value_or(1);
      belt.both_ways = text_of(*one, "ways") == "both";
      if (belt.both_ways && belt.control.when != When::Instead)
        findings_.error(*one->find("ways"),
                        "ways = \"both\" lets the player choose, who can do so only where the belt "
                        "moves as a turn of its own: when = \"instead\"");
      for (Cycles& cycles : read_cycles(*one)) {
        belt.cycles = std::move(cycles);
        board_.belts.push_back(belt);
        belts_.emplace_back(one->find("squares") != nullptr ? one->find("squares") : one,
                            static_cast<int>(one - list->items.data()) + 1);
      }
    }
    if (board_.belts.size() > kMostBelts)
      findings_.error(*belts_[kMostBelts].first,
                      "the board has " + std::to_string(board_.belts.size()) +
                          " belts; this program plays up to " + std::to_string(kMostBelts));
    else
      warn_of_crossings();
  }

  /// The cycles of a belt, or of one on each level where the squares are named without one.
  std::vector<Cycles> read_cycles(const TomlValue& one) {
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
    std::vector<Cycles> belts;
    SquareSet on_belts;
    if (!squares->is_text()) return belts;
    for (const std::string& text : on_each_level(squares->text)) {
      const Zones::ReadList list = zones_.read_list(text);
      std::string wrong = list.error;
      std::set<Square> seen;
      for (const Square square : list.squares) {
        if (!seen.insert(square).second && wrong.empty())
          wrong = "this belt has " + zones_.name(square) + " twice";
        on_belts.set(at(square));
      }
      if (wrong.empty() && seen.size() < 2)
        wrong = "a belt has at least two squares: squares = \"a1 a2 a3 a4\"";
      if (!wrong.empty()) {
        findings_.error(*squares, wrong);
        return {};
      }
      belts.push_back({list.squares});
    }
    require_no_hole(*squares, on_belts);
    return belts;
  }

  /// A list of squares that begins without a level, once for each level; others as they are.
  std::vector<std::string> on_each_level(const std::string& squares) const {
    const auto names = words_of(squares, " ,");
    if (board_.levels.count == 1 || names.empty() || !is_small_letter(names[0][0]))
      return {squares};
    std::vector<std::string> lists;
    for (int level = 1; level <= board_.levels.count; ++level) {
      std::string& list = lists.emplace_back();
      for (const std::string_view name : names)
        list += std::to_string(level) + std::string(name) + ' ';
    }
    return lists;
  }

  void require_no_hole(const TomlValue& where, const SquareSet& squares) {
    std::vector<std::string> holes;
    for (int s = 0; s < board_.all_squares(); ++s)
      if (squares[at(s)] && board_.is_hole(static_cast<Square>(s)))
        holes.push_back(zones_.name(static_cast<Square>(s)));
    if (!holes.empty())
      findings_.error(where, joined(holes, " ", " ") +
                                 (holes.size() == 1 ? " is a hole" : " are holes") +
                                 ", on which nothing stands that a belt could carry");
  }

  std::vector<Cycles> read_quarter(const TomlValue& quarter) {
    const std::optional<SquareSet> squares = zone(quarter);
    if (!squares) return {};
    std::set<int> levels;
    for (int s = 0; s < board_.all_squares(); ++s) {
      if (!(*squares)[at(s)]) continue;
      levels.insert(s / board_.squares);
    }
    require_no_hole(quarter, *squares);
    const Zones::Box box = zones_.box(*squares);
    const int size = box.height;
    if (size != box.width || squares->count() != at(size * size) * levels.size()) {
      findings_.error(quarter, "quarter = " + quarter.shown() +
                                   " is no square of squares: only as many files as ranks can be "
                                   "turned by a quarter, for example \"a1-d4\"");
      return {};
    }
    std::vector<Cycles> belts;
    if (size < 2)
      findings_.error(quarter, "quarter = " + quarter.shown() + " is too small to be turned");
    for (const int level : levels) {
      Cycles& cycles = belts.emplace_back();
      // Rings from the outside, from their lower left corners; of each, a side without its end.
      for (int ring = 0; ring < size / 2; ++ring)
        for (int column = ring; column < size - 1 - ring; ++column) {
          std::vector<Square>& cycle = cycles.emplace_back();
          Zones::Place p{.row = ring, .column = column, .level = level};
          for (int i = 0; i < 4; ++i) {
            cycle.push_back(zones_.at(
                {.row = box.row + p.row, .column = box.column + p.column, .level = level}));
            const int row = p.row;  // clockwise, north up
            p.row = size - 1 - p.column;
            p.column = row;
          }
        }
    }
    return belts;
  }

  /// Belts that move at once and share several squares make some moves impossible.
  void warn_of_crossings() {
    const std::vector<Belt>& belts = board_.belts;
    for (std::size_t j = 1; j < belts.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        if (belts[i].control.when == When::Instead || belts[j].control.when == When::Instead)
          continue;
        std::map<Square, Square> next_one = next_of(belts[i]);
        std::map<Square, Square> next_other = next_of(belts[j]);
        std::vector<Square> shared;
        for (const auto& cycle : belts[i].cycles)
          for (const Square square : cycle)
            if (next_other.contains(square)) shared.push_back(square);
        const auto torn =
            std::ranges::find_if(shared, [&](Square s) { return next_one[s] != next_other[s]; });
        if (shared.size() < 2 || torn == shared.end()) continue;
        const Square left = shared[shared[0] == *torn ? 1 : 0];
        findings_.warning(*belts_[j].first,
                          "belts " + std::to_string(belts_[i].second) + " and " +
                              std::to_string(belts_[j].second) + " share " + zones_.text(shared) +
                              ": when a piece leaves " + zones_.name(left) +
                              " both advance, and a piece on " + zones_.name(*torn) +
                              " would go to " + zones_.name(next_one[*torn]) + " and to " +
                              zones_.name(next_other[*torn]) + ": such moves are illegal");
      }
  }
  static std::map<Square, Square> next_of(const Belt& belt) {
    std::map<Square, Square> next;
    for (const std::vector<Square>& cycle : belt.cycles)
      for (std::size_t i = 0; i < cycle.size(); ++i)
        next[cycle[i]] = cycle[(i + at(belt.steps)) % cycle.size()];
    return next;
  }

  // ----------------------------------------------------------------------------------------
  // parts

  void read_parts(const TomlValue* list) {
    const std::vector<const TomlValue*> tables = tables_in(list);
    if (!tables.empty() && (is_slanted() || board_.wraps_files || board_.wraps_ranks))
      findings_.error(*list, "parts can be displaced only on boards without slanted rows and wrap");
    for (const TomlValue* one : tables) {
      Part part;
      part.name = text_of(*one, "name").value_or("");
      part.squares = zone(*one->find("squares")).value_or(SquareSet{});
      const Interval where = pair_of(*one, "at").value_or(Interval{});
      part.files = where.low;
      part.ranks = where.high;
      if (const TomlValue* shift = table_of(*one, "shift")) read_shift(*shift, part);
      board_.parts.push_back(std::move(part));
    }
  }

  void read_shift(const TomlValue& shift, Part& part) {
    const int width = zones_.columns() - 1;
    Part::Shift read;
    read.control = read_control(shift, "board.part.shift", When::Instead);
    bool good = true;
    const auto interval = [&](const char* key, Interval usual) {
      const Interval given = pair_of(shift, key).value_or(usual);
      if (given.low <= given.high) return given;
      findings_.error(*shift.find(key),
                      std::string(key) + " goes from " + std::to_string(given.low) + " to " +
                          std::to_string(given.high) + ": the smaller number comes first");
      good = false;
      return given;
    };
    read.files = interval("files", {});
    read.ranks = interval("ranks", {});
    read.within = interval("within", {.low = -width, .high = width});
    read.within_ranks = interval("within_ranks", {.low = part.ranks, .high = part.ranks});
    if (!good) return;
    if (read.files == Interval{} && read.ranks == Interval{}) {
      findings_.error(shift, "a shift moves by files or ranks: shift = { files = [ -1, 1 ] }");
      return;
    }
    const auto require_within = [&](int begin, Interval within, const std::string& what) {
      if (begin < within.low || begin > within.high)
        findings_.error(shift, "the part begins at " + std::to_string(begin) + what +
                                   std::to_string(within.low) + " to " +
                                   std::to_string(within.high));
    };
    require_within(part.files, read.within, " files, which is not within ");
    require_within(part.ranks, read.within_ranks, " ranks, which is not within_ranks ");
    if (read.control.uses != 0) part.shift = read;
  }

  // ----------------------------------------------------------------------------------------
  // sectors

  void read_sectors(const TomlValue* table) {
    const auto size = table != nullptr ? pair_of(*table, "size") : std::nullopt;
    if (!size) return;
    const int width = zones_.columns();
    const int height = zones_.rows();
    if (width % size->low != 0 || height % size->high != 0 || !is_full_rectangle() ||
        board_.levels.count > 1 || is_slanted() || !board_.parts.empty()) {
      findings_.error(*table, "sectors of " + by_text(size->low, size->high) +
                                  " need a rectangle of squares that they cover exactly, without "
                                  "parts and levels; this board has " +
                                  by_text(width, height) + " cells" +
                                  (is_full_rectangle() ? "" : ", not all of them squares"));
      return;
    }
    Sectors sectors;
    sectors.width = size->low;
    sectors.height = size->high;
    sectors.columns = width / size->low;
    for (int row = 0; row < height; row += sectors.height)
      for (int column = 0; column < width; column += sectors.width) {
        std::vector<Square>& area = sectors.areas.emplace_back();
        for (int r = row; r < row + sectors.height; ++r)
          for (int c = column; c < column + sectors.width; ++c)
            area.push_back(zones_.at({.row = r, .column = c}));
      }
    if (const TomlValue* gaps = table->find("gaps"); gaps != nullptr && gaps->is_text())
      read_gaps(*gaps, sectors);
    if (const TomlValue* slide = table_of(*table, "slide")) {
      Sectors::Slide read;
      read.control = read_control(*slide, "board.sectors.slide", When::Instead);
      read.far = whole_of(*slide, "far").value_or(1);
      read.push = whole_of(*slide, "push").value_or(1);
      if (sectors.gaps.empty())
        findings_.error(*slide, "nothing can slide without a gap: gaps = \"BII\"");
      if (read.control.uses != 0) sectors.slide = read;
    }
    board_.sectors = std::move(sectors);
  }

  void read_gaps(const TomlValue& gaps, Sectors& sectors) {
    std::vector<std::string> names;
    for (std::size_t area = 0; area < sectors.areas.size(); ++area)
      names.push_back(sectors.area_name(static_cast<int>(area)));
    for (const std::string_view word : words_of(gaps.text, " ,+")) {
      const auto found = std::ranges::find(names, word);
      const auto area = static_cast<int>(found - names.begin());
      if (found == names.end())
        findings_.error(gaps, quote(word) + " is no area: areas are AI to " + names.back() +
                                  ", a letter for the column and a Roman number for the row, as in "
                                  "gaps = \"BII\"");
      else if (std::ranges::find(sectors.gaps, area) != sectors.gaps.end())
        findings_.error(gaps, "gaps has " + printable(word, 10) + " twice");
      else
        sectors.gaps.push_back(area);
    }
    std::ranges::sort(sectors.gaps);
    if (sectors.gaps.size() == sectors.areas.size())
      findings_.error(gaps, "every area is a gap: where is the board?");
  }

  // -----------------------------------------------------------------------------------------
  // levels

  void read_holes(const TomlValue* table) {
    if (table == nullptr) return;
    board_.levels.lost = truth_of(*table, "lost").value_or(false);
    const TomlValue* hole = table->find("hole");
    const TomlValue* below = table->find("below");
    if (hole == nullptr) {
      if (below != nullptr)
        findings_.error(*below,
                        "below says what lies under a hole, and there is no hole: hole = "
                        "\"c3-f6\"");
      return;
    }
    const std::string wrong = add_holes(*hole, below);
    if (!wrong.empty()) findings_.error(*hole, wrong);
  }

  /// What is wrong with the hole, or "".
  std::string add_holes(const TomlValue& hole, const TomlValue* below) {
    if (is_slanted() || !is_full_rectangle())
      return "holes need levels that are rectangles of squares";
    std::optional<SquareSet> squares = zone(hole);
    if (!squares) return "";
    std::vector<Square> holes;  // of one level
    for (int s = 0; s < board_.all_squares(); ++s) {
      if (s >= board_.squares) squares->reset(at(s));
      if ((*squares)[at(s)]) holes.push_back(static_cast<Square>(s));
    }
    if (holes.empty()) return "the hole has no squares; leave hole out";
    if (below == nullptr)
      return "what lies under each square of the hole? below = [ 2, 2 ], or below = \"all\"";
    const int width = zones_.columns();
    const int height = zones_.rows();
    Zones::Box box{.row = 0, .column = 0, .width = 1, .height = 1};
    Interval each{.low = width, .high = height};
    if (below->is_list()) {
      each = {.low = static_cast<int>(below->items[0].whole),
              .high = static_cast<int>(below->items[1].whole)};
      box = zones_.box(*squares);
      const std::string name = "hole " + printable(hole.text, 20);
      if (holes.size() != at(box.width * box.height))
        return name +
               " is no rectangle, so that it is not clear what lies under which square: below = "
               "\"all\"";
      if (box.width * each.low != width || box.height * each.high != height)
        return name + " has " + by_text(box.width, box.height) + " squares, " +
               by_text(each.low, each.high) + " below each make " +
               by_text(box.width * each.low, box.height * each.high) + ", but a level has " +
               by_text(width, height) + ". " +
               (width % each.low == 0 && height % each.high == 0
                    ? "A hole of " + by_text(width / each.low, height / each.high) +
                          " fits (below = [" + std::to_string(each.low) + ", " +
                          std::to_string(each.high) + "]), or"
                    : "Write") +
               " below = \"all\".";
    } else if (!below->is_text()) {
      return "";
    }
    board_.levels.below.resize(at(board_.squares));
    for (const Square over : holes) {
      const Zones::Place p = zones_.place(over);
      const int first_row = below->is_list() ? (p.row - box.row) * each.high : 0;
      const int first_column = below->is_list() ? (p.column - box.column) * each.low : 0;
      for (int row = first_row; row < first_row + each.high; ++row)
        for (int column = first_column; column < first_column + each.low; ++column)
          board_.levels.below[over].push_back(zones_.at({.row = row, .column = column}));
    }
    return "";
  }

  const MergedFile& file_;
  const Zones& zones_;
  Board& board_;
  Findings& findings_;
  std::vector<std::pair<const TomlValue*, int>> belts_;  // where each is, and its number there
};

}  // namespace

void read_movements(const TomlValue& table, const MergedFile& file, const Zones& zones,
                    Board& board, Findings& findings) {
  MovementReader(file, zones, board, findings).read(table);
}

int part_of(const Board& board, Square square) {
  int part = 0;
  for (std::size_t i = 0; i < board.parts.size(); ++i)
    if (board.parts[i].squares[square]) part = static_cast<int>(i) + 1;
  return part;
}

Zones::Place start_place(const Board& board, const Zones& zones, Square square) {
  Zones::Place place = zones.place(square);
  if (const int part = part_of(board, square); part > 0) {
    place.column += board.parts[at(part - 1)].files;
    place.row += board.parts[at(part - 1)].ranks;
  }
  return place;
}

SquareSet covered_squares(const Board& board, const Zones& zones) {
  SquareSet covered;
  // Later parts cover earlier ones, and all of them what is in no part.
  std::map<std::pair<int, int>, Square> top;
  for (int s = 0; s < board.squares && !board.parts.empty(); ++s) {
    auto square = static_cast<Square>(s);
    const Zones::Place p = start_place(board, zones, square);
    const auto [entry, is_new] = top.try_emplace({p.column, p.row}, square);
    if (is_new) continue;
    if (part_of(board, square) > part_of(board, entry->second)) std::swap(square, entry->second);
    for (int level = 0; level < board.levels.count; ++level)
      covered.set(at(level * board.squares) + square);
  }
  return covered;
}

}  // namespace faultline::data
