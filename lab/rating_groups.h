// Which players the games compare: groups that no game links, and players without both a success
// and a failure against the rest.
#pragma once

#include <vector>

#include "lab/rating_games.h"

namespace faultline {

struct Linkage {
  int count = 0;            // of groups
  std::vector<int> groups;  // of each player, numbered from 0
  /// The player is outside the largest set of its group in which everyone is linked to everyone by
  /// points won (Ford 1957, American Mathematical Monthly 64, 28-33): the likelihood has its
  /// maximum at an infinite distance from that set. All are outside if no set is the largest.
  std::vector<bool> needs_prior;
};

Linkage link(const RatingGames& games);

}  // namespace faultline
