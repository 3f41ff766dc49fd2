// A match's result as text and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/match.h"

namespace faultline {

/// "37 wins, 5 draws, 2 losses: 89.8 % (95 % interval 82.1 % to 95.0 %), Elo +376 [+265 to +511]";
/// where one side won everything: "…, Elo at least +380".
std::string result_text(const MatchResult& result);
/// Lines about colours, endings and lengths, each with its newline.
std::string details_text(const MatchResult& result);
/// "39 mates, 3 by repetition, 2 cut at the ply limit": the endings that occurred.
std::string endings_text(const MatchResult& result);

/// wins, draws, losses, score, interval, elo (null where infinite), colours, endings, pairs.
nlohmann::ordered_json to_json(const MatchResult& result);
/// One game: opening, moves, outcome, who won. `first` and `second` are the players' names.
nlohmann::ordered_json to_json(const MatchGame& game, const std::string& first,
                               const std::string& second);

}  // namespace faultline
