// Random moves, and random boards of every family with so few pieces that checks, promotions,
// castling, en passant captures and board movements are common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rules/families.h"
#include "tests/rules/reference/gardner.h"
#include "tests/rules/reference/mailbox.h"
#include "tests/rules/reference/slanted.h"

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

/// `sparse_fen`: often a position's text, but nobody has looked whether one may be in check.
inline std::string sparse_fen(const ChessVariant&, Random& rng) {
  SparseBoard board(rng, false);
  board.fill();
  return random_fields(rng, board, true);
}

inline std::string sparse_fen(const EscherVariant&, Random& rng) {
  SparseBoard board(rng, true);
  board.fill();
  return random_fields(rng, board, false);
}

/// Gaps anywhere: play may have moved them.
inline std::string sparse_fen(const ShiftingVariant&, Random& rng) {
  SparseBoard board(rng, true);
  const int gap = below(rng, 16);
  const int other = (gap + 1 + below(rng, 15)) % 16;
  for (const int area : {gap, other})
    for (const int s : {0, 1, 8, 9})
      board.remove(area / 4 * 16 + area % 4 * 2 + s);
  board.fill();
  return random_fields(rng, board, true);
}

/// Some levels may be gone, and their kings have risen.
inline std::string sparse_fen(const InfernoVariant& v, Random& rng) {
  const int levels = below(rng, v.levels) + 1;
  const auto is_hole = [](int s) { return s % 8 >= 2 && s % 8 <= 5 && s / 8 >= 2 && s / 8 <= 5; };
  std::string risen;
  for (const char king : {'K', 'k'})
    risen += std::string(rng() % static_cast<std::size_t>(v.levels - levels + 1), king);
  const bool white = by_chance(rng, 2);
  std::string pieces, rights;
  std::string en_passant = "-";
  for (int level = 0; level < levels; ++level) {
    SparseBoard board(rng, true);
    const bool deepest = level + 1 == levels;
    for (int s = 0; s < 64; ++s)
      if (!deepest && is_hole(s)) board.remove(s);
    board.fill();
    if (deepest || by_chance(rng, 2)) {
      for (const char king : risen)
        board.put_anywhere(king);
      risen.clear();
    }
    // Wherever the other side is all but lost, a move on any level may win this one.
    for (int n = by_chance(rng, 2) ? 4 : 0; n > 0; --n)
      board.put_anywhere(reference::coloured("QRN"[below(rng, 3)], white));
    reference::Letters letters = board.letters();
    for (char& c : letters)
      if (c == '*') c = '.';
    pieces += (level ? "|" : "") + reference::write_letters(letters);
    rights += (level ? "|" : "") + board.rights();
    if (const std::string passed = board.passed_square(white);
        passed != "-" && passed[1] == (white ? '6' : '3'))
      en_passant = std::to_string(level + 1) + passed;
  }
  return pieces + (white ? " w " : " b ") + rights + " " + en_passant + " " + random_counters(rng);
}

/// Displaced as far as aftershocks may lead.
inline std::string sparse_fen(const EarthquakeVariant& v, Random& rng) {
  const int dx = v.aftershocks() > 0 ? below(rng, 15) - 7 : v.start().dx;
  SparseBoard board(rng, false);
  for (int s = 0; s < 64; ++s)
    if (contains(v.board(dx)->covered(), static_cast<Square>(s))) board.remove(s);
  board.fill();
  const std::string fields = random_fields(rng, board, true);
  const std::string ground = std::to_string(dx) + "," + std::to_string(v.start().dy);
  if (v.aftershocks() == 0) return fields + " " + ground;
  const int of_white = below(rng, v.aftershocks() + 1);
  const int of_black = below(rng, v.aftershocks() + 1);
  const int last = by_chance(rng, 2) ? 0 : below(rng, 2 * v.shock() + 1) - v.shock();
  return fields + " " + ground + "/" + std::to_string(of_white) + "," + std::to_string(of_black) +
         "/" + std::to_string(last);
}

inline std::string sparse_fen(const SlantedVariant& v, Random& rng) {
  const reference::SlantedRules& rules = reference::slanted_rules(v);
  reference::SlantedState state(rules, SlantedPosition::start(v).fen());
  std::ranges::fill(state.board, '.');
  const auto put = [&](char c, int only_rank = -1) {
    const char type = reference::upper(c);
    if (!v.knows({type == 'U'   ? PieceType::Ultra
                  : type == 'M' ? PieceType::Chancellor
                  : type == 'Q' ? PieceType::Queen
                                : PieceType::Rook,
                  reference::is_white(c) ? Colour::White : Colour::Black}))
      return;
    for (int attempt = 0; attempt < 200; ++attempt) {
      const auto s = static_cast<int>(rng() % state.board.size());
      const int rank = rules.cell(s).rank;
      if (state.on(s) != '.' || rules.is_barrier(s)) continue;
      if (only_rank >= 0 && rank != only_rank) continue;
      if (type == 'C' && (rank == 0 || rank == rules.height - 1)) continue;
      state.on(s) = c;
      return;
    }
  };
  const std::string rights =
      std::vector<std::string>{"-", "-", "K", "Q", "KQ", "kq", "KQkq"}[rng() % 7];
  state.castling = rights;
  for (const char right : rights) {
    if (right == '-') continue;
    state.on(state.castle(right).king) = reference::coloured('K', reference::is_white(right));
    state.on(state.castle(right).rook) = reference::coloured('R', reference::is_white(right));
  }
  for (const char king : {'K', 'k'})
    if (std::ranges::find(state.board, king) == state.board.end()) put(king);
  for (int n = below(rng, 20) + 2; n > 0; --n)
    put("QMRRBNUUCCCCCqmrrbnuuccccc"[below(rng, 26)]);
  // Crabs that may step two squares, and enemies near where they land.
  for (int n = rules.double_steps && by_chance(rng, 2) ? 3 : 0; n > 0; --n) {
    put('C', 1);
    put('c', 3);
    put('c', rules.height - 2);
    put('C', rules.height - 4);
  }
  state.white = by_chance(rng, 2);
  return state.fen();
}

inline std::string sparse_fen(const GardnerVariant&, Random& rng) {
  reference::GardnerState state;
  const auto put = [&](char c) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      const int s = below(rng, 5) * 8 + below(rng, 5);
      if (reference::at(state.board, s) != '.') continue;
      if (reference::upper(c) == 'P' && (s / 8 == 0 || s / 8 == 4)) continue;
      reference::at(state.board, s) = c;
      return;
    }
  };
  put('K');
  put('k');
  for (int n = below(rng, 8) + 1; n > 0; --n)
    put("QRRBNPPPqrrbnppp"[below(rng, 16)]);
  state.white = by_chance(rng, 2);
  state.plies = by_chance(rng, 3) ? below(rng, 100) : 0;
  state.move_number = below(rng, 300) + 1;
  return state.fen();
}

/// A position from such a text.
template <class P>
P sparse_position(const typename P::Variant& v, Random& rng) {
  while (true) {
    try {
      return P::from_fen(v, sparse_fen(v, rng));
    } catch (const FenError&) {  // a king may be taken, a level is won already, …
    }
  }
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
