// A reference implementation of the Slanted Escalator family. Squares are points in half files: an
// escalator lies between two files, and the seam links squares half a file apart.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rules/families/slanted.h"
#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

struct SlantedRules {
  int width = 10, height = 9, escalators = 3, seam = 3, top = 6;  // escalator ranks: seam … top-1
  bool has_ultras = true, double_steps = true, black_first = false, jump_check = true;
  std::array<std::string, 2> promotions{"QURBN", "QURBN"};  // of White, of Black

  struct Cell {
    int file, rank;  // of the grid
    int half;        // its location, in half files
    bool barrier;
    std::string name;
  };
  std::vector<Cell> cells;              // rank by rank from the first, barriers included
  std::vector<std::vector<int>> links;  // [cell][file step][rank step]
  std::vector<std::set<int>> knights;   // leaps are symmetric

  /// Call once the numbers are set.
  void lay_out() {
    for (int rank = 0; rank < height; ++rank)
      for (int file = 0; file < width; ++file) {
        Cell cell{file, rank, 2 * file, false, std::string(1, letter(file))};
        if (rank >= seam && rank < top) {
          const int from_right = width - 1 - file;
          cell.barrier = file == escalators || from_right == escalators;
          if (file < escalators) {
            cell.half += 1;
            cell.name += letter(file + 1);
          } else if (from_right < escalators) {
            cell.half -= 1;
            cell.name = letter(file - 1) + cell.name;
          }
        }
        cell.name += std::to_string(rank + 1);
        cells.push_back(cell);
      }
    const auto count = static_cast<int>(cells.size());
    for (int c = 0; c < count; ++c)
      for (int df = -1; df <= 1; ++df)
        for (int dr = -1; dr <= 1; ++dr)
          links.push_back(find_linked(c, df, dr));
    knights.resize(cells.size());
    for (int c = 0; c < count; ++c)
      for (const int to : knight_one_way(c)) {
        if (is_barrier(c)) continue;
        knights[static_cast<std::size_t>(c)].insert(to);
        knights[static_cast<std::size_t>(to)].insert(c);
      }
  }
  static char letter(int file) { return static_cast<char>('a' + file); }
  const Cell& cell(int c) const { return cells[static_cast<std::size_t>(c)]; }
  int named(const std::string& name) const {
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (!cells[c].barrier && cells[c].name == name) return static_cast<int>(c);
    return -1;
  }

  /// Links from `c` by file step and rank step, barriers counted as cells.
  std::vector<int> find_linked(int c, int df, int dr) const {
    std::vector<int> found;
    const Cell& from = cell(c);
    const bool crosses = (dr > 0 && from.rank == seam - 1) || (dr < 0 && from.rank == seam);
    const auto take = [&](auto&& wanted) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].rank == from.rank + dr && wanted(cells[i]))
          found.push_back(static_cast<int>(i));
    };
    if (!crosses) {
      take([&](const Cell& to) { return to.file == from.file + df; });
      return found;
    }
    if (from.barrier) return found;
    if (df == 0)
      take([&](const Cell& to) { return !to.barrier && std::abs(to.half - from.half) <= 1; });
    if (df != 0) take([&](const Cell& to) { return !to.barrier && to.half == from.half + df; });
    if (df != 0 && found.empty())
      take([&](const Cell& to) { return !to.barrier && to.half == from.half + 2 * df; });
    return found;
  }
  const std::vector<int>& linked(int c, int df, int dr) const {
    return links[static_cast<std::size_t>(9 * c + 3 * (df + 1) + dr + 1)];
  }
  bool is_barrier(int c) const { return cell(c).barrier; }

  std::set<int> knight_one_way(int from) const {
    std::set<int> result;
    for (const auto& [df, dr] : std::vector<std::pair<int, int>>{{0, 1}, {0, -1}, {1, 0}, {-1, 0}})
      for (const int over : linked(from, df, dr))
        for (const int turn : {-1, 1})
          for (const int to : linked(over, df ? df : turn, dr ? dr : turn))
            if (!is_barrier(to)) result.insert(to);
    return result;
  }
};

/// The rules under a variant's options; they live for the lifetime of the program.
inline const SlantedRules& slanted_rules(const SlantedVariant& v) {
  static std::map<std::string, SlantedRules> known;
  const auto [entry, is_new] = known.try_emplace(v.canonical_name());
  SlantedRules& r = entry->second;
  if (!is_new) return r;
  const SlantedShape shape = v.board().shape();
  if (shape != SlantedShape::Ultra) {
    r.width = 8;
    r.escalators = 2;
    r.has_ultras = false;
    r.promotions = {"QRBN", "QRBN"};
  }
  if (shape == SlantedShape::Standard) r.height = 8, r.seam = 3, r.top = 5;
  if (shape == SlantedShape::Mini) r.height = 6, r.seam = 2, r.top = 4, r.double_steps = false;
  r.black_first = v.first_mover() == Colour::Black;
  r.jump_check = v.jump_check();
  const SlantedArmy army = v.army();
  if (army == SlantedArmy::Almost || army == SlantedArmy::SortOfAlmost) r.promotions[0] = "MURBN";
  if (army == SlantedArmy::Almost || army == SlantedArmy::AlmostForBlack) r.promotions[1] = "MURBN";
  r.lay_out();
  return r;
}

struct SlantedState : TurnFields {
  const SlantedRules& rules;
  std::vector<char> board;  // by cell; barriers are '.'

  SlantedState(const SlantedRules& r, const std::string& fen) : TurnFields(fen), rules(r) {
    const auto fields = split(fen, ' ');
    const auto rows = split(fields[0], '/');
    board.assign(rules.cells.size(), '.');
    for (int row = 0; row < rules.height; ++row) {
      const int rank = rules.height - 1 - row;
      std::string letters;
      const std::string& text = rows[static_cast<std::size_t>(row)];
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_piece(text[i])) {
          letters += text[i];
          continue;
        }
        std::size_t length = 0;
        letters += std::string(static_cast<std::size_t>(std::stoi(text.substr(i), &length)), '.');
        i += length - 1;
      }
      std::size_t next = 0;
      for (std::size_t c = 0; c < rules.cells.size(); ++c)
        if (rules.cells[c].rank == rank && !rules.cells[c].barrier) board[c] = letters[next++];
    }
  }
  std::string fen() const {
    std::string text;
    for (int rank = rules.height - 1; rank >= 0; --rank) {
      int empty = 0;
      const auto flush = [&] {
        if (empty) text += std::to_string(empty);
        empty = 0;
      };
      for (std::size_t c = 0; c < board.size(); ++c) {
        if (rules.cells[c].rank != rank || rules.cells[c].barrier) continue;
        if (board[c] == '.') {
          ++empty;
        } else {
          flush();
          text += board[c];
        }
      }
      flush();
      if (rank) text += '/';
    }
    return text + turn_text();
  }
  char on(int c) const { return board[static_cast<std::size_t>(c)]; }
  char& on(int c) { return board[static_cast<std::size_t>(c)]; }

  std::vector<int> squares(int c, int df, int dr) const {
    std::vector<int> result;
    for (const int to : rules.linked(c, df, dr))
      if (!rules.is_barrier(to)) result.push_back(to);
    return result;
  }
  void ride(int from, int df, int dr, std::set<int>& reached) const {
    for (const int to : squares(from, df, dr)) {
      reached.insert(to);
      if (on(to) == '.') ride(to, df, dr, reached);
    }
  }
  std::set<int> rides(int from, bool straight, bool diagonal) const {
    std::set<int> reached;
    for (int df = -1; df <= 1; ++df)
      for (int dr = -1; dr <= 1; ++dr)
        if ((df || dr) && ((df && dr) ? diagonal : straight)) ride(from, df, dr, reached);
    return reached;
  }
  std::set<int> knight(int from) const { return rules.knights[static_cast<std::size_t>(from)]; }
  /// `only_open`: excludes squares reached only by jumping over a piece.
  std::set<int> ultra(int from, bool only_open) const {
    std::set<int> result;
    for (int df = -1; df <= 1; ++df)
      for (int dr = -1; dr <= 1; ++dr) {
        if (!df && !dr) continue;
        for (const int over : rules.linked(from, df, dr)) {
          if (rules.is_barrier(over)) {
            if (dr == 0)
              for (const int to : squares(over, df, 0))
                result.insert(to);
            continue;
          }
          result.insert(over);
          if (only_open && on(over) != '.') continue;
          for (const int to : squares(over, df, dr))
            result.insert(to);
        }
      }
    return result;
  }
  std::set<int> crab_captures(int from, bool of_white) const {
    std::set<int> result;
    for (const int df : {-1, 1})
      for (const int to : squares(from, df, of_white ? 1 : -1))
        result.insert(to);
    return result;
  }
  /// The squares on which the piece on `from` captures; with `king`, those it attacks.
  std::set<int> reach(int from, bool king) const {
    std::set<int> result;
    switch (upper(on(from))) {
      case 'C':
        return crab_captures(from, is_white(on(from)));
      case 'N':
        return knight(from);
      case 'B':
        return rides(from, false, true);
      case 'R':
        return rides(from, true, false);
      case 'Q':
        return rides(from, true, true);
      case 'M':
        result = rides(from, true, false);
        result.merge(knight(from));
        return result;
      case 'U':
        return ultra(from, king && !rules.jump_check);
      default:
        for (int df = -1; df <= 1; ++df)
          for (int dr = -1; dr <= 1; ++dr)
            if (df || dr)
              for (const int to : squares(from, df, dr))
                result.insert(to);
        return result;
    }
  }
  bool attacked(int target, bool by_white) const {
    for (std::size_t c = 0; c < board.size(); ++c)
      if (belongs(board[c], by_white) && reach(static_cast<int>(c), true).contains(target))
        return true;
    return false;
  }
  bool king_attacked(bool of_white) const {
    const auto king = std::find(board.begin(), board.end(), coloured('K', of_white));
    return attacked(static_cast<int>(king - board.begin()), !of_white);
  }

  bool in_check() const { return king_attacked(white); }

  struct Castle {
    int king, king_to, rook, rook_to;
  };
  Castle castle(char right) const {
    const int step = upper(right) == 'K' ? 1 : -1;
    const int king = rules.width == 10 ? 5 : 4;
    const int edge = rules.width == 10 ? 1 : 0;
    const int first = is_white(right) ? 0 : (rules.height - 1) * rules.width;
    return {first + king, first + king + 2 * step,
            first + (step > 0 ? rules.width - 1 - edge : edge), first + king + step};
  }

  /// Each legal move's text, and the resulting position.
  std::map<std::string, std::string> moves() const {
    std::map<std::string, std::string> result;
    const auto name = [&](int c) { return rules.cell(c).name; };
    const auto end_turn = [&](const std::string& text, SlantedState next, bool progress) {
      if (next.king_attacked(white)) return;
      next.castling.clear();
      for (const char right : castling) {
        if (right == '-') continue;
        const Castle c = castle(right);
        if (next.on(c.king) == coloured('K', is_white(right)) &&
            next.on(c.rook) == coloured('R', is_white(right)))
          next.castling += right;
      }
      if (next.castling.empty()) next.castling = "-";
      next.plies = progress ? 0 : plies + 1;
      next.move_number += white == rules.black_first ? 1 : 0;
      next.white = !white;
      result[text] = next.fen();
    };
    const auto move_piece = [&](int from, int to, int victim, int passed) {
      SlantedState next = *this;
      const bool crab = upper(on(from)) == 'C';
      const bool progress = crab || on(to) != '.';
      if (victim >= 0) next.on(victim) = '.';
      next.on(to) = on(from);
      next.on(from) = '.';
      next.en_passant = "-";
      if (passed >= 0)
        for (std::size_t c = 0; c < board.size(); ++c)
          if (next.board[c] == coloured('C', !white) &&
              crab_captures(static_cast<int>(c), !white).contains(passed))
            next.en_passant = name(passed);
      const std::string text = name(from) + name(to);
      if (!crab || rules.cell(to).rank != (white ? rules.height - 1 : 0))
        return end_turn(text, next, progress);
      for (const char c : rules.promotions[white ? 0 : 1]) {
        next.on(to) = coloured(c, white);
        end_turn(text + coloured(c, false), next, true);
      }
    };

    const int ahead = white ? 1 : -1;
    for (int from = 0; from < static_cast<int>(board.size()); ++from) {
      if (!belongs(on(from), white)) continue;
      const bool crab = upper(on(from)) == 'C';
      for (const int to : reach(from, false)) {
        if (belongs(on(to), white) || upper(on(to)) == 'K') continue;
        if (crab && name(to) == en_passant) {
          for (const int victim : squares(to, 0, -ahead))
            if (on(victim) == coloured('C', !white)) move_piece(from, to, victim, -1);
        } else {
          move_piece(from, to, -1, -1);
        }
      }
      if (!crab) continue;
      for (const int one : squares(from, 0, ahead)) {
        if (on(one) != '.') continue;
        if (name(one) != en_passant) move_piece(from, one, -1, -1);
        if (!rules.double_steps || rules.cell(from).rank != (white ? 1 : rules.height - 2))
          continue;
        for (const int two : squares(one, 0, ahead))
          if (on(two) == '.') move_piece(from, two, -1, one);
      }
    }

    for (const char right : castling) {
      if (right == '-' || is_white(right) != white) continue;
      const Castle c = castle(right);
      bool possible = !king_attacked(white);
      for (int s = std::min(c.king, c.rook) + 1; s < std::max(c.king, c.rook); ++s)
        possible &= on(s) == '.';
      if (!possible) continue;
      for (const int to : {c.rook_to, c.king_to}) {
        SlantedState standing = *this;
        standing.on(c.king) = '.';
        standing.on(to) = coloured('K', white);
        possible &= !standing.king_attacked(white);
      }
      if (!possible) continue;
      SlantedState next = *this;
      next.en_passant = "-";
      next.on(c.king) = next.on(c.rook) = '.';
      next.on(c.king_to) = coloured('K', white);
      next.on(c.rook_to) = coloured('R', white);
      end_turn(name(c.king) + name(c.king_to), next, false);
    }
    return result;
  }
};

}  // namespace faultline::reference
