// Game files made up at random: boards, pieces, zones, devices, rules and ends, which fit together
// by construction. They are valid but for what only playing can tell: a side may be in check at the
// start, and a leg may be of no use.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace faultline::test {

class RandomGameFile {
 public:
  /// `is_plain`: without what Fairy-Stockfish has no words for.
  explicit RandomGameFile(std::uint64_t seed, bool is_plain = false)
      : rng_(seed), is_plain_(is_plain) {}

  std::string text() {
    choose_board();
    choose_army();
    choose_devices();
    std::string text = "format = 1\nname = \"random\"\n\n" + board() + pieces();
    if (has_hands_) text += hands();
    return text + rules() + start() + ends();
  }

 private:
  int below(int n) { return static_cast<int>(rng_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool by_chance(int one_in) { return below(one_in) == 0; }
  template <class T>
  const T& any_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  static std::string name(int x, int y) {
    return std::string(1, static_cast<char>('a' + x)) + std::to_string(y + 1);
  }
  static std::string first_ranks(int n) {
    std::string text = "rank 1";
    for (int y = 2; y <= n; ++y)
      text += ", rank " + number(y);
    return text;
  }
  static std::string number(int n) { return std::to_string(n); }

  // Board: pieces on the first two rows of either side, at least two empty rows between.
  void choose_board() {
    files_ = between(5, 10);
    ranks_ = between(6, is_plain_ ? 10 : 9);
    if (is_plain_) {
      files_ = between(5, 12);
      turned_ = by_chance(2);
      return;
    }
    turned_ = by_chance(4);
    wraps_ = by_chance(8);
    flies_ = by_chance(4);
    leaps_blocked_ = by_chance(6);
    if (by_chance(4))
      for (int n = between(1, 4); n > 0; --n) {
        const std::pair<int, int> square{below(files_), between(2, ranks_ - 3)};
        (by_chance(2) ? voids_ : barriers_).insert(square);
        (voids_.contains(square) ? barriers_ : voids_).erase(square);
      }
  }
  bool is_square(int x, int y) const {
    return !voids_.contains({x, y}) && !barriers_.contains({x, y});
  }
  static std::string zone(const std::set<std::pair<int, int>>& squares) {
    std::string text;
    for (const auto& [x, y] : squares)
      text += (text.empty() ? "" : ", ") + name(x, y);
    return text;
  }

  std::string board() {
    std::string text = "[board]\nfiles = " + number(files_) + "\nranks = " + number(ranks_) + "\n";
    if (turned_) text += "mirror = \"turn\"\n";
    if (wraps_) text += "wrap = \"files\"\n";
    if (flies_) text += "riders = \"fly over void\"\n";
    if (leaps_blocked_) text += "leaps = \"not over void\"\n";
    if (!voids_.empty()) text += "void = \"" + zone(voids_) + "\"\n";
    if (!barriers_.empty()) text += "barrier = \"" + zone(barriers_) + "\"\n";
    return text + belts_ + part_ + sectors_ + levels_ + "\n";
  }

  // Devices.
  void choose_devices() {
    if (is_plain_) {
      has_hands_ = by_chance(4);
      return;
    }
    const bool is_plain = voids_.empty() && barriers_.empty();
    if (by_chance(3))
      for (int n = between(1, 3); n > 0; --n)
        belts_ += belt();
    carries_ = !belts_.empty();
    const int other = below(5);
    if (other == 0 && is_plain && !wraps_) part_ = part();
    if (other == 1 && is_plain && files_ % 2 == 0 && ranks_ % 2 == 0 && belts_.empty())
      sectors_ = sectors();
    if (other == 2 && is_plain && belts_.empty() && !turned_) levels_ = levels();
    has_hands_ = other == 3;
  }

  std::string control(bool can_be_set_off) {
    std::string text;
    const int kind = can_be_set_off ? below(6) : 5;
    if (kind == 0) return "when = \"entered\"";
    if (kind == 1) return "when = \"left or entered\"";
    if (kind == 2) return "when = \"every " + number(between(2, 5)) + "\"";
    if (kind <= 4) return "when = \"left\"";
    text = "when = \"instead\"\nwho = \"" + any_of<std::string>({"any", "own", "majority"}) + "\"";
    if (by_chance(2)) text += "\nundo = false";
    return text;
  }

  std::string belt() {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const int x0 = below(files_ - 1);
      const int y0 = below(ranks_ - 1);
      const int x1 = between(x0 + 1, std::min(files_ - 1, x0 + 4));
      const int y1 = between(y0 + 1, std::min(ranks_ - 1, y0 + 4));
      std::vector<std::pair<int, int>> ring;
      for (int x = x0; x < x1; ++x)
        ring.emplace_back(x, y0);
      for (int y = y0; y < y1; ++y)
        ring.emplace_back(x1, y);
      for (int x = x1; x > x0; --x)
        ring.emplace_back(x, y1);
      for (int y = y1; y > y0; --y)
        ring.emplace_back(x0, y);
      if (by_chance(2)) std::reverse(ring.begin(), ring.end());
      if (by_chance(3)) ring.resize(std::max<std::size_t>(2, ring.size() / 2));
      std::string squares;
      bool all_exist = true;
      for (const auto& [x, y] : ring) {
        all_exist &= is_square(x, y);
        squares += (squares.empty() ? "" : " ") + name(x, y);
      }
      if (!all_exist) continue;
      const std::string controls = control(true);
      std::string text = "[[board.belt]]\nsquares = \"" + squares + "\"\n";
      text += controls;
      text += '\n';
      const bool two_steps = by_chance(4) && ring.size() > 2;
      if (two_steps) text += "steps = 2\n";
      // Half a turn is the same either way.
      if (controls.find("instead") != std::string::npos && ring.size() != (two_steps ? 4U : 2U) &&
          by_chance(2))
        text += "ways = \"both\"\n";
      return text;
    }
    return "";
  }

  std::string part() {
    const int rows = between(3, ranks_ - 3);
    const int dy = rows < ranks_ - 3 ? below(2) : 0;
    const std::string squares = first_ranks(rows);
    const int dx = between(-2, 2);
    for (int x = 0; dy > 0 && x < files_; ++x)
      if (x >= dx && x < files_ + dx) gaps_.insert({x, rows});  // covered
    std::string text = "[[board.part]]\nsquares = \"" + squares + "\"\nat = [" + number(dx) + ", " +
                       number(dy) + "]\n";
    if (by_chance(3)) return text;
    const int by = between(1, 2);
    text += "shift = { files = [-" + number(by) + ", " + number(by) + "], within = [-3, 3]";
    if (by_chance(3))
      text += ", ranks = [-1, 1], within_ranks = [0, " + number(std::max(1, dy)) + "]";
    const int limit = below(3);
    if (limit == 0) text += ", uses = " + number(between(1, 3));
    if (limit == 1) text += ", pause = " + number(between(1, 4));
    if (by_chance(2)) text += ", undo = false";
    return text + " }\n";
  }

  std::string sectors() {
    const int columns = files_ / 2;
    const int rows = (ranks_ - 4) / 2;  // of areas between the armies
    static const std::array<std::string, 4> roman{"II", "III", "IV", "V"};
    std::set<std::string> gaps;
    for (int n = between(1, 2); n > 0; --n) {
      const int column = below(columns);
      const int row = below(rows);
      gaps.insert(std::string(1, static_cast<char>('A' + column)) +
                  roman[static_cast<std::size_t>(row)]);
      for (int x = 2 * column; x < 2 * column + 2; ++x)
        for (int y = 2 * row + 2; y < 2 * row + 4; ++y)
          gaps_.insert({x, y});
    }
    std::string names;
    for (const std::string& gap : gaps)
      names += (names.empty() ? "" : " ") + gap;
    carries_ = true;
    return "[board.sectors]\nsize = [2, 2]\ngaps = \"" + names + "\"\nslide = { who = \"" +
           any_of<std::string>({"any", "own", "majority"}) + "\", far = " + number(between(1, 2)) +
           ", push = " + number(between(1, 3)) + " }\n";
  }

  std::string levels() {
    level_count_ = between(2, 3);
    std::string text = "[board.levels]\ncount = " + number(level_count_) + "\n";
    if (by_chance(4)) return text;
    const int x = below(files_ - 1);
    const int y = between(2, ranks_ - 4);
    text += "hole = \"" + name(x, y) + "-" + name(x + 1, y + 1) + "\"\nbelow = " +
            (by_chance(3) || files_ % 2 + ranks_ % 2 > 0
                 ? "\"all\""
                 : "[" + number(files_ / 2) + ", " + number(ranks_ / 2) + "]") +
            "\n";
    std::string who;
    std::string same;
    for (const std::string& letter : letters_)
      if (letter != "K" && !by_chance(5)) {
        who += letter;
        if (by_chance(2)) same += letter;
      }
    if (who.empty()) who = "P";
    text += "descend = { who = \"" + who + "\"";
    if (!same.empty()) text += ", same = \"" + same + "\"";
    text += " }\n";
    if (by_chance(2)) text += "lost = true\n";
    return text;
  }

  // Pieces.
  std::string directions(char atom) {
    if (by_chance(2)) return "";
    if (atom == 'N' || atom == 'C' || atom == 'Z')
      return any_of<std::string>({"f", "fh", "fs", "b", "s", "v", "lv", "rb", "hl", "hr", "fl"});
    if (atom == 'F' || atom == 'A' || atom == 'B')
      return any_of<std::string>({"f", "b", "l", "frbl", "fr", "bl", "r"});
    return any_of<std::string>({"f", "s", "v", "fs", "b", "fb", "frl"});
  }
  std::string move_group() {
    if (is_plain_) return plain_move_group();
    const std::string modality = any_of<std::string>({"", "", "", "m", "c"});
    const int kind = below(12);
    if (kind == 0)
      return modality + any_of<std::string>({"[F?R]", "[W?B]", "[W-F]", "[F-W]", "[W?F?W]", "[F-R]",
                                             "[W?sR]", "[D?B]"});
    if (kind == 1) return modality + any_of<std::string>({"pR", "pB", "pQ", "gR", "gB", "gQ"});
    if (kind == 2) return modality + "n" + any_of<std::string>({"N", "A", "D", "Z", "C", "H"});
    if (kind == 3)
      return modality + any_of<std::string>({"NN", "DD", "AA", "N2", "D2", "C0", "W3", "F2"});
    if (kind == 4) return modality + any_of<std::string>({"(1,4)", "(2,4)", "(0,4)", "H", "G"});
    const char atom = any_of<char>({'W', 'F', 'D', 'N', 'A', 'C', 'Z', 'R', 'B', 'Q', 'R', 'B'});
    std::string text = modality + directions(atom) + atom;
    if ((atom == 'R' || atom == 'B' || atom == 'Q') && by_chance(3)) text += number(between(2, 4));
    return text;
  }

  std::string plain_move_group() {
    const std::string modality = any_of<std::string>({"", "", "", "m", "c"});
    const int kind = below(10);
    if (kind == 0) return modality + any_of<std::string>({"pR", "pB", "pQ", "gR", "gB", "gQ"});
    if (kind == 1) return modality + "n" + any_of<std::string>({"N", "A", "D"});
    if (kind == 2) return modality + any_of<std::string>({"NN", "N2", "W3", "F2", "H", "G"});
    const char atom = any_of<char>({'W', 'F', 'D', 'N', 'A', 'C', 'Z', 'R', 'B', 'Q', 'R', 'B'});
    std::string text = modality + directions(atom) + atom;
    if ((atom == 'R' || atom == 'B' || atom == 'Q') && by_chance(3)) text += number(between(2, 4));
    return text;
  }

  void choose_army() {
    letters_ = {"K", "P", "R"};
    moves_ = {"K", "", "R"};
    const std::string more = "ABCDEGHLMNQ";
    std::set<char> chosen;
    for (int n = between(2, 4); n > 0; --n)
      chosen.insert(more[static_cast<std::size_t>(below(static_cast<int>(more.size())))]);
    for (const char c : chosen) {
      std::string moves = move_group();
      // The same letter twice would be another atom.
      const auto add = [&](const std::string& group) {
        if (group.front() != moves.back()) moves += group;
      };
      if (by_chance(2)) add(move_group());
      if (moves.front() == 'm' || moves.front() == 'c') add(any_of<std::string>({"W", "F"}));
      letters_.emplace_back(1, c);
      moves_.push_back(moves);
    }
    pawn_ = below(6);
    row_.assign(static_cast<std::size_t>(files_), "");
    for (std::string& letter : row_) {
      letter =
          letters_[static_cast<std::size_t>(between(2, static_cast<int>(letters_.size()) - 1))];
    }
    const int king = between(1, files_ - 2);
    row_[static_cast<std::size_t>(king)] = "K";
    if (by_chance(2)) row_.front() = row_.back() = "R";
  }

  std::string pieces() {
    static const std::array<std::string, 6> pawns{"fmWfceFifmnD", "fmFfceWifmnA",      "fmWfcF",
                                                  "fW",           "fmWfceFifmnDifmnH", "fsWceF"};
    castles_ = !wraps_ && by_chance(2);
    std::string text = "[pieces]\n";
    std::string promoted;
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      if (letters_[i] == "P") continue;
      if (letters_[i] != "K") promoted += letters_[i];
      if (letters_[i] == "K") {
        text += std::string("K = { moves = \"K") + (castles_ ? "O2" : "") + "\", royal = true }\n";
        continue;
      }
      if (is_plain_ && by_chance(5)) {
        text += letters_[i] + " = { moves = [ { moves = \"" + moves_[i] + "\", onto = \"" +
                first_ranks(between(ranks_ / 2, ranks_)) + "\" } ] }\n";
        continue;
      }
      const bool restricted = !is_plain_ && by_chance(5);
      text += letters_[i] + " = { moves = " +
              (restricted ? "[ \"W\", { moves = \"" + moves_[i] + "\", " + condition() + " } ]"
                          : "\"" + moves_[i] + "\"");
      if (!barriers_.empty() && by_chance(3)) text += ", crosses = \"barriers sideways\"";
      text += " }\n";
    }
    text += "[pieces.P]\npawn = true\nmoves = \"" + pawns[static_cast<std::size_t>(pawn_)] + "\"\n";
    if (pawns[static_cast<std::size_t>(pawn_)].find('i') != std::string::npos)
      text += "initial = \"rank 2" + std::string(by_chance(3) ? ", rank 1" : "") + "\"\n";
    text += "promotes = { on = \"rank " + number(ranks_);
    const bool early = by_chance(3);
    if (early) text += ", rank " + number(ranks_ - 1) + "\", must = \"rank " + number(ranks_);
    text += "\", to = \"" + promoted + "\"";
    if (by_chance(5)) text += ", stock = \"captured\"";
    if (!is_plain_ && by_chance(5)) text += ", leaving = true";
    if (carries_) text += ", carried = \"" + promoted.substr(0, 1) + "\"";
    return text + " }\n\n";
  }
  std::string condition() {
    switch (below(3)) {
      case 0:
        return "onto = \"" + first_ranks(between(ranks_ / 2, ranks_)) + "\"";
      case 1:
        return "from = \"rank 1, rank 2, rank 3\"";
      default:
        return by_chance(2) ? "takes = \"not K\"" : "takes = \"KP\"";
    }
  }

  std::string hands() {
    std::string text = "[hands]\ncaptured = \"to hand\"\n";
    if (!is_plain_ && by_chance(4)) return text + '\n';
    text += "P = { onto = \"" +
            (is_plain_ ? "a2-" + name(files_ - 1, ranks_ - 2)
                       : first_ranks(ranks_ - (by_chance(3) ? 0 : 1))) +
            "\"";
    if (is_plain_) return text + " }\n\n";
    if (by_chance(2)) text += ", a_file = " + number(between(1, 2));
    if (by_chance(3)) text += ", mate = false";
    return text + " }\n\n";
  }

  // Rules, start and ends.
  std::string rules() {
    if (!by_chance(5)) return "";
    return "[rules]\n" +
           any_of<std::string>({"capture_forced = true", "checks_forbidden = true",
                                "checks_forbidden = \"unless mate\""}) +
           "\n\n";
  }

  /// The right to castle of one side, its row as it stands.
  std::string rights(const std::vector<std::string>& row) const {
    const auto king = static_cast<int>(std::find(row.begin(), row.end(), "K") - row.begin());
    std::string text;
    if (king + 2 < files_ && std::find(row.begin() + king, row.end(), "R") != row.end())
      text += "K";
    if (king - 2 >= 0 && std::find(row.begin(), row.begin() + king, "R") != row.begin() + king)
      text += "Q";
    return text;
  }
  std::string start() {
    std::vector<std::string> black = row_;
    if (turned_) std::reverse(black.begin(), black.end());
    const auto joined = [](const std::vector<std::string>& row) {
      std::string text;
      for (const std::string& letter : row)
        text += letter;
      return text;
    };
    const auto lower = [](std::string text) {
      for (char& c : text)
        c = static_cast<char>(c - 'A' + 'a');
      return text;
    };
    std::string level = lower(joined(black)) + "/" + std::string(row_.size(), 'p');
    for (int y = ranks_ - 3; y >= 2; --y) {
      level += '/';
      int empty = 0;
      for (int x = 0; x <= files_; ++x) {
        const bool is_gap = gaps_.contains({x, y});
        if (x < files_ && !is_gap) {
          empty += is_square(x, y) ? 1 : 0;
          continue;
        }
        if (empty > 0) level += number(empty);
        empty = 0;
        if (is_gap) level += '*';
      }
    }
    level += "/" + std::string(row_.size(), 'P') + "/" + joined(row_);
    std::string castling = castles_ ? rights(row_) + lower(rights(black)) : "";
    if (castling.empty()) castling = "-";
    std::string pieces = level;
    std::string all_rights = castling;
    for (int l = 1; l < level_count_; ++l) {
      pieces += "|" + level;
      all_rights += "|" + castling;
    }
    return "[start]\nfen = \"" + pieces + (has_hands_ ? "[]" : "") + " w " + all_rights +
           " - 0 1\"\n\n";
  }

  std::string ends() {
    std::string text = "[ends]\nplies = 60\nrepetition = 3\n";
    if (by_chance(3)) text += "stalemate = \"" + any_of<std::string>({"loss", "win"}) + "\"\n";
    switch (below(6)) {
      case 0:
        text += "checks = " + number(between(2, 4)) + "\n";
        break;
      case 1:
        text += "reach = { piece = \"K\", zone = \"rank " + number(ranks_) +
                "\", reply = " + (by_chance(2) ? "true" : "false") + " }\n";
        break;
      case 2:
        text += "extinct = { any = \"P\" }\n";
        break;
      default:
        break;
    }
    return text;
  }

  std::mt19937_64 rng_;
  bool is_plain_;
  int files_ = 8;
  int ranks_ = 8;
  bool turned_ = false, wraps_ = false, flies_ = false, leaps_blocked_ = false;
  std::set<std::pair<int, int>> voids_, barriers_, gaps_;
  std::string belts_, part_, sectors_, levels_;
  int level_count_ = 1;
  bool carries_ = false, has_hands_ = false, castles_ = false;
  std::vector<std::string> letters_, moves_, row_;
  int pawn_ = 0;
};

/// A different one for every seed.
inline std::string random_game_file(std::uint64_t seed, bool is_plain = false) {
  return RandomGameFile(seed, is_plain).text();
}

}  // namespace faultline::test
