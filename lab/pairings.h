// Who plays whom: round robin, gauntlet, and the pairings that say most about the ratings.
#pragma once

#include <cstddef>
#include <vector>

#include "lab/rating.h"

namespace faultline {

/// Two different players, by number.
struct Pairing {
  int first = 0;
  int second = 0;
  friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// Everyone against everyone once, by the circle method: in rows of players / 2 pairings, in which
/// each player has at most one.
std::vector<Pairing> round_robin(int players);
/// Each of the first `challengers` players against everyone else, once.
std::vector<Pairing> gauntlet(int players, int challengers);

/// `count` pairings of `games` games each, half of them with either colour, for which the expected
/// information about the strengths is largest (Lindley 1956, Annals of Mathematical Statistics 27,
/// 986-1005; for paired comparisons Glickman and Jensen 2005, Journal of Statistical Planning and
/// Inference 127, 279-293). With the normal approximation of the posterior the entropy falls by
/// log(1 + v s²) / 2, where s² is the variance of the difference of two strengths and v the games'
/// Fisher information about it. Chosen one after the other, each as if the games of those before
/// had been played; among equals, those with the fewest games and the lowest numbers.
/// `games_so_far` must list all players, also those without games. The same pairing may occur
/// several times.
std::vector<Pairing> most_informative(const RatingGames& games_so_far, int count, int games,
                                      const RatingSettings& settings = {});

}  // namespace faultline
