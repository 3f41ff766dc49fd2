// Who won a file's games.
#pragma once

#include <string>

#include "lab/rating_games.h"
#include "report/report.h"

namespace faultline {

/// Adds what a file's games say about its players: of two the match's result with the difference
/// in Elo, as `faultline match` estimates it, of more their ratings and pairings. Adds nothing for
/// a single game, or for players that too few games link. `titles` is appended to the titles.
void add_results(const RatingGames& results, const std::string& titles, Report& report);

}  // namespace faultline
