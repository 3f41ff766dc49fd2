// Time management: from a clock to a thinking time, and when a search may end before it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "play/analyser.h"

namespace faultline {

/// The clock of the side to move.
struct ClockState {
  std::chrono::milliseconds remaining{0};  // below 0: the flag has fallen, or is about to
  std::chrono::milliseconds increment{0};
  int moves_to_go = 0;  // until time is added; 0: none is (sudden death)
};

/// The time of one search. 0 <= aim <= limit.
struct TimeBudget {
  std::chrono::milliseconds aim{0};    // what the move should take
  std::chrono::milliseconds limit{0};  // what it may take if its best move is in doubt
};

/// `overhead`: lost on every move between the engine and the clock. The limit never exceeds what
/// remains after the overhead; it is 0 if nothing does. Any values are accepted.
TimeBudget clock_budget(const ClockState& clock, std::chrono::milliseconds overhead);

/// The time for a move if each has a fixed one: the overhead is subtracted, but never more than
/// half of the time.
std::chrono::milliseconds fixed_budget(std::chrono::milliseconds move_time,
                                       std::chrono::milliseconds overhead);

/// The lines that a report needs for should_end(), if there are as many moves.
inline constexpr std::size_t kWatchedLines = 4;

/// Whether a search under a clock should end now: at the limit, or at the aim unless another line
/// has become better than the most visited one, or earlier if no other move can be visited as often
/// as the best one by then, or all others are proven to lose. Moves without a line in `report` have
/// fewer visits than those that have one, too few to take the lead soon.
/// `elapsed`: since the search began.
bool should_end(const TimeBudget& budget, std::chrono::milliseconds elapsed,
                const AnalysisReport& report);

}  // namespace faultline
