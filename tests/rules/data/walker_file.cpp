// Game files as the walker reads them. It checks little: that is the loader's business.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <stdexcept>

#include <toml++/toml.h>

#include "tests/rules/data/walker.h"

namespace faultline::walker {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error(why);
}

// --- Files and their bases ----------------------------------------------------------------------

toml::table without_shorthand(toml::table file) {
  if (toml::table* pieces = file["pieces"].as_table())
    for (auto&& [key, value] : *pieces) {
      const auto text = value.value<std::string>();
      const bool is_moves = (text && *text != "none") || value.is_array();
      if (!is_moves) continue;
      toml::table table;
      if (value.is_array())
        table.insert("moves", *value.as_array());
      else
        table.insert("moves", *text);
      pieces->insert_or_assign(key.str(), table);
    }
  return file;
}

void merge(toml::table& into, const toml::table& from) {
  for (auto&& [key, value] : from) {
    const std::string name(key.str());
    if (value.value<std::string>() == "none") {
      into.erase(name);
      continue;
    }
    if (name == "rows") into.erase("files"), into.erase("ranks");
    if (name == "files" || name == "ranks") into.erase("rows");
    toml::table* there = into[name].as_table();
    if (there && value.is_table())
      merge(*there, *value.as_table());
    else
      value.visit([&](auto&& v) { into.insert_or_assign(name, v); });
  }
}

/// A file that several bases have in common is merged once.
toml::table with_bases(const std::string& text, const std::string& folder,
                       std::set<std::string>& done) {
  toml::table own = without_shorthand(toml::parse(text));
  std::vector<std::string> bases;
  if (const auto one = own["base"].value<std::string>()) bases.push_back(*one);
  if (const toml::array* list = own["base"].as_array())
    for (auto&& base : *list)
      bases.push_back(base.value_or(std::string()));
  toml::table merged;
  for (const std::string& base : bases) {
    if (!done.insert(base).second) continue;
    const std::filesystem::path file = std::filesystem::path(folder) / (base + ".toml");
    std::ifstream in(file);
    if (!in) fail("no base " + file.string());
    std::stringstream content;
    content << in.rdbuf();
    merge(merged, with_bases(content.str(), folder, done));
  }
  merge(merged, own);
  return merged;
}

// --- The structure ------------------------------------------------------------------------------

std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (separators.find(c) == std::string::npos)
      parts.back() += c;
    else if (!parts.back().empty())
      parts.emplace_back();
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

using Node = toml::node_view<const toml::node>;

/// A table of which every key must be asked for.
class Keys {
 public:
  Keys(const toml::table* table, std::string where) : table_(table), where_(std::move(where)) {}
  explicit operator bool() const { return table_ != nullptr; }
  Node operator[](const std::string& key) {
    known_.insert(key);
    return table_ ? Node((*table_)[key]) : Node();
  }
  Keys table(const std::string& key) {
    const Node node = (*this)[key];
    return {node.as_table(), where_ + "." + key};
  }
  void all_known() const {
    if (table_)
      for (auto&& [key, value] : *table_)
        if (!known_.contains(std::string(key.str())))
          fail("unknown key " + where_ + "." + std::string(key.str()));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    if (table_)
      for (auto&& [key, value] : *table_)
        all.emplace_back(key.str());
    return all;
  }

 private:
  const toml::table* table_;
  std::string where_;
  std::set<std::string> known_;
};

class Builder {
 public:
  Builder(const toml::table& file, Game& game) : file_(file), g_(game) {}

  void build() {
    Keys top(&file_, "game");
    for (const char* key : {"format", "title", "inventor", "summary", "base", "year", "source"})
      top[key];
    g_.name = top["name"].value_or(std::string());
    Keys board = top.table("board");
    if (board) g_.levels.count = board.table("levels")["count"].value_or(1);
    read_cells(board);
    Keys pieces = top.table("pieces");
    for (const std::string& letter : pieces.names()) {
      Type type;
      type.letter = letter;
      g_.types.push_back(type);
    }
    Keys start = top.table("start");
    read_starts(start["fen"]);
    start.all_known();
    for (int t = 0; t < size_of(g_.types); ++t)
      read_type(t, pieces.table(at(g_.types, t).letter));
    read_devices(board);
    board.all_known();
    Keys hands = top.table("hands");
    if (hands) read_hands(hands);
    read_rules(top.table("rules"));
    read_ends(top.table("ends"));
    top.all_known();
    find_rights();
  }

 private:
  // Board.
  void read_cells(Keys& board) {
    if (const toml::array* rows = board["rows"].as_array()) {
      for (auto&& row : *rows) {
        std::string cells = row.value_or(std::string());
        const toml::array* foot = nullptr;
        if (const toml::table* table = row.as_table()) {
          cells = (*table)["cells"].value_or(std::string());
          foot = (*table)["foot"].as_array();
        }
        std::vector<BoardCell> line;
        for (const std::string& name : split(cells, " ")) {
          BoardCell cell;
          cell.name = name;
          cell.foot = static_cast<double>(line.size());
          if (foot) {
            g_.has_feet = true;
            cell.foot = foot->get(line.size())->value_or(0.0);
          }
          line.push_back(cell);
        }
        for (BoardCell& cell : line)
          cell.foot_end = cell.foot + 1;
        g_.rows.insert(g_.rows.begin(), line);
      }
      board["files"], board["ranks"];
    } else {
      const int files = board["files"].value_or(8);
      const int ranks = board["ranks"].value_or(8);
      for (int y = 0; y < ranks; ++y) {
        std::vector<BoardCell> line;
        for (int x = 0; x < files; ++x) {
          BoardCell cell;
          cell.name = std::string(1, static_cast<char>('a' + x)) + std::to_string(y + 1);
          cell.foot = x;
          cell.foot_end = x + 1;
          line.push_back(cell);
        }
        g_.rows.push_back(line);
      }
    }
    number_squares();
    g_.turned_mirror = board["mirror"].value_or(std::string("flip")) == "turn";
    for (const auto& [key, sign] : {std::pair{"void", "."}, {"barrier", "#"}}) {
      const Zone zone = zone_of(board[key], true, true);
      if (zone.empty()) continue;
      for (auto& row : g_.rows)
        for (BoardCell& cell : row)
          if (cell.square >= 0 && at(zone, cell.square)) cell.name = sign;
    }
    number_squares();
    const std::string wrap = board["wrap"].value_or(std::string());
    g_.wraps_files = wrap == "files" || wrap == "both";
    g_.wraps_ranks = wrap == "ranks" || wrap == "both";
    g_.riders_fly = board["riders"].value_or(std::string()) == "fly over void";
    g_.leaps_cross_void = board["leaps"].value_or(std::string()) != "not over void";
    const auto read_links = [&](const char* key, std::vector<Game::Link>& into) {
      static const std::array<std::string, 8> ways{"n", "ne", "e", "se", "s", "sw", "w", "nw"};
      if (const toml::array* list = board[key].as_array())
        for (auto&& entry : *list) {
          const toml::table& t = *entry.as_table();
          const std::string way = t["way"].value_or(std::string());
          const int w = static_cast<int>(std::find(ways.begin(), ways.end(), way) - ways.begin());
          into.push_back({named(t["from"].value_or(std::string())),
                          named(t["to"].value_or(std::string())), w == 8 ? -1 : w});
        }
    };
    read_links("links", g_.links);
    read_links("cuts", g_.cuts);
  }

  void number_squares() {
    g_.squares.clear();
    g_.columns = 0;
    for (std::size_t y = 0; y < g_.rows.size(); ++y) {
      g_.columns = std::max(g_.columns, size_of(g_.rows[y]));
      for (std::size_t x = 0; x < g_.rows[y].size(); ++x) {
        BoardCell& cell = g_.rows[y][x];
        cell.square = -1;
        if (cell.name == "#" || cell.name == ".") continue;
        cell.square = g_.level_size();
        g_.squares.push_back({cell.name, static_cast<int>(x), static_cast<int>(y)});
      }
    }
  }

  int named(const std::string& name) const {
    const int s = g_.find_square(name);
    if (s < 0) fail("no square '" + name + "'");
    return s;
  }

  // Zones.
  static std::string text_of(const Node& node) {
    if (const auto text = node.value<std::string>()) return *text;
    std::string joined;
    if (const toml::array* list = node.as_array())
      for (auto&& item : *list)
        joined += item.value_or(std::string()) + ",";
    return joined;
  }
  /// Empty where the key is not there. White's, or what the owner's side makes of it.
  Zone zone_of(const Node& node, bool white, bool absolute) const {
    if (!node) return {};
    return zone_of_text(text_of(node), white, absolute);
  }
  Zone zone_of_text(const std::string& text, bool white, bool absolute) const {
    Zone zone(static_cast<std::size_t>(g_.all_squares()), 0);
    const int n = g_.level_size();
    const auto put = [&](int level, auto&& belongs) {
      for (int s = 0; s < size_of(zone); ++s)
        if ((level < 0 || s / n == level) && belongs(at(g_.squares, s % n))) at(zone, s) = 1;
    };
    for (const std::string& item : split(text, ",")) {
      const std::string part = trimmed(item);
      if (part.starts_with("rank ")) {
        put(-1, [&](const Game::Square& q) { return q.y == std::stoi(part.substr(5)) - 1; });
        continue;
      }
      if (part.starts_with("file ")) {
        put(-1, [&](const Game::Square& q) {
          return q.name.substr(0, q.name.find_first_of("0123456789")) == part.substr(5);
        });
        continue;
      }
      for (const std::string& word : split(part, " ")) {
        if (word == "nowhere") continue;
        const std::size_t dash = word.find('-');
        const auto [level, first] = place_of(word.substr(0, dash));
        const Game::Square& one = at(g_.squares, first);
        const Game::Square& other = dash == std::string::npos
                                        ? one
                                        : at(g_.squares, place_of(word.substr(dash + 1)).second);
        const auto [x0, x1] = std::minmax(one.x, other.x);
        const auto [y0, y1] = std::minmax(one.y, other.y);
        put(level, [&, xl = x0, xh = x1, yl = y0, yh = y1](const Game::Square& q) {
          return q.x >= xl && q.x <= xh && q.y >= yl && q.y <= yh;
        });
      }
    }
    if (white || absolute) return zone;
    Zone turned(zone.size(), 0);
    for (int s = 0; s < size_of(zone); ++s)
      if (const int there = g_.mirrored(s % n); at(zone, s) && there >= 0)
        at(turned, s / n * n + there) = 1;
    return turned;
  }
  /// The level, -1 for all, and the square in it.
  std::pair<int, int> place_of(const std::string& name) const {
    if (!name.empty() && name[0] >= '1' && name[0] <= '9')
      return {name[0] - '1', named(name.substr(1))};
    return {-1, named(name)};
  }

  // Pieces.
  std::vector<char> types_of(const std::string& text) const {
    std::vector<char> chosen(g_.types.size(), 0);
    const bool inverted = text.starts_with("not ");
    for (const int t : letters_of(inverted ? text.substr(4) : text))
      at(chosen, t) = 1;
    if (text == "*") std::ranges::fill(chosen, 1);
    if (inverted)
      for (char& c : chosen)
        c = c ? 0 : 1;
    return chosen;
  }
  std::vector<int> letters_of(const std::string& text) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ' || text[i] == ',' || text[i] == '*') continue;
      std::string letter(1, text[i]);
      if (text[i] == '+') letter += text[++i];
      const int t = g_.find_type(letter);
      if (t < 0) fail("no piece '" + letter + "'");
      found.push_back(t);
    }
    return found;
  }

  void read_type(int t, Keys piece) {
    Type& type = at(g_.types, t);
    for (const char* key : {"name", "drawing"})
      piece[key];
    std::array<Keys, 2> own{piece.table("white"), piece.table("black")};
    for (const int side : {0, 1}) {
      Kind& kind = at(type.kinds, side);
      const bool white = side == 0;
      bool absolute = false;
      const auto get = [&](const char* key) {
        const Node shared = piece[key];
        const Node special = at(own, side)[key];
        absolute = static_cast<bool>(special);
        return absolute ? special : shared;
      };
      const Node initial = get("initial");
      kind.initial = zone_of(initial, white, absolute);
      kind.is_pawn = get("pawn").value_or(false);
      const Node royal = get("royal");
      if (royal.value<std::string>() == "one safe")
        kind.royal = Royal::OneSafe;
      else if (royal.value_or(false))
        kind.royal = Royal::Yes;
      kind.crosses_sideways = get("crosses").value_or(std::string()) == "barriers sideways";
      const Node moves = get("moves");
      read_moves(kind, moves, white, absolute);
      const Node castle = get("castle");
      if (const toml::array* list = castle.as_array()) {
        kind.castlings.clear();
        for (auto&& entry : *list)
          read_castling(kind, *entry.as_table(), white, absolute);
      }
      const Node promotes = get("promotes");
      if (const toml::array* list = promotes.as_array())
        for (auto&& entry : *list)
          read_promotion(kind, entry.as_table(), white, absolute);
      else if (promotes.is_table())
        read_promotion(kind, promotes.as_table(), white, absolute);
    }
    piece.all_known();
    for (Keys& k : own)
      k.all_known();
  }

  void read_moves(Kind& kind, const Node& moves, bool white, bool absolute) {
    const auto add = [&](const std::string& text, const toml::table* conditions) {
      for (Leg leg : parse_betza(text, kind.castlings)) {
        for (Segment& segment : leg.segments)
          for (Way& way : segment.ways)
            if (!white) mirror(way);
        if (conditions) {
          Keys keys(conditions, "moves");
          keys["moves"];
          leg.from = zone_of(keys["from"], white, absolute);
          leg.onto = zone_of(keys["onto"], white, absolute);
          if (const auto takes = keys["takes"].value<std::string>()) leg.takes = types_of(*takes);
          keys.all_known();
        }
        kind.legs.push_back(leg);
      }
    };
    if (const auto text = moves.value<std::string>()) add(*text, nullptr);
    if (const toml::array* list = moves.as_array())
      for (auto&& item : *list) {
        if (const auto text = item.value<std::string>())
          add(*text, nullptr);
        else
          add((*item.as_table())["moves"].value_or(std::string()), item.as_table());
      }
    for (Castling& castling : kind.castlings)
      if (castling.rook_type == -2) castling.rook_type = g_.find_type("R");
  }
  void mirror(Way& way) const {
    for (int* d : {&way.orthogonal, &way.diagonal})
      if (*d >= 0) *d = g_.turned_mirror ? (*d + 4) % 8 : (12 - *d) % 8;
  }

  void read_castling(Kind& kind, const toml::table& table, bool white, bool absolute) {
    Keys keys(&table, "castle");
    Castling castling;
    castling.king_to = zone_of(keys["king"], white, absolute);
    const std::string rook = keys["rook"].value_or(std::string());
    if (rook == "left" || rook == "right") {
      castling.side = rook == "left" ? -1 : 1;
      if (!white && !absolute && g_.turned_mirror) castling.side = -castling.side;
    } else {
      const int s = named(rook);
      castling.rook = white || absolute ? s : g_.mirrored(s);
    }
    keys.all_known();
    kind.castlings.push_back(castling);
  }

  void read_promotion(Kind& kind, const toml::table* table, bool white, bool absolute) {
    Keys keys(table, "promotes");
    Promotion p;
    p.on = zone_of(keys["on"], white, absolute);
    p.must = keys["must"] ? zone_of(keys["must"], white, absolute) : p.on;
    p.leaving = keys["leaving"].value_or(false);
    p.from_stock = keys["stock"].value_or(std::string()) == "captured";
    p.to = letters_of(text_of(keys["to"]));
    if (const auto carried = keys["carried"].value<std::string>())
      p.carried = letters_of(*carried).front();
    keys.all_known();
    kind.promotions.push_back(p);
  }

  // Devices.
  static Control read_control(Keys& keys, const std::string& when_else) {
    Control c;
    const std::string when = keys["when"].value_or(when_else);
    c.left = when == "left" || when == "left or entered";
    c.entered = when == "entered" || when == "left or entered";
    c.after = when == "after";
    c.instead = when == "instead";
    if (when.starts_with("every ")) c.every = std::stoi(when.substr(6));
    if (!c.left && !c.entered && !c.after && !c.instead && !c.every)
      fail("when = \"" + when + "\"");
    c.who = keys["who"].value_or(std::string("any"));
    c.uses = keys["uses"].value_or(-1);
    c.pause = keys["pause"].value_or(0);
    c.undo = keys["undo"].value_or(true);
    return c;
  }

  void read_devices(Keys& board) {
    if (const toml::array* list = board["belt"].as_array())
      for (auto&& entry : *list) {
        Keys keys(entry.as_table(), "board.belt");
        Belt belt;
        belt.name = keys["name"].value_or(std::string());
        if (const auto path = keys["squares"].value<std::string>()) {
          belt.cycles.emplace_back();
          for (const std::string& name : split(*path, ", ")) {
            const auto [level, square] = place_of(name);
            belt.level = level;
            belt.cycles.back().push_back(square);
          }
        }
        if (const auto quarter = keys["quarter"].value<std::string>()) turn_quarter(*quarter, belt);
        belt.steps = keys["steps"].value_or(1);
        belt.both_ways = keys["ways"].value_or(std::string()) == "both";
        belt.control = read_control(keys, "left");
        keys.all_known();
        g_.belts.push_back(belt);
      }
    if (const toml::array* list = board["part"].as_array())
      for (auto&& entry : *list) {
        Keys keys(entry.as_table(), "board.part");
        read_part(keys);
      }
    Keys sectors = board.table("sectors");
    if (sectors) read_sectors(sectors);
    Keys levels = board.table("levels");
    if (levels) read_levels(levels);
  }

  /// Clockwise, north up.
  void turn_quarter(const std::string& text, Belt& belt) const {
    const std::size_t dash = text.find('-');
    const auto [level, first] = place_of(text.substr(0, dash));
    belt.level = level;
    const Game::Square& one = at(g_.squares, first);
    const Game::Square& other = at(g_.squares, place_of(text.substr(dash + 1)).second);
    const int x0 = std::min(one.x, other.x);
    const int y0 = std::min(one.y, other.y);
    const int size = std::abs(one.x - other.x) + 1;
    std::set<std::pair<int, int>> done;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        std::vector<int> cycle;
        for (std::pair<int, int> p{x, y}; done.insert(p).second; p = {p.second, size - 1 - p.first})
          cycle.push_back(at(at(g_.rows, y0 + p.second), x0 + p.first).square);
        if (cycle.size() > 1) belt.cycles.push_back(cycle);
      }
  }

  static std::array<int, 2> pair_of(const Node& node, int low, int high) {
    const toml::array* list = node.as_array();
    if (!list) return {low, high};
    return {list->get(0)->value_or(0), list->get(1)->value_or(0)};
  }

  void read_part(Keys& keys) {
    Part part;
    part.name = keys["name"].value_or(std::string());
    part.squares = zone_of(keys["squares"], true, true);
    const auto displaced = pair_of(keys["at"], 0, 0);
    part.dx = displaced[0];
    part.dy = displaced[1];
    Keys shift = keys.table("shift");
    if (shift) {
      part.shifts = true;
      part.files = pair_of(shift["files"], 0, 0);
      part.ranks = pair_of(shift["ranks"], 0, 0);
      part.within = pair_of(shift["within"], -g_.columns, g_.columns);
      part.within_ranks = pair_of(shift["within_ranks"], part.dy, part.dy);
      part.control = read_control(shift, "instead");
      shift.all_known();
    }
    keys.all_known();
    g_.parts.push_back(part);
  }

  void read_sectors(Keys& keys) {
    const auto size = pair_of(keys["size"], 2, 2);
    g_.sectors.width = size[0];
    g_.sectors.height = size[1];
    for (const std::string& name : split(text_of(keys["gaps"]), ", +"))
      g_.sectors.gaps.push_back(area_of(name));
    Keys slide = keys.table("slide");
    if (slide) {
      g_.sectors.far = slide["far"].value_or(1);
      g_.sectors.push = slide["push"].value_or(1);
      g_.sectors.control = read_control(slide, "instead");
      slide.all_known();
    }
    keys.all_known();
  }
  int area_of(const std::string& name) const {
    const int columns = g_.columns / g_.sectors.width;
    static const std::array<std::string, 10> roman{"I",  "II",  "III",  "IV", "V",
                                                   "VI", "VII", "VIII", "IX", "X"};
    const auto row = std::find(roman.begin(), roman.end(), name.substr(1));
    return static_cast<int>(row - roman.begin()) * columns + (name[0] - 'A');
  }

  void read_levels(Keys& keys) {
    Levels& levels = g_.levels;
    levels.count = keys["count"].value_or(1);
    levels.hole = zone_of(keys["hole"], true, true);
    levels.below = pair_of(keys["below"], 0, 0);
    Keys descend = keys.table("descend");
    const auto types = [&](const Node& node) {
      return types_of(node ? text_of(node) : std::string());
    };
    levels.descends = types(descend["who"]);
    levels.same_colour = types(descend["same"]);
    descend.all_known();
    g_.has_levels = levels.count > 1;
    levels.lost = keys["lost"].value_or(false);
    keys.all_known();
  }

  // Hands.
  void read_hands(Keys& keys) {
    g_.has_hands = true;
    g_.captures_go_to_hand = keys["captured"].value_or(std::string("to hand")) == "to hand";
    Keys as = keys.table("as");
    for (int t = 0; t < size_of(g_.types); ++t) {
      Type& type = at(g_.types, t);
      type.in_hand = t;
      const std::string bare = type.letter.starts_with("+") ? type.letter.substr(1) : type.letter;
      type.in_hand = g_.find_type(as[type.letter].value_or(bare));
      if (type.in_hand >= 0)
        for (const Kind& kind : at(g_.types, type.in_hand).kinds)
          if (kind.royal != Royal::No) type.in_hand = -1;
      Keys drop = keys.table(type.letter);
      std::array<Keys, 2> own{drop.table("white"), drop.table("black")};
      for (const int side : {0, 1}) {
        Kind& kind = at(type.kinds, side);
        const auto get = [&](const char* key, bool& absolute) {
          const Node shared = drop[key];
          const Node special = at(own, side)[key];
          absolute = static_cast<bool>(special);
          return absolute ? special : shared;
        };
        bool absolute = false;
        const Node onto = get("onto", absolute);
        kind.drop_onto = zone_of(onto, side == 0, absolute);
        kind.drop_a_file = get("a_file", absolute).value_or(0);
        kind.drop_mates = get("mate", absolute).value_or(true);
      }
      drop.all_known();
      for (Keys& k : own)
        k.all_known();
    }
    as.all_known();
    keys.all_known();
  }

  // Rules and ends.
  void read_rules(Keys keys) {
    g_.capture_forced = keys["capture_forced"].value_or(false);
    const Node checks = keys["checks_forbidden"];
    g_.but_mates_allowed = checks.value<std::string>() == "unless mate";
    g_.checks_forbidden = g_.but_mates_allowed || checks.value_or(false);
    const Node explode = keys["explode"];
    g_.explodes = static_cast<bool>(explode);
    Keys explode_keys = keys.table("explode");
    g_.explosion_spares = types_of(explode_keys["spares"].value_or(std::string()));
    explode_keys.all_known();
    keys.all_known();
  }

  static Result result_of(const Node& node, Result otherwise) {
    const auto text = node.value<std::string>();
    if (!text) return otherwise;
    if (*text == "win") return Result::Win;
    if (*text == "loss") return Result::Loss;
    if (*text == "draw") return Result::Draw;
    return Result::None;
  }

  /// A table, or each of a list of tables.
  static std::vector<const toml::table*> tables_of(const Node& node) {
    std::vector<const toml::table*> tables;
    if (const toml::table* one = node.as_table()) tables.push_back(one);
    if (const toml::array* list = node.as_array())
      for (auto&& item : *list)
        tables.push_back(item.as_table());
    return tables;
  }

  void read_ends(Keys keys) {
    std::array<Keys, 2> own{keys.table("white"), keys.table("black")};
    for (const int side : {0, 1}) {
      Ends& ends = at(g_.ends, side);
      bool absolute = false;
      const auto get = [&](const char* key) {
        const Node shared = keys[key];
        const Node special = at(own, side)[key];
        absolute = static_cast<bool>(special);
        return absolute ? special : shared;
      };
      ends.checkmate = result_of(get("checkmate"), Result::Loss);
      ends.stalemate = result_of(get("stalemate"), Result::Draw);
      const Node bare = get("bare_king");
      Keys bare_keys(bare.as_table(), "bare_king");
      ends.bare_king = result_of(bare, Result::None);
      if (bare_keys) {
        ends.bare_king = result_of(bare_keys["result"], Result::Loss);
        ends.bare_king_reply = bare_keys["reply"].value_or(false);
      }
      bare_keys.all_known();
      for (const toml::table* table : tables_of(get("extinct"))) {
        Keys extinct(table, "extinct");
        Extinct e;
        if (const auto any = extinct["any"].value<std::string>()) e.any = types_of(*any);
        if (const auto all = extinct["all"].value<std::string>()) e.all = types_of(*all);
        e.result = result_of(extinct["result"], Result::Loss);
        extinct.all_known();
        ends.extinct.push_back(e);
      }
      for (const toml::table* table : tables_of(get("reach"))) {
        Keys reach(table, "reach");
        Reach r;
        r.types = types_of(reach["piece"].value_or(std::string()));
        r.zone = zone_of(reach["zone"], side == 0, absolute);
        r.reply = reach["reply"].value_or(false);
        r.result = result_of(reach["result"], Result::Win);
        reach.all_known();
        ends.reach.push_back(r);
      }
      ends.checks = get("checks").value_or(0);
    }
    g_.only_royals_draw = keys["only_royals"].value_or(std::string("draw")) == "draw";
    Keys repetition = keys.table("repetition");
    repetition["times"], repetition["result"];
    repetition.all_known();
    Keys plies = keys.table("plies");
    g_.plies = keys["plies"].value_or(plies["count"].value_or(0));
    g_.plies_result = result_of(plies["result"], Result::Draw);
    plies.all_known();
    keys["most_plies"];
    keys.all_known();
    for (Keys& k : own)
      k.all_known();
  }

  // The start.
  void read_starts(const Node& fen) {
    if (const auto one = fen.value<std::string>()) g_.starts.push_back(*one);
    if (const toml::array* list = fen.as_array())
      for (auto&& item : *list)
        g_.starts.push_back(item.value_or(std::string()));
    if (g_.starts.empty()) fail("start.fen is missing");
    g_.black_begins = split(g_.starts.front(), " ").at(1) == "b";
  }

  /// Where kings and rooks stand in the starts, and what the first one has.
  void find_rights() {
    for (const std::string& fen : g_.starts) {
      const State start(std::make_shared<Game>(g_), without_rights(fen));
      const auto levels = split(split(fen, " ").at(2), "|");
      for (int level = 0; level < size_of(levels); ++level)
        for (const char c : at(levels, level))
          if (c != '-') add_right(start, c, level);
    }
    const State start(std::make_shared<Game>(g_), without_rights(g_.starts.front()));
    start.for_each_piece([&](int, Piece p) {
      auto& counts = at(g_.start_counts, p.white ? 0 : 1);
      counts.resize(g_.types.size(), 0);
      ++at(counts, p.type);
    });
    for (auto& counts : g_.start_counts)
      counts.resize(g_.types.size(), 0);
  }
  /// A letter means the rook of the first way to castle that there is, and all ways with it.
  void add_right(const State& start, char letter, int level) {
    const bool white = std::isupper(static_cast<unsigned char>(letter)) != 0;
    const char capital = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    int rook = -1;
    for (Game::Right right : start.find_rights()) {
      const int x = at(g_.squares, right.rook % g_.level_size()).x;
      const bool is_meant = capital == 'K'   ? right.side > 0
                            : capital == 'Q' ? right.side < 0
                                             : capital == 'A' + x;
      if (!is_meant || right.white != white || right.king / g_.level_size() != level) continue;
      if (rook >= 0 && rook != right.rook) continue;
      rook = right.rook;
      right.letter = std::string(1, letter);
      g_.rights.push_back(right);
    }
  }
  static std::string without_rights(const std::string& fen) {
    auto fields = split(fen, " ");
    const std::size_t levels = split(fields.at(0), "|").size();
    fields[2] = "-";
    for (std::size_t l = 1; l < levels; ++l)
      fields[2] += "|-";
    std::string joined;
    for (const std::string& field : fields)
      joined += (joined.empty() ? "" : " ") + field;
    return joined;
  }

  const toml::table& file_;
  Game& g_;
};

}  // namespace

int Game::find_square(const std::string& square_name) const {
  for (int s = 0; s < level_size(); ++s)
    if (at(squares, s).name == square_name) return s;
  return -1;
}

int Game::find_type(const std::string& letter) const {
  for (int t = 0; t < size_of(types); ++t)
    if (at(types, t).letter == letter) return t;
  return -1;
}

int Game::mirrored(int square) const {
  const Square& s = at(squares, square);
  const int y = size_of(rows) - 1 - s.y;
  const int x = turned_mirror ? columns - 1 - s.x : s.x;
  const auto& row = at(rows, y);
  return x < size_of(row) ? at(row, x).square : -1;
}

const Geometry& Game::geometry(const std::vector<std::array<int, 2>>& displaced,
                               const std::set<int>& gaps) const {
  const auto [entry, is_new] = geometries_.try_emplace({displaced, gaps});
  Geometry& g = entry->second;
  if (!is_new) return g;

  // Where every square and barrier lies: later parts on top.
  std::map<std::pair<int, int>, Cell> places;
  std::map<std::pair<int, int>, const BoardCell*> shapes;
  int x_low = 0;
  int x_high = columns - 1;
  int y_low = 0;
  int y_high = size_of(rows) - 1;
  for (int part = -1; part < size_of(parts); ++part)
    for (int y = 0; y < size_of(rows); ++y)
      for (int x = 0; x < size_of(at(rows, y)); ++x) {
        const BoardCell& c = at(at(rows, y), x);
        int belongs = -1;
        for (int p = 0; p < size_of(parts); ++p)
          if (c.square >= 0 && at(at(parts, p).squares, c.square)) belongs = p;
        if (belongs != part || c.name == ".") continue;
        const bool is_gap =
            sectors.width > 0 && c.square >= 0 &&
            gaps.contains(y / sectors.height * (columns / sectors.width) + x / sectors.width);
        if (is_gap) continue;
        const int px = x + (part >= 0 ? at(displaced, part)[0] : 0);
        const int py = y + (part >= 0 ? at(displaced, part)[1] : 0);
        x_low = std::min(x_low, px), x_high = std::max(x_high, px);
        y_low = std::min(y_low, py), y_high = std::max(y_high, py);
        places[{px, py}] = Cell{c.square, c.name == "#", px, py};
        shapes[{px, py}] = &c;
      }
  g.cell_of.assign(squares.size(), -1);
  std::map<std::pair<int, int>, int> lying;
  for (int y = y_low; y <= y_high; ++y)
    for (int x = x_low; x <= x_high; ++x) {
      const auto found = places.find({x, y});
      lying[{x, y}] = size_of(g.cells);
      if (found != places.end() && found->second.square >= 0)
        at(g.cell_of, found->second.square) = size_of(g.cells);
      g.cells.push_back(found == places.end() ? Cell{-1, false, x, y} : found->second);
    }

  // Links by edges: a cell's upper edge is [x, x+1], its lower one begins at `foot`.
  const auto count = size_of(g.cells);
  g.links.resize(g.cells.size());
  const auto lower = [&](const Cell& c) {
    const auto shape = shapes.find({c.x, c.y});
    if (shape == shapes.end()) return std::pair<double, double>(c.x, c.x + 1);
    const BoardCell& b = *shape->second;
    const int base_x = b.square >= 0 ? at(squares, b.square).x : c.x;
    return std::pair(b.foot + c.x - base_x, b.foot_end + c.x - base_x);
  };
  const auto slanted_row = [&](int y) {
    for (const Cell& c : g.cells)
      if (c.y == y && lower(c).first != c.x) return true;
    return false;
  };
  const auto add = [&](int from, int way, int to) { at(at(g.links, from), way).push_back(to); };
  for (int from = 0; from < count; ++from) {
    const Cell& c = at(g.cells, from);
    for (int way = 0; way < 8; ++way) {
      const Direction d = at(kDirections, way);
      const bool across_feet = has_feet && d.dy != 0 && slanted_row(d.dy > 0 ? c.y + 1 : c.y);
      if (across_feet) continue;
      int x = c.x + d.dx;
      int y = c.y + d.dy;
      if (wraps_files) x = (x + columns) % columns;
      if (wraps_ranks) y = (y + size_of(rows)) % size_of(rows);
      const auto there = lying.find({x, y});
      if (there != lying.end()) add(from, way, there->second);
    }
  }
  if (has_feet)
    for (int up = 0; up < count; ++up)
      for (int down = 0; down < count; ++down) {
        const Cell& above = at(g.cells, up);
        const Cell& below = at(g.cells, down);
        // Only squares meet at a slanted edge.
        if (above.y != below.y + 1 || !slanted_row(above.y) || above.square < 0 || below.square < 0)
          continue;
        const auto [left, right] = lower(above);
        const double x0 = below.x;
        const double x1 = below.x + 1;
        if (std::min(right, x1) - std::max(left, x0) > 1e-9) {
          add(down, 0, up);
          add(up, 4, down);
        }
        if (left <= x1 && x1 < right) add(down, 1, up);  // its upper right corner
        if (left < x0 && x0 <= right) add(down, 7, up);
        if (x0 <= right && right < x1) add(up, 3, down);  // the lower right corner
        if (x0 < left && left <= x1) add(up, 5, down);
      }
  const auto cell_named = [&](int square) { return square < 0 ? -1 : at(g.cell_of, square); };
  for (const Link& cut : cuts) {
    const int from = cell_named(cut.from);
    const int to = cell_named(cut.to);
    for (int way = 0; way < 8; ++way) {
      if (from < 0 || to < 0 || (cut.way >= 0 && way != cut.way)) continue;
      std::erase(at(at(g.links, from), way), to);
      std::erase(at(at(g.links, to), (way + 4) % 8), from);
    }
  }
  for (const Link& link : links) {
    const int from = cell_named(link.from);
    const int to = cell_named(link.to);
    if (from < 0 || to < 0) continue;
    add(from, link.way, to);
    add(to, (link.way + 4) % 8, from);
  }
  g.links_back.resize(g.cells.size());
  for (int from = 0; from < count; ++from)
    for (int way = 0; way < 8; ++way)
      for (const int to : at(at(g.links, from), way))
        at(at(g.links_back, to), way).push_back(from);
  return g;
}

std::shared_ptr<const Game> parse_game(const std::string& text, const std::string& folder) {
  std::set<std::string> done;
  const toml::table merged = with_bases(text, folder, done);
  auto game = std::make_shared<Game>();
  Builder(merged, *game).build();
  return game;
}

std::shared_ptr<const Game> read_game(const std::string& path) {
  std::ifstream in(path);
  if (!in) fail("no file " + path);
  std::stringstream content;
  content << in.rdbuf();
  const std::size_t slash = path.find_last_of('/');
  try {
    return parse_game(content.str(), slash == std::string::npos ? "." : path.substr(0, slash));
  } catch (const std::exception& e) {
    fail(path + ": " + e.what());
  }
}

}  // namespace faultline::walker
