// A match's games as text.
#pragma once

#include <array>
#include <string>

#include "lab/match_config.h"
#include "lab/match_result.h"
#include "play/game_text.h"

namespace faultline {

/// A game in text form. `names`: the first and the second player's. `event`: for its Event tag;
/// the Round tag is "PAIR.GAME", from 1. `cut`: whether a game that was cut is a draw or has no
/// result.
TextGame text_of(const MatchGame& game, const std::string& variant,
                 const std::array<std::string, 2>& names, const std::string& event,
                 CutGames cut = CutGames::Apart);

}  // namespace faultline
