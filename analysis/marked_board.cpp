// Compares two text boards.
#include "analysis/marked_board.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/terminal.h"

namespace faultline {
namespace {

constexpr const char* kColour = "\x1b[30;43m";
constexpr const char* kPlain = "\x1b[0m";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

bool is_piece_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Whether a piece or an empty square can stand there: a character of its own, behind a blank.
bool is_cell(std::string_view line, std::size_t at) {
  const char c = line[at];
  return (is_piece_letter(c) || c == '.' || c == ':' || c == ' ') && at > 0 &&
         line[at - 1] == ' ' &&
         (at + 1 == line.size() || (!is_piece_letter(line[at + 1]) && line[at + 1] != ':'));
}

/// Puts the cell at `at` between brackets, which share a place with a neighbour's.
void bracket(std::string& line, std::size_t at) {
  line[at - 1] = line[at - 1] == ']' ? '|' : '[';
  const std::size_t end = line.find(' ', at + 1);  // a cell may be followed by arrows
  if (end == std::string::npos)
    line += ']';
  else
    line[end] = ']';
}

std::string marked_line(std::string before, std::string after, BoardMarks marks) {
  const std::size_t width = std::max(before.size(), after.size());
  if (marks == BoardMarks::Colour || before.size() != after.size()) {
    before.resize(width, ' ');
    after.resize(width, ' ');
  }
  std::vector<std::size_t> cells;
  for (std::size_t at = 0; at < width; ++at)
    if (before[at] != after[at]) {
      if (!is_cell(before, at) || !is_cell(after, at)) return after;
      cells.push_back(at);
    }
  if (marks == BoardMarks::Brackets) {
    for (const std::size_t at : cells)
      bracket(after, at);
    return after;
  }
  std::reverse(cells.begin(), cells.end());  // each makes what follows it longer
  for (const std::size_t at : cells)
    after.replace(at, 1, kColour + after.substr(at, 1) + kPlain);
  return after;
}

}  // namespace

BoardMarks terminal_marks() {
  if (isatty(STDOUT_FILENO) == 0) return BoardMarks::None;
  return shows_colours() ? BoardMarks::Colour : BoardMarks::Brackets;
}

std::string marked_board(const std::string& before, const std::string& after, BoardMarks marks) {
  std::vector<std::string> old_lines = lines_of(before), lines = lines_of(after);
  if (marks == BoardMarks::None || old_lines.size() != lines.size()) return after;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += marked_line(std::move(old_lines[i]), std::move(lines[i]), marks) + '\n';
  return text;
}

}  // namespace faultline
