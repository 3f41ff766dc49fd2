// A reference implementation of chess: every candidate move is played on a board of letters.
#pragma once

#include <cstdlib>
#include <map>
#include <string>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct ChessState : TurnFields {
  Letters board;

  explicit ChessState(const std::string& fen)
      : TurnFields(fen), board(read_letters(split(fen, ' ')[0])) {}
  std::string fen() const { return write_letters(board) + turn_text(); }
  bool in_check() const { return king_attacked(board, white); }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const auto add = [&](const std::string& text, const Letters& after, bool progress,
                         int passed = -1) {
      if (king_attacked(after, white)) return;
      ChessState next = *this;
      next.board = after;
      next.castling = rights_left(castling, after);
      next.en_passant = "-";
      for (int s = 0; passed >= 0 && s < 64; ++s)
        if (at(after, s) == coloured('P', !white) && sees(after, s, passed))
          next.en_passant = square(passed);
      next.plies = progress ? 0 : plies + 1;
      next.move_number += white ? 0 : 1;
      next.white = !white;
      result[text] = next.fen();
    };
    const int ahead = white ? 8 : -8;
    const auto move_piece = [&](int from, int to, int victim, int passed = -1) {
      Letters after = board;
      const bool pawn = upper(at(board, from)) == 'P';
      const bool progress = pawn || is_piece(at(board, victim));
      at(after, victim) = '.';
      at(after, to) = at(board, from);
      at(after, from) = '.';
      const std::string text = square(from) + square(to);
      if (!pawn || to / 8 != (white ? 7 : 0)) return add(text, after, progress, passed);
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
        if (!sees(board, from, to) || belongs(target, white) || upper(target) == 'K') continue;
        if (!pawn || is_piece(target))
          move_piece(from, to, to);
        else if (square(to) == en_passant)
          move_piece(from, to, to - ahead);
      }
      if (!pawn || at(board, from + ahead) != '.') continue;
      move_piece(from, from + ahead, from + ahead);
      if (from / 8 == (white ? 1 : 6) && at(board, from + 2 * ahead) == '.')
        move_piece(from, from + 2 * ahead, from + 2 * ahead, from + ahead);
    }
    for (const char c : castling) {
      if (!belongs(c, white)) continue;
      const int side = upper(c) == 'K' ? 1 : -1;
      const int king = white ? 4 : 60;
      if (!castling_clear(board, white, side)) continue;
      Letters after = board;
      at(after, king) = at(after, side > 0 ? king + 3 : king - 4) = '.';
      at(after, king + 2 * side) = coloured('K', white);
      at(after, king + side) = coloured('R', white);
      add(square(king) + square(king + 2 * side), after, false);
    }
    return result;
  }
};

}  // namespace faultline::reference
