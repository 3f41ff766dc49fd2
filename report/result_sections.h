// Who won: ratings, pairings, and the result of two players.
#pragma once

#include <string>

#include "lab/rating.h"
#include "lab/rating_games.h"
#include "report/report.h"
#include "report/report_json.h"

namespace faultline {

/// The table of ratings with their intervals.
ReportJson ratings_section(const Ratings& ratings);
/// A "matrix": the row's share of the points against the column, and how sure it is to be stronger.
ReportJson pairings_section(const Ratings& ratings);

/// Adds what a file's games say about its players: of two the match's result with the difference
/// in Elo, as `faultline match` estimates it, of more their ratings and pairings. Adds nothing for
/// a single game, or for players that too few games link. `titles` is appended to the titles.
void add_results(const RatingGames& results, const std::string& titles, Report& report);

}  // namespace faultline
