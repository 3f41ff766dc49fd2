// `faultline check GAME.toml`: what is wrong with a game's file, and what its pieces do.
#pragma once

#include <span>

namespace CLI {
class App;
}

namespace faultline {

/// Whether the command's arguments, "check" first, name a file that describes a game: one with a
/// format, a board, pieces or a start, which no configuration has.
bool checks_game(std::span<char* const> arguments);

/// `check` for such a file, in place of the one for configurations.
void add_check_game(CLI::App& app);

}  // namespace faultline
