// A reference implementation of Inferno Chess: every candidate move is played and every king
// checked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct InfernoState {
  std::vector<Letters> levels;
  bool white = true;
  std::vector<std::string> castling;
  std::string en_passant;  // "1e3" or "-"
  int plies = 0;
  int move_number = 1;

  bool colours_listed;  // rooks and queens may choose among all targets

  explicit InfernoState(const std::string& fen, bool listed = false) : colours_listed(listed) {
    const auto fields = split(fen, ' ');
    for (const std::string& level : split(fields[0], '|'))
      levels.push_back(read_letters(level));
    white = fields[1] == "w";
    castling = split(fields[2], '|');
    en_passant = fields[3];
    plies = std::stoi(fields[4]);
    move_number = std::stoi(fields[5]);
  }
  std::string fen() const {
    std::string pieces, rights;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      pieces += (l ? "|" : "") + write_letters(levels[l]);
      rights += (l ? "|" : "") + castling[l];
    }
    return pieces + (white ? " w " : " b ") + rights + " " + en_passant + " " +
           std::to_string(plies) + " " + std::to_string(move_number);
  }

  bool in_hole(std::size_t level, int s) const {
    return level + 1 < levels.size() && s % 8 >= 2 && s % 8 <= 5 && s / 8 >= 2 && s / 8 <= 5;
  }
  bool in_check(std::size_t level) const { return king_attacked(levels[level], white); }
  bool in_check() const {
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (in_check(l)) return true;
    return false;
  }

  /// The legal moves' texts and the resulting positions, before resolving won levels.
  std::map<std::string, InfernoState> unsettled_moves() const {
    std::map<std::string, InfernoState> result;
    for (std::size_t l = 0; l < levels.size(); ++l)
      for (int from = 0; from < 64; ++from)
        if (belongs(at(levels[l], from), white)) add_moves_of(l, from, result);
    for (std::size_t l = 0; l < levels.size(); ++l)
      for (const char c : castling[l])
        if (belongs(c, white)) add_castling(l, upper(c) == 'K' ? 1 : -1, result);
    return result;
  }

  /// Resolves won levels until the side to move can move or is not in check.
  void settle() {
    while (levels.size() > 1 && in_check() && unsettled_moves().empty()) {
      std::size_t lost = levels.size() - 1;
      while (!in_check(lost))
        --lost;
      for (int s = 0; lost > 0 && s < 64; ++s) {
        const char rising = at(levels[lost], s);
        char& above = at(levels[lost - 1], s);
        if (belongs(rising, !white) && !belongs(above, !white) && upper(above) != 'K')
          above = rising;
      }
      if (lost > 0) castling[lost - 1] = rights_left(castling[lost - 1], levels[lost - 1]);
      levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(lost));
      castling.erase(castling.begin() + static_cast<std::ptrdiff_t>(lost));
      plies = 0;
      renumber_en_passant(lost);
    }
  }

  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    for (auto [text, next] : unsettled_moves()) {
      next.settle();
      result[text] = next.fen();
    }
    return result;
  }

 private:
  using Point = std::pair<std::size_t, int>;  // level, square
  using Found = std::map<std::string, InfernoState>;

  static std::string place_name(Point p) { return std::to_string(p.first + 1) + square(p.second); }

  /// The squares that a hole square stands for, of either colour.
  void collect_targets(std::size_t level, int s, std::vector<Point>& targets) const {
    const int file = (s % 8 - 2) * 2;
    const int rank = (s / 8 - 2) * 2;
    for (const int below :
         {rank * 8 + file, rank * 8 + file + 1, rank * 8 + file + 8, rank * 8 + file + 9}) {
      if (in_hole(level + 1, below))
        collect_targets(level + 1, below, targets);
      else
        targets.emplace_back(level + 1, below);
    }
  }
  /// The squares on which a move of that kind of piece to `s` may end: `s`, or the squares it
  /// stands for.
  std::vector<Point> places(std::size_t level, int s, char kind) const {
    if (!in_hole(level, s)) return {{level, s}};
    std::vector<Point> all, allowed;
    collect_targets(level, s, all);
    if (colours_listed && (kind == 'R' || kind == 'Q')) return all;
    for (const Point& p : all)
      if ((p.second % 8 + p.second / 8 + s % 8 + s / 8) % 2 == 0) allowed.push_back(p);
    return allowed;
  }

  void add(const std::string& text, InfernoState next, bool progress, Found& result) const {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      if (king_attacked(next.levels[l], white)) return;
      next.castling[l] = rights_left(next.castling[l], next.levels[l]);
    }
    next.plies = progress ? 0 : plies + 1;
    next.move_number += white ? 0 : 1;
    next.white = !white;
    result.emplace(text, next);
  }

  void move_piece(Point from, Point to, int passed, Found& result) const {
    InfernoState next = *this;
    next.en_passant = "-";
    const char piece = at(levels[from.first], from.second);
    char& target = at(next.levels[to.first], to.second);
    const bool pawn = upper(piece) == 'P';
    const bool progress = pawn || is_piece(target);
    at(next.levels[from.first], from.second) = '.';
    target = piece;
    if (passed >= 0)
      for (int s = 0; s < 64; ++s)
        if (at(levels[from.first], s) == coloured('P', !white) &&
            sees(levels[from.first], s, passed))
          next.en_passant = place_name({from.first, passed});
    const std::string text = place_name(from) + "-" + place_name(to);
    if (!pawn || to.second / 8 != (white ? 7 : 0)) return add(text, next, progress, result);
    for (const char c : {'Q', 'R', 'B', 'N'}) {
      target = coloured(c, white);
      add(text + coloured(c, false), next, true, result);
    }
  }

  void add_moves_of(std::size_t level, int from, Found& result) const {
    const Letters& b = levels[level];
    const char kind = upper(at(b, from));
    const auto content = [&](Point p) { return at(levels[p.first], p.second); };
    for (int s = 0; s < 64; ++s) {
      if (!sees(b, from, s) || (kind == 'K' && in_hole(level, s))) continue;
      for (const Point& to : places(level, s, kind)) {
        const char target = content(to);
        if (belongs(target, white) || upper(target) == 'K') continue;
        if (kind != 'P' || is_piece(target)) {
          move_piece({level, from}, to, -1, result);
        } else if (to.first == level && place_name(to) == en_passant) {
          InfernoState next = *this;
          next.en_passant = "-";
          at(next.levels[level], s) = at(b, from);
          at(next.levels[level], from) = at(next.levels[level], white ? s - 8 : s + 8) = '.';
          add(place_name({level, from}) + "-" + place_name(to), next, true, result);
        }
      }
    }
    if (kind != 'P') return;
    const int ahead = white ? 8 : -8;
    const int one = from + ahead;
    if (at(b, one) != '.') return;
    for (const Point& to : places(level, one, kind))
      if (content(to) == '.') move_piece({level, from}, to, -1, result);
    if (from / 8 != (white ? 1 : 6) || at(b, one + ahead) != '.') return;
    for (const Point& to : places(level, one + ahead, kind))
      if (content(to) == '.') move_piece({level, from}, to, to.first == level ? one : -1, result);
  }

  void add_castling(std::size_t level, int side, Found& result) const {
    if (!castling_clear(levels[level], white, side)) return;
    const int king = white ? 4 : 60;
    InfernoState next = *this;
    next.en_passant = "-";
    Letters& b = next.levels[level];
    at(b, king) = at(b, side > 0 ? king + 3 : king - 4) = '.';
    at(b, king + 2 * side) = coloured('K', white);
    at(b, king + side) = coloured('R', white);
    add(place_name({level, king}) + "-" + place_name({level, king + 2 * side}), next, false,
        result);
  }

  void renumber_en_passant(std::size_t lost) {
    if (en_passant == "-") return;
    const auto level = static_cast<std::size_t>(en_passant[0] - '1');
    const int s = square_of(en_passant.substr(1));
    if (level == lost) {
      en_passant = "-";
    } else if (level > lost) {
      en_passant = place_name({level - 1, s});
    } else {
      const Letters& b = levels[level];
      bool stays = false;
      for (int from = 0; from < 64; ++from)
        stays |= at(b, from) == coloured('P', white) && sees(b, from, s);
      stays &= at(b, s) == '.' && at(b, white ? s - 8 : s + 8) == coloured('P', !white);
      if (!stays) en_passant = "-";
    }
  }
};

}  // namespace faultline::reference
