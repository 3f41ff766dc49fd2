// A reference implementation of Earthquake Chess: squares are looked up by location, and every
// candidate move is played on a board of letters.
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct EarthquakeRules {
  bool fly = false;
  int aftershocks = 0;
  int shock = 1;
  int every = 0;
  bool both_axes = false;
};

struct EarthquakeState : TurnFields {
  EarthquakeRules rules;
  Letters board;  // '*' for a covered square
  int dx = 0;
  int dy = 0;
  std::array<int, 2> counts{};  // uses left; with `every`, turns to wait
  std::array<int, 2> last{};    // by files, by ranks

  EarthquakeState(const EarthquakeRules& r, const std::string& fen) : TurnFields(fen), rules(r) {
    const auto fields = split(fen, ' ');
    board = read_letters(fields[0]);
    const auto ground = split(fields[6], '/');
    const auto displacement = split(ground[0], ',');
    dx = std::stoi(displacement[0]);
    dy = std::stoi(displacement[1]);
    if (ground.size() > 1) {
      const auto uses = split(ground[1], ',');
      counts = {std::stoi(uses[0]), std::stoi(uses[1])};
      last[0] = std::stoi(ground[2]);
      if (ground.size() > 3) last[1] = std::stoi(ground[3]);
    }
  }
  std::string fen() const {
    std::string text =
        write_letters(board) + turn_text() + " " + std::to_string(dx) + "," + std::to_string(dy);
    if (rules.aftershocks + rules.every > 0) {
      text += "/" + std::to_string(counts[0]) + "," + std::to_string(counts[1]) + "/" +
              std::to_string(last[0]);
      if (rules.both_axes) text += "/" + std::to_string(last[1]);
    }
    return text;
  }

  int x(int s) const { return s % 8 + (s < 32 ? dx : 0); }
  int y(int s) const { return s / 8 + (s < 32 ? dy : 0); }
  /// The square at a location, -1 for none; the lower half is on top.
  int lying_at(int px, int py) const {
    for (int s = 0; s < 64; ++s)
      if (x(s) == px && y(s) == py) return s;
    return -1;
  }
  int step(int s, int sx, int sy) const { return lying_at(x(s) + sx, y(s) + sy); }

  /// Whether the piece on `from` attacks `to`, whatever is there.
  bool sees(int from, int to) const {
    const int sx = x(to) - x(from);
    const int sy = y(to) - y(from);
    const bool straight = (sx == 0) != (sy == 0);
    const bool diagonal = sx != 0 && std::abs(sx) == std::abs(sy);
    const auto clear = [&] {
      const int length = std::max(std::abs(sx), std::abs(sy));
      for (int i = 1; i < length; ++i) {
        const int s = lying_at(x(from) + sx / length * i, y(from) + sy / length * i);
        if (s < 0 ? !rules.fly : at(board, s) != '.') return false;
      }
      return true;
    };
    switch (upper(at(board, from))) {
      case 'P':
        return std::abs(sx) == 1 && sy == (is_white(at(board, from)) ? 1 : -1);
      case 'N':
        return std::abs(sx * sy) == 2;
      case 'K':
        return std::max(std::abs(sx), std::abs(sy)) == 1;
      case 'R':
        return straight && clear();
      case 'B':
        return diagonal && clear();
      case 'Q':
        return (straight || diagonal) && clear();
      default:
        return false;
    }
  }
  bool attacked(int target, bool by_white) const {
    for (int s = 0; s < 64; ++s)
      if (belongs(at(board, s), by_white) && sees(s, target)) return true;
    return false;
  }
  bool king_attacked(bool of_white) const {
    for (int s = 0; s < 64; ++s)
      if (at(board, s) == coloured('K', of_white)) return attacked(s, !of_white);
    return false;
  }

  bool in_check() const { return king_attacked(white); }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const auto end_turn = [&](const std::string& text, EarthquakeState next) {
      if (next.king_attacked(white)) return;
      next.castling = rights_left(castling, next.board);
      next.move_number += white ? 0 : 1;
      next.white = !white;
      result[text] = next.fen();
    };
    const auto quiet = [&] {
      EarthquakeState next = *this;
      next.en_passant = "-";
      next.last = {};
      ++next.plies;
      int& count = next.counts[white ? 0 : 1];
      if (rules.every > 0 && count > 0) --count;
      return next;
    };
    const auto move_piece = [&](int from, int to, int victim, int passed) {
      EarthquakeState next = quiet();
      const char piece = at(board, from);
      if (upper(piece) == 'P' || at(board, to) != '.') next.plies = 0;
      if (victim >= 0) at(next.board, victim) = '.';
      at(next.board, to) = piece;
      at(next.board, from) = '.';
      if (passed >= 0)
        for (const int side : {-1, 1}) {
          const int s = step(passed, side, white ? 1 : -1);
          if (s >= 0 && at(next.board, s) == coloured('P', !white))
            next.en_passant = square(passed);
        }
      const std::string text = square(from) + square(to);
      if (upper(piece) != 'P' || to / 8 != (white ? 7 : 0)) return end_turn(text, next);
      for (const char c : std::string("QRBN")) {
        at(next.board, to) = coloured(c, white);
        end_turn(text + coloured(c, false), next);
      }
    };

    const int ahead = white ? 1 : -1;
    for (int from = 0; from < 64; ++from) {
      if (!belongs(at(board, from), white)) continue;
      const bool pawn = upper(at(board, from)) == 'P';
      for (int to = 0; to < 64; ++to) {
        const char target = at(board, to);
        if (target == '*' || belongs(target, white) || upper(target) == 'K' || !sees(from, to))
          continue;
        if (pawn && target == '.') {
          if (en_passant == square(to)) move_piece(from, to, step(to, 0, -ahead), -1);
          continue;
        }
        move_piece(from, to, -1, -1);
      }
      if (!pawn) continue;
      const int one = step(from, 0, ahead);
      if (one < 0 || at(board, one) != '.') continue;
      move_piece(from, one, -1, -1);
      const int two = step(one, 0, ahead);
      if (from / 8 == (white ? 1 : 6) && two >= 0 && at(board, two) == '.')
        move_piece(from, two, -1, one);
    }

    for (const char right : castling) {
      if (right == '-' || is_white(right) != white) continue;
      const int side = upper(right) == 'K' ? 1 : -1;
      const int king = white ? 4 : 60;
      const int rook = side > 0 ? king + 3 : king - 4;
      bool possible = true;
      for (int s = king + side; s != rook; s += side)
        possible &= at(board, s) == '.';
      for (int i = 0; i <= 2; ++i)
        possible &= !attacked(king + i * side, !white);
      if (!possible) continue;
      EarthquakeState next = quiet();
      at(next.board, king) = at(next.board, rook) = '.';
      at(next.board, king + 2 * side) = coloured('K', white);
      at(next.board, king + side) = coloured('R', white);
      end_turn(square(king) + square(king + 2 * side), next);
    }

    const int count = counts[white ? 0 : 1];
    if (rules.every > 0 ? count > 0 : count == 0) return result;
    for (int n = 1; n <= rules.shock; ++n) {
      const std::string distance = std::to_string(n);
      for (const int sign : {-1, 1}) {
        if (const auto next = shaken(quiet(), sign * n, 0))
          end_turn((sign > 0 ? "@+" : "@-") + distance, *next);
        if (!rules.both_axes) continue;
        if (const auto next = shaken(quiet(), 0, sign * n))
          end_turn((sign > 0 ? "@^" : "@v") + distance, *next);
      }
    }
    return result;
  }

 private:
  /// `next` after an aftershock of the side to move, if the displacement is allowed.
  std::optional<EarthquakeState> shaken(EarthquakeState next, int files, int ranks) const {
    if (files == -last[0] && ranks == -last[1]) return std::nullopt;
    next.dx += files;
    next.dy += ranks;
    next.last = {files, ranks};
    if (files != 0 && (next.dx < -7 || next.dx > 7)) return std::nullopt;
    if (next.dy < (rules.fly ? -2 : 0) || next.dy > 4) return std::nullopt;
    int& count = next.counts[white ? 0 : 1];
    count = rules.every > 0 ? rules.every - 1 : count - 1;
    for (int s = 32; s < 64; ++s) {
      char& letter = at(next.board, s);
      if (letter == '*') letter = '.';
      if (next.lying_at(next.x(s), next.y(s)) == s) continue;
      if (letter != '.') return std::nullopt;
      letter = '*';
    }
    if (ranks != 0 && !rules.fly && !next.halves_touch()) return std::nullopt;
    return next;
  }

  bool halves_touch() const {
    for (int upper = 32; upper < 64; ++upper)
      for (const int sx : {-1, 0, 1})
        for (const int sy : {-1, 0, 1}) {
          const int beside = step(upper, sx, sy);
          if (at(board, upper) != '*' && beside >= 0 && beside < 32) return true;
        }
    return false;
  }
};

}  // namespace faultline::reference
