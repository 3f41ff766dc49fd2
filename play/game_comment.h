// The comments of recorded games: what a search found, in a few words (docs/game_format.md).
#pragma once

#include <string>
#include <string_view>

#include "play/game_text.h"

namespace faultline {

/// The text between the braces, without the glyph; "" if there is nothing to say. Spaces at both
/// ends of `text` are dropped, braces become parentheses, control characters spaces.
std::string comment_text(const MoveComment& comment);

/// Reads what comment_text writes; any other text is kept whole as `text`.
MoveComment parse_comment(std::string_view text);

}  // namespace faultline
