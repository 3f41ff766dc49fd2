// A reference implementation of Escher Staircase: every candidate move is played on a board of
// letters, then the staircases carry their pieces.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct EscherState : TurnFields {
  Letters board;

  explicit EscherState(const std::string& fen)
      : TurnFields(fen), board(read_letters(split(fen, ' ')[0])) {}
  std::string fen() const { return write_letters(board) + turn_text(); }
  bool in_check() const { return king_attacked(board, white); }

  using Stairs = std::array<int, 6>;
  /// The staircases of docs/rules.md that contain a square, in the order in which they carry.
  static std::vector<Stairs> staircases_of(int s) {
    static const std::vector<Stairs> all = [] {
      std::vector<Stairs> result;
      for (const std::string names :
           {"a8b8c8d8e8f8", "h6g6f6e6d6c6", "a3b3c3d3e3f3", "h1g1f1e1d1c1", "a1a2a3a4a5a6",
            "c8c7c6c5c4c3", "f1f2f3f4f5f6", "h8h7h6h5h4h3"}) {
        Stairs stairs{};
        for (std::size_t i = 0; i < 6; ++i)
          stairs[i] = square_of(names.substr(2 * i, 2));
        result.push_back(stairs);
      }
      return result;
    }();
    std::vector<Stairs> containing;
    for (const Stairs& stairs : all)
      if (std::ranges::find(stairs, s) != stairs.end()) containing.push_back(stairs);
    return containing;
  }

  /// The board after the staircases of the square just left have moved; nothing if two pieces end
  /// on one square.
  static std::optional<Letters> carried(const Letters& before, int left) {
    Letters after = before;
    std::vector<std::pair<int, char>> arriving;
    for (const Stairs& stairs : staircases_of(left))
      for (std::size_t i = 0; i < 6; ++i) {
        at(after, stairs[i]) = '.';
        if (is_piece(at(before, stairs[i])))
          arriving.emplace_back(stairs[(i + 1) % 6], at(before, stairs[i]));
      }
    for (const auto& [to, piece] : arriving) {
      if (is_piece(at(after, to))) return std::nullopt;
      const bool home = (piece == 'P' && to / 8 == 7) || (piece == 'p' && to / 8 == 0);
      at(after, to) = home ? coloured('Q', is_white(piece)) : piece;
    }
    return after;
  }
  static bool is_carried(int s, int left) {
    const auto moving = staircases_of(left);
    return std::ranges::any_of(
        moving, [&](const Stairs& stairs) { return std::ranges::find(stairs, s) != stairs.end(); });
  }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const int ahead = white ? 8 : -8;
    const auto move_piece = [&](int from, int to, int victim, int passed = -1) {
      const bool pawn = upper(at(board, from)) == 'P';
      const auto add = [&](const std::string& text, char placed) {
        Letters moved = board;
        at(moved, victim) = '.';
        at(moved, to) = placed;
        at(moved, from) = '.';
        const auto after = carried(moved, from);
        if (!after || king_attacked(*after, white)) return;
        EscherState next = *this;
        next.board = *after;
        next.en_passant = "-";
        if (passed >= 0 && !is_carried(to, from) && at(*after, passed) == '.')
          for (int s = 0; s < 64; ++s)
            if (at(*after, s) == coloured('P', !white) && sees(*after, s, passed))
              next.en_passant = square(passed);
        next.plies = pawn || is_piece(at(board, victim)) ? 0 : plies + 1;
        next.move_number += white ? 0 : 1;
        next.white = !white;
        result[text] = next.fen();
      };
      const std::string text = square(from) + square(to);
      if (!pawn || to / 8 != (white ? 7 : 0)) return add(text, at(board, from));
      for (const char c : {'Q', 'R', 'B', 'N'})
        add(text + coloured(c, false), coloured(c, white));
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
      const int row = white ? from / 8 : 7 - from / 8;
      if (row <= 1 && at(board, from + 2 * ahead) == '.')
        move_piece(from, from + 2 * ahead, from + 2 * ahead, from + ahead);
    }
    return result;
  }
};

}  // namespace faultline::reference
