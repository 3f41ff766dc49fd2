// A reference implementation of Shifting Chess: every candidate move is played on a board of
// letters.
#pragma once

#include <cstdlib>
#include <map>
#include <string>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct ShiftingState : TurnFields {
  Letters board;
  bool knights_blocked;

  explicit ShiftingState(const std::string& fen, bool blocked = false)
      : TurnFields(fen), board(read_letters(split(fen, ' ')[0])), knights_blocked(blocked) {}
  std::string fen() const { return write_letters(board) + turn_text(); }

  bool in_check() const { return king_attacked_on(board, white); }

  /// The resulting position, with castling letters and counters updated.
  ShiftingState turn_ended(const Letters& after, bool progress, const std::string& passed) const {
    ShiftingState next = *this;
    next.board = after;
    next.castling = rights_left(castling, after);
    next.plies = progress ? 0 : plies + 1;
    next.move_number += white ? 0 : 1;
    next.white = !white;
    next.en_passant = "-";
    if (!passed.empty())
      for (int s = 0; s < 64; ++s)
        if (at(after, s) == coloured('P', !white) && std::abs(s % 8 - (passed[0] - 'a')) == 1 &&
            s / 8 - (passed[1] - '1') == (white ? 1 : -1))
          next.en_passant = passed;
    return next;
  }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const auto add = [&](const std::string& text, const Letters& after, bool progress,
                         const std::string& passed = "") {
      if (!king_attacked_on(after, white)) result[text] = turn_ended(after, progress, passed).fen();
    };
    const int ahead = white ? 8 : -8;
    const int last = white ? 7 : 0;
    const auto move_piece = [&](int from, int to, const std::string& passed = "") {
      Letters after = board;
      const bool pawn = upper(at(board, from)) == 'P';
      const bool progress = pawn || is_piece(at(board, to));
      at(after, to) = at(board, from);
      at(after, from) = '.';
      const std::string text = square(from) + square(to);
      if (!pawn || to / 8 != last) return add(text, after, progress, passed);
      for (const char c : {'Q', 'R', 'B', 'N'}) {
        at(after, to) = coloured(c, white);
        add(text + coloured(c, false), after, true);
      }
    };

    for (int from = 0; from < 64; ++from) {
      if (!belongs(at(board, from), white)) continue;
      const bool pawn = upper(at(board, from)) == 'P';
      for (int to = 0; to < 64; ++to) {
        const char target = at(board, to);
        if (!sees_on(board, from, to) || target == '*' || belongs(target, white) ||
            upper(target) == 'K')
          continue;
        if (!pawn || is_piece(target)) {
          move_piece(from, to);
        } else if (square(to) == en_passant) {
          Letters after = board;
          at(after, to) = at(board, from);
          at(after, from) = at(after, to - ahead) = '.';
          add(square(from) + square(to), after, true);
        }
      }
      if (pawn && at(board, from + ahead) == '.') {
        move_piece(from, from + ahead);
        const int row = white ? from / 8 : 7 - from / 8;
        if (row <= 1 && at(board, from + 2 * ahead) == '.')
          move_piece(from, from + 2 * ahead, square(from + ahead));
      }
    }
    for (const char c : castling) {
      if (!belongs(c, white)) continue;
      const int side = upper(c) == 'K' ? 1 : -1;
      const int king = white ? 4 : 60;
      const auto is_safe = [&](int s) { return !attacked_on(board, s, !white); };
      if (!castling_clear(board, white, side, is_safe)) continue;
      Letters after = board;
      at(after, king) = at(after, side > 0 ? king + 3 : king - 4) = '.';
      at(after, king + 2 * side) = coloured('K', white);
      at(after, king + side) = coloured('R', white);
      add(square(king) + square(king + 2 * side), after, false);
    }
    add_shifts(add);
    return result;
  }

 private:
  /// Does as `sees`, but with `knights_blocked` a knight walks: one orthogonal and one diagonal
  /// king's step, in either order, over a square that exists.
  bool sees_on(const Letters& b, int from, int to) const {
    if (!sees(b, from, to)) return false;
    if (!knights_blocked || upper(at(b, from)) != 'N') return true;
    for (int over = 0; over < 64; ++over) {
      const int of_from = steps_between(from, over);
      const int of_to = steps_between(over, to);
      if (of_from * of_to == 2 && at(b, over) != '*') return true;
    }
    return false;
  }
  /// 1 for an orthogonal king's step, 2 for a diagonal one, 0 for none.
  static int steps_between(int a, int b) {
    const int files = std::abs(a % 8 - b % 8);
    const int ranks = std::abs(a / 8 - b / 8);
    return files > 1 || ranks > 1 ? 0 : files + ranks;
  }
  bool attacked_on(const Letters& b, int target, bool by_white) const {
    for (int s = 0; s < 64; ++s)
      if (belongs(at(b, s), by_white) && sees_on(b, s, target)) return true;
    return false;
  }
  bool king_attacked_on(const Letters& b, bool of_white) const {
    for (int s = 0; s < 64; ++s)
      if (at(b, s) == coloured('K', of_white)) return attacked_on(b, s, !of_white);
    return false;
  }

  static std::string area(int column, int row) {
    static const std::array<std::string, 4> rows = {"I", "II", "III", "IV"};
    return static_cast<char>('A' + column) + rows[static_cast<std::size_t>(row)];
  }
  bool is_gap(int column, int row) const { return at(board, row * 16 + column * 2) == '*'; }

  template <class Add>
  void add_shifts(Add&& add) const {
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row) {
        int surplus = 0;
        for (const int s : {0, 1, 8, 9}) {
          const char c = at(board, row * 16 + column * 2 + s);
          if (is_piece(c)) surplus += belongs(c, white) ? 1 : -1;
        }
        if (surplus <= 0) continue;
        for (const auto& [dc, dr] : {std::pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
          int to_column = column;
          int to_row = row;
          while (true) {
            to_column += dc;
            to_row += dr;
            if (to_column < 0 || to_column > 3 || to_row < 0 || to_row > 3 ||
                !is_gap(to_column, to_row))
              break;
            Letters after = board;
            for (const int s : {0, 1, 8, 9}) {
              const int from = row * 16 + column * 2 + s;
              const int to = to_row * 16 + to_column * 2 + s;
              const char c = at(board, from);
              at(after, from) = '*';
              at(after, to) = c == 'P' && to / 8 == 7 ? 'Q' : c == 'p' && to / 8 == 0 ? 'q' : c;
            }
            add(area(column, row) + "-" + area(to_column, to_row), after, false);
          }
        }
      }
  }
};

}  // namespace faultline::reference
