// Openings from a file: a FEN or moves per line, or games as text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/refusals.h"

namespace faultline {

/// An opening whose moves were checked to be legal, and after which the game goes on.
struct OpeningText {
  std::string start_fen;  // "" for the variant's start
  std::vector<std::string> moves;
};

/// Splits "startpos" or a FEN, then perhaps "moves" and moves; or moves only. Checks neither.
OpeningText split_position_line(const std::string& line);

/// The openings of a file.
struct OpeningFile {
  std::vector<OpeningText> openings;  // at least one
  Refusals refused;                   // of lines or games; each begins with "FILE:LINE"
};

/// Reads openings for a variant (any valid name). In a file of games (holds_games() in
/// play/game_text.h) each contributes its opening if that is marked, else all of its moves. In
/// other files each line is an opening: moves from the start, a FEN, or a FEN followed by "moves"
/// and moves; "#" starts a comment. Throws OpeningError that begins with "FILE:LINE" if none can be
/// used, or, if `strict`, for the first that cannot.
OpeningFile read_openings(const std::filesystem::path& file, const std::string& variant,
                          bool strict = false);

}  // namespace faultline
