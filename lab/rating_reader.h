// Reads the results of recorded games for ratings.
#pragma once

#include <iosfwd>
#include <string>

#include "lab/rating_games.h"
#include "play/game_text.h"

namespace faultline {

/// A game read from `source`, whose games share an opening if they are of the same two players,
/// with equal tags Event and Round but for the Round's last number: "PAIR.GAME".
RatingGame rating_game(const TextGame& game, const std::string& source);

/// Adds the games of a file; `source` names it in messages. Throws GameTextError for a text that is
/// not a game.
void read_rating_games(std::istream& in, const std::string& source, RatingGames& games);

}  // namespace faultline
