// Random games of every family against a second, slow statement of the rules that shares nothing
// with the first but the names of squares.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "rules/history.h"

namespace faultline {
namespace {

/// A mailbox of FEN letters, row 0 first; '.' is empty.
using Letters = std::array<char, 64>;

struct SlowState {
  Letters board;
  bool white;
  int en_passant = -1;
  std::string castling;
};

bool is_white(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_piece(char c) {
  return c != '.';
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

SlowState read(const std::string& fen) {
  SlowState state{};
  state.board.fill('.');
  std::size_t i = 0;
  int rank = 7;
  int file = 0;
  for (; fen[i] != ' '; ++i) {
    if (fen[i] == '/') {
      --rank;
      file = 0;
    } else if (fen[i] >= '1' && fen[i] <= '8') {
      file += fen[i] - '0';
    } else {
      state.board[static_cast<std::size_t>(rank * 8 + file++)] = fen[i];
    }
  }
  state.white = fen[i + 1] == 'w';
  const std::size_t castling = i + 3;
  const std::size_t ep = fen.find(' ', castling) + 1;
  state.castling = fen.substr(castling, ep - castling - 1);
  if (fen[ep] != '-') state.en_passant = (fen[ep + 1] - '1') * 8 + (fen[ep] - 'a');
  return state;
}

constexpr std::array<std::array<int, 2>, 8> kQueenSteps = {
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
constexpr std::array<std::array<int, 2>, 8> kKnightSteps = {
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

int step(int s, int df, int dr) {
  const int file = s % 8 + df;
  const int rank = s / 8 + dr;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

char at(const Letters& b, int s) {
  return b[static_cast<std::size_t>(s)];
}

/// Where the piece on `s` captures, whatever stands there.
std::set<int> reach(const Letters& b, int s) {
  std::set<int> result;
  const char piece = upper(at(b, s));
  const auto leap = [&](const auto& steps) {
    for (const auto& d : steps)
      if (const int to = step(s, d[0], d[1]); to >= 0) result.insert(to);
  };
  if (piece == 'P') {
    for (const int df : {-1, 1})
      if (const int to = step(s, df, is_white(at(b, s)) ? 1 : -1); to >= 0) result.insert(to);
  } else if (piece == 'N') {
    leap(kKnightSteps);
  } else if (piece == 'K') {
    leap(kQueenSteps);
  } else {
    for (std::size_t i = 0; i < 8; ++i) {
      if (i < 4 && piece == 'B') continue;
      if (i >= 4 && piece == 'R') continue;
      for (int to = step(s, kQueenSteps[i][0], kQueenSteps[i][1]); to >= 0;
           to = step(to, kQueenSteps[i][0], kQueenSteps[i][1])) {
        result.insert(to);
        if (is_piece(at(b, to))) break;
      }
    }
  }
  return result;
}

bool attacked(const Letters& b, int target, bool by_white) {
  for (int s = 0; s < 64; ++s)
    if (is_piece(at(b, s)) && is_white(at(b, s)) == by_white && reach(b, s).contains(target))
      return true;
  return false;
}

bool king_attacked(const Letters& b, bool white) {
  const auto king = std::find(b.begin(), b.end(), white ? 'K' : 'k');
  return attacked(b, static_cast<int>(king - b.begin()), !white);
}

std::string square(int s) {
  return {static_cast<char>('a' + s % 8), static_cast<char>('1' + s / 8)};
}

/// Escher's staircases as RULES.md prints them.
std::vector<std::vector<int>> staircases() {
  std::vector<std::vector<int>> result;
  for (const std::string row : {"a8b8c8d8e8f8", "h6g6f6e6d6c6", "a3b3c3d3e3f3", "h1g1f1e1d1c1",
                                "a1a2a3a4a5a6", "c8c7c6c5c4c3", "f1f2f3f4f5f6", "h8h7h6h5h4h3"}) {
    result.emplace_back();
    for (std::size_t i = 0; i < row.size(); i += 2)
      result.back().push_back((row[i + 1] - '1') * 8 + (row[i] - 'a'));
  }
  return result;
}

/// The board after the staircases of `left` have moved, or nothing if two pieces collide.
std::optional<Letters> carry(const Letters& before, int left) {
  Letters result = before;
  std::vector<std::pair<int, char>> arriving;
  for (const auto& stairs : staircases()) {
    if (std::find(stairs.begin(), stairs.end(), left) == stairs.end()) continue;
    for (std::size_t i = 0; i < 6; ++i) {
      result[static_cast<std::size_t>(stairs[i])] = '.';
      if (is_piece(at(before, stairs[i])))
        arriving.emplace_back(stairs[(i + 1) % 6], at(before, stairs[i]));
    }
  }
  for (const auto& [to, piece] : arriving) {
    if (is_piece(at(result, to))) return std::nullopt;
    const bool queen = (piece == 'P' && to / 8 == 7) || (piece == 'p' && to / 8 == 0);
    result[static_cast<std::size_t>(to)] = queen ? (piece == 'P' ? 'Q' : 'q') : piece;
  }
  return result;
}

/// All legal moves by trying every pair of squares.
std::set<std::string> slow_moves(const SlowState& state, bool escher) {
  std::set<std::string> result;
  const Letters& b = state.board;
  const bool white = state.white;
  const int ahead = white ? 1 : -1;
  const int last = white ? 7 : 0;
  const auto try_move = [&](int from, int to, int also_removed) {
    Letters next = b;
    next[static_cast<std::size_t>(to)] = at(b, from);
    next[static_cast<std::size_t>(from)] = '.';
    if (also_removed >= 0) next[static_cast<std::size_t>(also_removed)] = '.';
    const bool promotes = upper(at(b, from)) == 'P' && to / 8 == last;
    if (promotes) next[static_cast<std::size_t>(to)] = white ? 'Q' : 'q';
    if (escher) {
      const auto carried = carry(next, from);
      if (!carried) return;
      next = *carried;
    }
    if (king_attacked(next, white)) return;
    if (!promotes) result.insert(square(from) + square(to));
    if (promotes)
      for (const char c : {'q', 'r', 'b', 'n'})
        result.insert(square(from) + square(to) + c);
  };
  for (int from = 0; from < 64; ++from) {
    if (!is_piece(at(b, from)) || is_white(at(b, from)) != white) continue;
    const bool pawn = upper(at(b, from)) == 'P';
    for (const int to : reach(b, from)) {
      const char target = at(b, to);
      if (upper(target) == 'K' || (is_piece(target) && is_white(target) == white)) continue;
      if (pawn && !is_piece(target)) {
        if (to == state.en_passant) try_move(from, to, to - 8 * ahead);
        continue;
      }
      try_move(from, to, -1);
    }
    if (pawn) {
      const int one = step(from, 0, ahead);
      if (one >= 0 && !is_piece(at(b, one))) {
        try_move(from, one, -1);
        const int row = white ? from / 8 : 7 - from / 8;
        const int two = step(one, 0, ahead);
        if ((row == 1 || (escher && row == 0)) && !is_piece(at(b, two))) try_move(from, two, -1);
      }
    }
  }
  for (const char right : state.castling) {
    if (right == '-' || is_white(right) != white) continue;
    const int king = white ? 4 : 60;
    const int side = upper(right) == 'K' ? 1 : -1;
    const int rook = side > 0 ? king + 3 : king - 4;
    bool clear = true;
    for (int s = king + side; s != rook; s += side)
      clear &= !is_piece(at(b, s));
    for (int i = 0; i <= 2; ++i)
      clear &= !attacked(b, king + i * side, !white);
    if (clear) result.insert(square(king) + square(king + 2 * side));
  }
  return result;
}

/// The same position seen from the other side: rows mirrored (chess) or the board turned by a half
/// (escher), colours exchanged.
template <class P>
std::string seen_by_the_other(const P& p) {
  constexpr bool kTurn = std::is_same_v<P, EscherPosition>;
  const auto map = [](int s) { return kTurn ? 63 - s : s ^ 56; };
  const SlowState state = read(p.fen());
  std::string rows;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const char c = at(state.board, map(rank * 8 + file));
      if (!is_piece(c)) {
        ++empty;
        continue;
      }
      if (empty) rows += std::to_string(empty);
      empty = 0;
      rows += is_white(c) ? static_cast<char>(c - 'A' + 'a') : upper(c);
    }
    if (empty) rows += std::to_string(empty);
    if (rank) rows += '/';
  }
  std::string castling;
  for (const char c : state.castling)
    castling += c == '-' ? c : is_white(c) ? static_cast<char>(c - 'A' + 'a') : upper(c);
  return rows + (state.white ? " b " : " w ") + castling + " " +
         (state.en_passant < 0 ? "-" : square(map(state.en_passant))) + " " +
         std::to_string(p.plies_since_progress()) + " " + std::to_string(p.full_move_number());
}

template <class P>
class RandomGames : public testing::Test {};
using Played = testing::Types<ChessPosition, EscherPosition>;
TYPED_TEST_SUITE(RandomGames, Played);

TYPED_TEST(RandomGames, AgreeWithTheSlowRulesAndKeepEveryPromise) {
  using P = TypeParam;
  constexpr bool kEscher = std::is_same_v<P, EscherPosition>;
  std::mt19937_64 rng(20240607);
  int plies = 0;
  for (int game = 0; game < 60; ++game) {
    Line<P> line(P::start({}));
    for (int ply = 0; ply < 120; ++ply, ++plies) {
      const P& p = line.position();
      const std::string fen = p.fen();
      typename P::MoveList moves;
      p.legal_moves(moves);
      std::set<std::string> texts;
      for (const Move m : moves)
        texts.insert(p.move_text(m));

      ASSERT_EQ(texts.size(), moves.size()) << "two moves with one text in " << fen;
      ASSERT_EQ(texts, slow_moves(read(fen), kEscher)) << fen;
      ASSERT_EQ(p.count_legal_moves(), moves.size()) << fen;
      ASSERT_EQ(p.key(), p.key_from_scratch()) << fen;
      const P again = P::from_fen({}, fen);
      ASSERT_EQ(again.fen(), fen);
      ASSERT_EQ(again.key(), p.key()) << fen;
      const SlowState state = read(fen);
      ASSERT_EQ(p.in_check(), king_attacked(state.board, state.white)) << fen;

      const P mirrored = P::from_fen({}, seen_by_the_other(p));
      ASSERT_EQ(mirrored.count_legal_moves(), moves.size()) << fen;
      ASSERT_EQ(mirrored.in_check(), p.in_check()) << fen;
      ASSERT_EQ(P::from_fen({}, seen_by_the_other(mirrored)).fen(), fen);

      if (is_over(line.outcome(!moves.empty()))) break;
      // Captures and pawn moves now and then, or random games never leave the opening.
      const Move move = moves[rng() % moves.size()];
      line.play(move);
    }
  }
  EXPECT_GT(plies, 3000);
}

}  // namespace
}  // namespace faultline
