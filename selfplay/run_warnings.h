// Signs that a run does not learn what it should.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "selfplay/held_out_losses.h"

namespace faultline {

/// The latest finished games; what is older than about a thousand fades.
struct RecentGames {
  double games = 0;
  double cut = 0;    // at selfplay.max_plies
  double drawn = 0;  // by the rules

  void add(bool was_cut, bool was_drawn) {
    if (games >= 1000)
      for (double* sum : {&games, &cut, &drawn})
        *sum /= 2;
    ++games;
    cut += was_cut ? 1 : 0;
    drawn += was_drawn ? 1 : 0;
  }
};

struct RecentPlay {
  RecentGames games;
  HeldOutLosses held_out;
  double training_loss = 0;  // policy and value, of the last report's steps

  bool diverged() const { return !(training_loss < kDiverged) || held_out.diverged(); }
};

/// One text for each sign, with the keys that could help. Texts do not depend on the numbers, so
/// that a run warns once. `most_plies`: of games. `steps`: of the run; its first, random games
/// prove nothing.
std::vector<std::string> run_warnings(int most_plies, const RecentPlay& recent, std::int64_t steps);

}  // namespace faultline
