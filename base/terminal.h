// What the terminal can show: its width, and colours.
#pragma once

#include <cstddef>

namespace faultline {

/// Returns the columns of whichever of standard output and error is a terminal; elsewhere COLUMNS
/// if that is set, or else 80.
std::size_t terminal_width();

/// Whether standard output is a terminal that shows colours and the user has not declined them: by
/// NO_COLOR (https://no-color.org) or TERM=dumb.
bool shows_colours();

}  // namespace faultline
