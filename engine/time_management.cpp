// Time management: from a clock to a thinking time, and when a search may end before it.
#include "engine/time_management.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace faultline {
namespace {

using std::chrono::milliseconds;

/// The moves that the remaining time is divided among in sudden death. As the time shrinks, so do
/// the shares: a tenth of it is left after 69 moves, a hundredth after 138.
constexpr int kSuddenDeathMoves = 30;
/// Larger numbers of moves to the next time control are treated as this one.
constexpr int kMostMovesToGo = 50;
/// A year: values beyond it come from a confused client and could overflow.
constexpr milliseconds kLongest{31'536'000'000};

milliseconds sane(milliseconds time) {
  return std::clamp(time, milliseconds(0), kLongest);
}

bool is_lost(const AnalysisLine& line) {
  return line.mate_plies.value_or(0) < 0;
}

/// The number of lines that are not proven to lose; all lines if the best one is.
std::size_t open_lines(const AnalysisReport& report) {
  if (is_lost(report.lines.front())) return report.lines.size();
  return static_cast<std::size_t>(std::ranges::find_if(report.lines, is_lost) -
                                  report.lines.begin());
}

milliseconds percent(milliseconds time, int share) {
  return time * share / 100;
}

}  // namespace

TimeBudget clock_budget(const ClockState& clock, milliseconds overhead) {
  const milliseconds available = sane(sane(clock.remaining) - sane(overhead));
  const int moves =
      clock.moves_to_go > 0 ? std::min(clock.moves_to_go, kMostMovesToGo) : kSuddenDeathMoves;
  // The last move before the control may use nearly everything; others must leave some for later.
  const milliseconds most = percent(available, moves == 1 ? 90 : 50);
  // What the overhead takes of each increment cannot be spent again.
  const milliseconds gain = sane(sane(clock.increment) - sane(overhead));
  const milliseconds aim = std::min(available / moves + percent(gain, 75), most);
  return {.aim = aim, .limit = std::min(aim * 3, most)};
}

milliseconds fixed_budget(milliseconds move_time, milliseconds overhead) {
  const milliseconds time = sane(move_time);
  return std::max(time - sane(overhead), time / 2);
}

bool should_end(const TimeBudget& budget, milliseconds elapsed, const AnalysisReport& report) {
  if (elapsed >= budget.limit) return true;
  if (report.lines.empty()) return false;
  const AnalysisLine& best = report.lines.front();
  if (best.visits == 0) return elapsed * 2 >= budget.aim;  // the next iteration would take longer
  // Moves that are proven to lose come last, whatever their visits, and are no choice.
  const std::span<const AnalysisLine> others =
      std::span(report.lines).subspan(1, open_lines(report) - 1);
  if (others.empty()) return report.lines.size() > 1 || elapsed >= budget.aim;
  if (elapsed >= budget.aim)
    return std::ranges::none_of(
        others, [&](const AnalysisLine& line) { return line.value.value() > best.value.value(); });
  if (elapsed * 10 < budget.aim) return false;  // too early to know the speed
  const AnalysisLine& second = others.front();
  const auto passed = static_cast<double>(std::max(elapsed, milliseconds(1)).count());
  const auto left = static_cast<double>((budget.aim - elapsed).count());
  const double to_come = static_cast<double>(report.nodes) / passed * left;
  return static_cast<double>(best.visits) > static_cast<double>(second.visits) + to_come;
}

}  // namespace faultline
