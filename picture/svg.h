// Drawing a BoardPicture as SVG.
#pragma once

#include <string>
#include <string_view>

#include "rules/board_picture.h"

namespace faultline {

struct SvgOptions {
  /// Width of a square in pixels.
  int square_size = 64;
  /// A description of the picture for screen readers and tooltips; any text. Omitted if empty.
  std::string_view title;
};

/// A complete SVG document without piece fonts, scripts or external files; the same picture gives
/// the same text on every machine. Each piece is one `<use class="piece" data-square="e1"
/// data-piece="K" …/>`, each square one `<polygon class="square" data-square="e1" …/>`. See
/// seen_from_black() for Black's view.
std::string board_svg(const BoardPicture& picture, const SvgOptions& options = {});

}  // namespace faultline
