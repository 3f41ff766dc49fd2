// A match's result as text and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/match_config.h"
#include "lab/match_result.h"

namespace faultline {

/// "37 wins, 5 draws, 2 losses: 89.8 % (95 % interval 82.1 % to 95.0 %), Elo +376 [+265 to +511]";
/// where one side won everything: "…, Elo at least +380".
std::string result_text(const MatchResult& result);
/// Lines about colours, endings and lengths, forfeits and normalised Elo, each with its newline.
std::string details_text(const MatchResult& result);
/// "39 mates, 3 by repetition, 2 adjudicated wins": the endings of the games that count, then those
/// of the others.
std::string endings_text(const MatchResult& result);
/// "LLR +1.20 (-2.94 to +2.94) after 120 pairs for elo0=0,elo1=10,…: not decided".
std::string sprt_text(const SprtConfig& config, const SprtState& state);

/// wins, draws, losses, score, interval, elo (null where infinite), colours, endings, pairs.
nlohmann::ordered_json to_json(const MatchResult& result);
nlohmann::ordered_json to_json(const SprtConfig& config, const SprtState& state);
/// One game: opening, moves, outcome, who won. `first` and `second` are the players' names.
nlohmann::ordered_json to_json(const MatchGame& game, const std::string& first,
                               const std::string& second);

}  // namespace faultline
