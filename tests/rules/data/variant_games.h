// The compiled families' variants as game files.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rules/variant.h"

namespace faultline::test {

/// The text of a game file that is the same game, with bases from the folder `games/`; with one
/// level of inferno, squares have other names.
class VariantGame {
 public:
  explicit VariantGame(const VariantName& name) : name_(name) {}

  std::string text() const {
    std::string base = name_.family;
    if (base == "slanted") return slanted();
    if (base == "earthquake") return based_on("chess", "[board]" + board_of_earthquake());
    if (base == "inferno") return inferno();
    if (base == "shifting") return shifting();
    return based_on(base, "");
  }

 private:
  std::string option(const std::string& key, const std::string& otherwise) const {
    const auto found = name_.options.find(key);
    return found == name_.options.end() ? otherwise : found->second;
  }
  int number(const std::string& key, int otherwise) const {
    return std::stoi(option(key, std::to_string(otherwise)));
  }
  static std::string based_on(const std::string& base, const std::string& rest) {
    return "format = 1\nname = \"variant\"\nbase = \"" + base + "\"\n" + rest + "\n";
  }

  std::string slanted() const {
    const std::string board = option("board", "ultra");
    const std::string army = option("army", "standard");
    std::string base = "slanted-" + board;
    if (board == "ultra" && option("jumpcheck", "on") == "off") base += "-jumpcheck-off";
    const std::string first = option("first", board == "mini" ? "black" : "white");
    std::string white = "URNBQKBNRU";
    std::string black = "urnbqkbnru";
    std::string pieces;
    if (army != "standard") {
      pieces = "[pieces]\nM = \"rook + knight\"\n[pieces.C]\n";
      if (army != "almost-for-black") {
        white[4] = 'M';
        pieces += "white = { promotes = { on = \"rank 9\", to = \"MURBN\" } }\n";
      }
      if (army != "sort-of-almost") {
        black[4] = 'm';
        pieces += "black = { promotes = { on = \"rank 1\", to = \"MURBN\" } }\n";
      }
    }
    if (board == "ultra")
      return based_on(base, pieces + start(black + "/cccccccccc/10/8/8/8/10/CCCCCCCCCC/" + white,
                                           first[0], "KQkq"));
    const std::string rows =
        board == "standard" ? "/cccccccc/8/6/6/8/CCCCCCCC/" : "/cccccccc/6/6/CCCCCCCC/";
    return based_on(base, start("rnbqkbnr" + rows + "RNBQKBNR", first[0], "KQkq"));
  }

  std::string board_of_earthquake() const {
    const int shock = number("shock", 1);
    const int aftershocks = number("aftershock", 0);
    const int every = number("every", 0);
    const bool flies = option("fly", "off") == "on";
    std::string text = flies ? "\nriders = \"fly over void\"" : "";
    text += "\n[[board.part]]\nsquares = \"rank 1, rank 2, rank 3, rank 4\"\nat = [" +
            std::to_string(number("dx", 1)) + ", " + std::to_string(number("dy", 0)) + "]\n";
    if (aftershocks + every == 0) return text;
    const std::string range = "[-" + std::to_string(shock) + ", " + std::to_string(shock) + "]";
    text += "shift = { undo = false, within = [-7, 7], files = " + range;
    if (option("axis", "horizontal") == "both")
      text += ", ranks = " + range + ", within_ranks = [" + (flies ? "-2" : "0") + ", 4]";
    text += every > 0 ? ", pause = " + std::to_string(every)
                      : ", uses = " + std::to_string(aftershocks);
    return text + " }\n";
  }

  std::string inferno() const {
    const int levels = number("levels", 5);
    std::string pieces;
    std::string rights;
    for (int level = 0; level < levels; ++level) {
      pieces += (level ? "|" : "") + std::string("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
      rights += level ? "|KQkq" : "KQkq";
    }
    const std::string listed = option("colours", "all") == "listed" ? "BNP" : "QRBNP";
    return based_on("inferno2", "[board.levels]\ncount = " + std::to_string(levels) +
                                    "\ndescend = { same = \"" + listed + "\" }\n" +
                                    start(pieces, 'w', rights));
  }

  std::string shifting() const {
    std::string board;
    if (option("knights", "leap") == "blocked") board = "[board]\nleaps = \"not over void\"\n";
    const std::string gaps = option("gaps", "BII+BIII");
    std::vector<std::string> rows = {"RNBQKBNR", "PPPPPPPP", "........", "........",
                                     "........", "........", "pppppppp", "rnbqkbnr"};
    const std::size_t plus = gaps.find('+');
    for (const std::string& area : {gaps.substr(0, plus), gaps.substr(plus + 1)})
      for (const std::size_t y : {0U, 1U})
        for (const std::size_t x : {0U, 1U})
          rows[2 * (area.size() - 2) + y][static_cast<std::size_t>(area[0] - 'A') * 2 + x] = '*';
    std::string pieces;
    for (std::size_t y = 8; y-- > 0;) {
      int empty = 0;
      for (const char c : rows[y] + "/") {
        if (c == '.') {
          ++empty;
          continue;
        }
        if (empty) pieces += std::to_string(empty);
        empty = 0;
        if (c != '/' || y > 0) pieces += c;
      }
    }
    return based_on("shifting", board + "[board.sectors]\ngaps = \"" + gaps.substr(0, plus) + " " +
                                    gaps.substr(plus + 1) + "\"\n" + start(pieces, 'w', "KQkq"));
  }

  static std::string start(const std::string& pieces, char side, const std::string& rights) {
    return "[start]\nfen = \"" + pieces + " " + side + " " + rights + " - 0 1\"\n";
  }

  const VariantName& name_;
};

}  // namespace faultline::test
