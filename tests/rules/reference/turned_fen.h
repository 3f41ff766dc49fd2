// Transformed positions and moves (mirrored, turned by 180 degrees), computed from their texts
// alone.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/rules/reference/mailbox.h"

namespace faultline::reference {

inline bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
inline char other_rank(char rank) {
  return static_cast<char>('1' + '8' - rank);
}
inline char other_file(char file) {
  return static_cast<char>('a' + 'h' - file);
}
inline std::string join(const std::vector<std::string>& parts, char separator) {
  std::string text;
  for (const std::string& part : parts)
    text += (&part == parts.data() ? "" : std::string(1, separator)) + part;
  return text;
}
/// Transforms each part separately.
template <class Change>
std::string change_parts(const std::string& text, char separator, Change&& change) {
  auto parts = split(text, separator);
  for (std::string& part : parts)
    part = change(part);
  return join(parts, separator);
}

inline std::string reverse_rows(const std::string& board) {
  auto rows = split(board, '/');
  std::ranges::reverse(rows);
  return join(rows, '/');
}
/// The letters with colours exchanged, in FEN order.
inline std::string exchange_rights(const std::string& rights) {
  std::string exchanged = other_case(rights);
  std::ranges::sort(exchanged);
  return exchanged;
}

/// Ranks mirrored, colours exchanged. Levels may be joined by '|'.
inline std::string mirror_ranks(const std::string& fen) {
  auto fields = split(fen, ' ');
  fields[0] = other_case(change_parts(fields[0], '|', reverse_rows));
  fields[1] = fields[1] == "w" ? "b" : "w";
  fields[2] = change_parts(fields[2], '|', exchange_rights);
  if (fields[3] != "-") fields[3].back() = other_rank(fields[3].back());
  return join(fields, ' ');
}

/// A move's text, ranks mirrored; including sector shifts and squares with levels.
inline std::string mirror_ranks_of_move(std::string text) {
  if (is_white(text[0])) {
    static const std::map<std::string, std::string> rows = {
        {"I", "IV"}, {"II", "III"}, {"III", "II"}, {"IV", "I"}};
    return change_parts(text, '-',
                        [](const std::string& area) { return area[0] + rows.at(area.substr(1)); });
  }
  for (std::size_t i = 1; i < text.size(); ++i)
    if (is_black(text[i - 1]) && is_digit(text[i])) text[i] = other_rank(text[i]);
  return text;
}

/// Earthquake's last field with the players' aftershocks exchanged: "1,0/3,2/0" for "1,0/2,3/0".
inline std::string exchange_counts(const std::string& field) {
  auto parts = split(field, '/');
  if (parts.size() < 2) return field;
  auto counts = split(parts[1], ',');
  std::ranges::reverse(counts);
  parts[1] = join(counts, ',');
  return join(parts, '/');
}

/// The board turned by 180 degrees, colours exchanged; so are the players' aftershocks in
/// earthquake's last field. This exchanges the castling sides: not for positions with castling
/// rights.
inline std::string half_turn(const std::string& fen) {
  auto fields = split(fen, ' ');
  std::ranges::reverse(fields[0]);
  fields[0] = other_case(fields[0]);
  fields[1] = fields[1] == "w" ? "b" : "w";
  if (fields[3] != "-") fields[3] = {other_file(fields[3][0]), other_rank(fields[3][1])};
  if (fields.size() > 6) fields[6] = exchange_counts(fields[6]);
  return join(fields, ' ');
}

inline std::string half_turn_of_move(std::string text) {
  for (std::size_t i = 1; i < text.size(); ++i)
    if (is_black(text[i - 1]) && is_digit(text[i])) {
      text[i - 1] = other_file(text[i - 1]);
      text[i] = other_rank(text[i]);
    }
  return text;
}

}  // namespace faultline::reference
