// Reads the results of recorded games for ratings.
#pragma once

#include <iosfwd>
#include <string>

#include "base/refusals.h"
#include "lab/rating_games.h"
#include "play/game_text.h"

namespace faultline {

/// A game read from `source`, whose games share an opening if they are of the same two players,
/// with equal tags Event and Round but for the Round's last number: "PAIR.GAME".
RatingGame rating_game(const TextGame& game, const std::string& source);

/// Adds the games of a file; `source` names it in messages. Texts that are not games are left out
/// and counted in `refused`.
void read_rating_games(std::istream& in, const std::string& source, RatingGames& games,
                       Refusals& refused);

}  // namespace faultline
