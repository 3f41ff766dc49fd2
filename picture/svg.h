// Drawing a BoardPicture as SVG.
#pragma once

#include <string>
#include <string_view>

#include "rules/board_picture.h"

namespace faultline {

struct SvgOptions {
  /// Pixels for a square's width.
  int square_size = 64;
  /// What the picture shows, for readers that cannot see it and for tooltips; any text. Left out if
  /// empty.
  std::string_view title;
};

/// A whole SVG document that needs no fonts for its pieces, no scripts and no other file; the same
/// picture gives the same text on every machine. Each piece is one
/// `<use class="piece" data-square="e1" data-piece="K" …/>`, each square one
/// `<polygon class="square" data-square="e1" …/>`. See seen_from_black() for the other side's view.
std::string board_svg(const BoardPicture& picture, const SvgOptions& options = {});

}  // namespace faultline
