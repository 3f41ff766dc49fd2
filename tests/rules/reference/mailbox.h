// Boards of FEN letters and attacks on them: the base of the reference implementations of the
// rules, which share nothing with the main one but the names of squares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::reference {

/// Square = rank * 8 + file; '.' is empty, '*' a missing square.
using Letters = std::array<char, 64>;

inline char& at(Letters& b, int s) {
  return b[static_cast<std::size_t>(s)];
}
inline char at(const Letters& b, int s) {
  return b[static_cast<std::size_t>(s)];
}
inline bool is_white(char c) {
  return c >= 'A' && c <= 'Z';
}
inline bool is_black(char c) {
  return c >= 'a' && c <= 'z';
}
inline bool is_piece(char c) {
  return is_white(c) || is_black(c);
}
inline bool belongs(char c, bool white) {
  return white ? is_white(c) : is_black(c);
}
inline char upper(char c) {
  return is_black(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
inline char coloured(char upper_letter, bool white) {
  return white ? upper_letter : static_cast<char>(upper_letter - 'A' + 'a');
}
/// Exchanges upper and lower case.
inline std::string other_case(std::string text) {
  for (char& c : text)
    if (is_piece(c)) c = is_white(c) ? coloured(c, false) : upper(c);
  return text;
}

inline std::string square(int s) {
  return {static_cast<char>('a' + s % 8), static_cast<char>('1' + s / 8)};
}
inline int square_of(std::string_view name) {
  return (name[1] - '1') * 8 + (name[0] - 'a');
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

/// Fields 2 to 6 of a position's text.
struct TurnFields {
  bool white = true;
  std::string castling = "-";
  std::string en_passant = "-";
  int plies = 0;
  int move_number = 1;

  TurnFields() = default;
  explicit TurnFields(const std::string& fen) {
    const auto fields = split(fen, ' ');
    white = fields[1] == "w";
    castling = fields[2];
    en_passant = fields[3];
    plies = std::stoi(fields[4]);
    move_number = std::stoi(fields[5]);
  }
  /// Including the leading space.
  std::string turn_text() const {
    return (white ? " w " : " b ") + castling + " " + en_passant + " " + std::to_string(plies) +
           " " + std::to_string(move_number);
  }
};

inline Letters read_letters(std::string_view field) {
  Letters b;
  b.fill('.');
  int rank = 7;
  int file = 0;
  for (const char c : field) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      at(b, rank * 8 + file++) = c;
    }
  }
  return b;
}

inline std::string write_letters(const Letters& b) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const char c = at(b, rank * 8 + file);
      if (c == '.') {
        ++empty;
        continue;
      }
      if (empty) text += std::to_string(empty);
      empty = 0;
      text += c;
    }
    if (empty) text += std::to_string(empty);
    if (rank) text += '/';
  }
  return text;
}

inline bool clear_between(const Letters& b, int from, int to) {
  const auto sign = [](int x) { return (x > 0) - (x < 0); };
  const int df = sign(to % 8 - from % 8);
  const int dr = sign(to / 8 - from / 8);
  for (int s = from + df + 8 * dr; s != to; s += df + 8 * dr)
    if (at(b, s) != '.') return false;
  return true;
}

/// Whether the piece on `from` attacks `to`, whatever is there.
inline bool sees(const Letters& b, int from, int to) {
  const int df = to % 8 - from % 8;
  const int dr = to / 8 - from / 8;
  if (df == 0 && dr == 0) return false;
  const bool straight = df == 0 || dr == 0;
  const bool diagonal = std::abs(df) == std::abs(dr);
  switch (upper(at(b, from))) {
    case 'P':
      return dr == (is_white(at(b, from)) ? 1 : -1) && std::abs(df) == 1;
    case 'N':
      return std::abs(df * dr) == 2;
    case 'K':
      return std::abs(df) <= 1 && std::abs(dr) <= 1;
    case 'R':
      return straight && clear_between(b, from, to);
    case 'B':
      return diagonal && clear_between(b, from, to);
    case 'Q':
      return (straight || diagonal) && clear_between(b, from, to);
    default:
      return false;
  }
}

inline bool attacked(const Letters& b, int target, bool by_white) {
  for (int s = 0; s < 64; ++s)
    if (belongs(at(b, s), by_white) && sees(b, s, target)) return true;
  return false;
}

/// Whether any king of a side is attacked.
inline bool king_attacked(const Letters& b, bool white) {
  for (int s = 0; s < 64; ++s)
    if (at(b, s) == coloured('K', white) && attacked(b, s, !white)) return true;
  return false;
}

/// Whether castling to a side (+1: king side) is possible, given the right and `is_safe(square)`;
/// does not check the king's safety after the rook's move.
template <class IsSafe>
bool castling_clear(const Letters& b, bool white, int side, IsSafe&& is_safe) {
  const int king = white ? 4 : 60;
  const int rook = side > 0 ? king + 3 : king - 4;
  for (int s = king + side; s != rook; s += side)
    if (at(b, s) != '.') return false;
  for (int i = 0; i <= 2; ++i)
    if (!is_safe(king + i * side)) return false;
  return true;
}
inline bool castling_clear(const Letters& b, bool white, int side) {
  return castling_clear(b, white, side, [&](int s) { return !attacked(b, s, !white); });
}

/// The castling letters whose king and rook are still on their home squares.
inline std::string rights_left(const std::string& rights, const Letters& b) {
  std::string left;
  for (const char c : rights) {
    if (c == '-') continue;
    const bool white = is_white(c);
    const int king = white ? 4 : 60;
    const int rook = upper(c) == 'K' ? king + 3 : king - 4;
    if (at(b, king) == coloured('K', white) && at(b, rook) == coloured('R', white)) left += c;
  }
  return left.empty() ? "-" : left;
}

}  // namespace faultline::reference
