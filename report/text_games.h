// Recorded games in reports: what is logged of them, and what they are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "play/game_text.h"
#include "report/game_log.h"
#include "rules/types.h"

namespace faultline {

/// "checkmate", "adjudication", "cut at the ply limit", …
std::string ending_of(const TextGame& game);

/// What `log` keeps of a game, whose ending it numbers. `first`: the side to move at its start.
LoggedGame logged_game(const TextGame& game, std::uint64_t number, Colour first, GameLog& log);

/// "round 1.2.1", or "game 5" for one without a round, with number 4.
std::string name_of(const TextGame& game, std::size_t number);

}  // namespace faultline
