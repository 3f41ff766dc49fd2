// Board pictures as text, for terminals.
#pragma once

#include <string>

#include "rules/board_picture.h"

namespace faultline {

/// Rows of cells, level by level, each as far to the right and as high as in the picture: the
/// letter of the piece as in FEN or '.', and arrows where belts carry; '#' is a barrier, 'o' a
/// hole. Then the picture's notes. Lines end with line feeds.
std::string picture_text(const BoardPicture& picture);

}  // namespace faultline
