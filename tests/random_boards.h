// Random moves, and random 8×8 boards with so few pieces that checks, promotions, castling, en
// passant captures and board movements are common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rules/move.h"
#include "tests/rules/reference/mailbox.h"

namespace faultline::test {

using Random = std::mt19937_64;

inline int below(Random& rng, int n) {
  return static_cast<int>(rng() % static_cast<std::uint64_t>(n));
}
inline bool by_chance(Random& rng, int one_in) {
  return below(rng, one_in) == 0;
}

/// An 8×8 board that fills with pieces. Pawns stand anywhere but on their last row and, unless
/// `pawns_on_first_rows`, their first.
class SparseBoard {
 public:
  SparseBoard(Random& rng, bool pawns_on_first_rows)
      : rng_(rng), pawns_on_first_rows_(pawns_on_first_rows) {
    board_.fill('.');
  }

  const reference::Letters& letters() const { return board_; }
  void remove(int s) { reference::at(board_, s) = '*'; }

  bool put(char c, int s) {
    if (reference::at(board_, s) != '.') return false;
    const int row = reference::is_white(c) ? s / 8 : 7 - s / 8;
    if (reference::upper(c) == 'P' && (row == 7 || (row == 0 && !pawns_on_first_rows_)))
      return false;
    reference::at(board_, s) = c;
    return true;
  }
  void put_anywhere(char c) {
    for (int attempt = 0; attempt < 200; ++attempt)
      if (put(c, below(rng_, 64))) return;
  }
  /// A king each, now and then at home with rooks; a few pieces that reach far; pawns that may step
  /// past each other.
  void fill() {
    const bool at_home = by_chance(rng_, 3);
    if (!at_home || !put('K', 4)) put_anywhere('K');
    if (!at_home || !put('k', 60)) put_anywhere('k');
    for (const auto& [rook, home] : {std::pair{'R', 0}, {'R', 7}, {'r', 56}, {'r', 63}})
      if (at_home && !by_chance(rng_, 3)) put(rook, home);
    for (int n = by_chance(rng_, 2) ? below(rng_, 3) : 0; n > 0; --n) {
      const int file = below(rng_, 7);
      const bool left = by_chance(rng_, 2);
      const int first = pawns_on_first_rows_ && by_chance(rng_, 2) ? 0 : 1;
      put('P', first * 8 + file + (left ? 1 : 0));
      put('p', (first + 2) * 8 + file + (left ? 0 : 1));
      put('p', (7 - first) * 8 + file + (left ? 0 : 1));
      put('P', (5 - first) * 8 + file + (left ? 1 : 0));
    }
    for (int n = below(rng_, 10) + 1; n > 0; --n)
      put_anywhere("QRRBNPPPqrrbnppp"[below(rng_, 16)]);
  }
  /// A square that an enemy pawn may just have passed over, most times where there is one.
  std::string passed_square(bool white_to_move) const {
    std::vector<int> found;
    const int ahead = white_to_move ? -8 : 8;
    for (const int row : {1, 2})
      for (int file = 0; file < 8 && (row == 2 || pawns_on_first_rows_); ++file) {
        const int s = (white_to_move ? 7 - row : row) * 8 + file;
        if (reference::at(board_, s + ahead) == reference::coloured('P', !white_to_move) &&
            reference::at(board_, s) == '.' && reference::at(board_, s - ahead) == '.')
          found.push_back(s);
      }
    if (found.empty() || by_chance(rng_, 4)) return "-";
    return reference::square(found[rng_() % found.size()]);
  }
  /// The rights that the board allows, now and then none.
  std::string rights() const {
    return by_chance(rng_, 5) ? "-" : reference::rights_left("KQkq", board_);
  }

 private:
  Random& rng_;
  bool pawns_on_first_rows_;
  reference::Letters board_{};
};

/// Plies and move number.
inline std::string random_counters(Random& rng) {
  const int plies = by_chance(rng, 3) ? below(rng, 100) : 0;
  const int move_number = below(rng, 300) + 1;
  return std::to_string(plies) + " " + std::to_string(move_number);
}

/// FEN's six fields.
inline std::string random_fields(Random& rng, const SparseBoard& board, bool castling) {
  const bool white = by_chance(rng, 2);
  const std::string rights = castling ? board.rights() : "-";
  const std::string passed = board.passed_square(white);
  return reference::write_letters(board.letters()) + (white ? " w " : " b ") + rights + " " +
         passed + " " + random_counters(rng);
}

/// Any move, but with `prefers_double_steps` rather one of those: en passant captures are rare.
template <class MoveList>
Move random_move(const MoveList& moves, bool prefers_double_steps, Random& rng) {
  Move move = moves[rng() % moves.size()];
  for (int again = prefers_double_steps ? 6 : 0; again > 0; --again)
    if (const Move other = moves[rng() % moves.size()]; other.kind() == MoveKind::DoubleStep)
      move = other;
  return move;
}

}  // namespace faultline::test
