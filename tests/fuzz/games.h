// Shared by the fuzzer of game texts and its test: properties and seed inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// Whatever the text is, every game is read or refused with a GameTextError, and what was read is
/// written, reads back and is written the same again. Throws std::logic_error if not. Returns the
/// number of games that were read.
int check_games(std::string_view text);

/// Texts of games of every family, and other programs' PGN.
std::vector<std::string> sample_games();

}  // namespace faultline::fuzz
