// What this program does not play of what the language of games' files can say.
#pragma once

#include <string>

#include "rules/data/game_file.h"
#include "rules/data/game_tables.h"

namespace faultline::data {

/// Why no position of the game can be played, with the place in its files, or "". Builds its
/// tables and starts: for a game that is not refused, neither throws later. `file` is what messages
/// call it.
std::string refusal(const GameFile& game, const std::string& file);

/// Which of the game's starts cannot be played and why, or "".
template <class B>
std::string faulty_start(const GameTables<B>& tables);

}  // namespace faultline::data
