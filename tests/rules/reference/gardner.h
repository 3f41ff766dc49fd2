// A reference implementation of Gardner's minichess: its 25 squares are the corner a1 … e5 of a
// board of letters, whose other squares do not exist.
#pragma once

#include <map>
#include <string>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

inline bool is_on_gardner_board(int s) {
  return s % 8 < 5 && s / 8 < 5;
}

struct GardnerState : TurnFields {
  Letters board;

  /// Whether the square is empty.
  GardnerState() {
    for (int s = 0; s < 64; ++s)
      at(board, s) = is_on_gardner_board(s) ? '.' : '*';
  }
  explicit GardnerState(const std::string& fen) : GardnerState() {
    const Letters read = read_letters("8/8/8/" + split(fen, ' ')[0]);
    static_cast<TurnFields&>(*this) = TurnFields(fen);
    for (int s = 0; s < 64; ++s)
      if (is_on_gardner_board(s)) at(board, s) = at(read, s);
  }
  std::string fen() const {
    std::string rows;
    for (int rank = 4; rank >= 0; --rank) {
      std::string row;
      for (int file = 0; file < 5; ++file) {
        const char c = at(board, rank * 8 + file);
        const bool counts = !row.empty() && row.back() >= '1' && row.back() <= '9';
        if (c == '.' && counts)
          ++row.back();
        else
          row += c == '.' ? '1' : c;
      }
      rows += (rows.empty() ? "" : "/") + row;
    }
    return rows + turn_text();
  }
  bool in_check() const { return king_attacked(board, white); }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const auto try_move = [&](int from, int to, char placed, const std::string& suffix) {
      GardnerState next = *this;
      at(next.board, to) = placed;
      at(next.board, from) = '.';
      if (next.in_check()) return;
      const bool progress = upper(at(board, from)) == 'P' || at(board, to) != '.';
      next.plies = progress ? 0 : plies + 1;
      next.move_number += white ? 0 : 1;
      next.white = !white;
      result[square(from) + square(to) + suffix] = next.fen();
    };
    for (int from = 0; from < 64; ++from) {
      const char piece = at(board, from);
      if (!belongs(piece, white)) continue;
      const bool pawn = upper(piece) == 'P';
      const int step = from + (white ? 8 : -8);
      for (int to = 0; to < 64; ++to) {
        const char target = at(board, to);
        if (target == '*' || upper(target) == 'K' || belongs(target, white)) continue;
        const bool reaches = pawn && target == '.' ? to == step : sees(board, from, to);
        if (!reaches) continue;
        if (!pawn || to / 8 != (white ? 4 : 0)) {
          try_move(from, to, piece, "");
          continue;
        }
        for (const char c : {'Q', 'R', 'B', 'N'})
          try_move(from, to, coloured(c, white), std::string(1, coloured(c, false)));
      }
    }
    return result;
  }
};

}  // namespace faultline::reference
