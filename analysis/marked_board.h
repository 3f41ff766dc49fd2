// The text board with the last move marked.
#pragma once

#include <string>

namespace faultline {

enum class BoardMarks {
  None,      // for files and other programs
  Brackets,  // "[P]"
  Colour,    // by a terminal's background colour
};

/// Returns what suits standard output: nothing unless it is a terminal.
BoardMarks terminal_marks();

/// `after`, a picture as GamePosition::picture() makes it, with the cells marked that differ from
/// `before`: what the last move has left, reached, captured or carried. Boards of another form, as
/// after a displacement, are not marked.
std::string marked_board(const std::string& before, const std::string& after, BoardMarks marks);

}  // namespace faultline
