// Games of matches, and results that are kept for continuing, as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/match_result.h"

namespace faultline {

/// What tables of strength keep (lab/strength.h): wins, draws, losses, score, interval, elo (null
/// where infinite), pairs.
nlohmann::ordered_json to_json(const MatchResult& result);
/// One game: opening, moves, outcome, who won. `first` and `second` are the players' names.
nlohmann::ordered_json to_json(const MatchGame& game, const std::string& first,
                               const std::string& second);

}  // namespace faultline
