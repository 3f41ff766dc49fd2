// Signs that a run does not learn what it should.
#include "selfplay/run_warnings.h"

#include <fmt/format.h>

namespace faultline {

std::vector<std::string> run_warnings(int most_plies, const RecentPlay& recent,
                                      std::int64_t steps) {
  constexpr std::int64_t kFirstSteps = 500;
  constexpr double kEnoughGames = 200, kEnoughPositions = 5'000;
  constexpr double kMostCut = 0.2, kMostDrawn = 0.9;
  std::vector<std::string> warnings;
  if (recent.diverged())
    warnings.push_back(fmt::format(
        "training diverges: the losses of policy and value are together over {:.0f} nats, more "
        "than "
        "those of any guess. Stop it, lower learner.learning_rate, and resume from a checkpoint "
        "before the divergence (--resume --from-checkpoint) or start anew",
        kDiverged));
  if (steps < kFirstSteps) return warnings;
  const RecentGames& games = recent.games;
  if (games.games >= kEnoughGames && games.cut > kMostCut * games.games)
    warnings.push_back(fmt::format(
        "over {:.0f} % of the games are cut at selfplay.max_plies ({}), so that their results are "
        "guesses; a higher limit would let them end",
        100 * kMostCut, most_plies));
  if (games.games >= kEnoughGames && games.drawn > kMostDrawn * games.games)
    warnings.push_back(fmt::format(
        "over {:.0f} % of the games are drawn by the rules: there is little to learn from them; "
        "selfplay.random_plies and search.temperature make them less alike",
        100 * kMostDrawn));
  if (recent.held_out.positions >= kEnoughPositions &&
      recent.held_out.value >= recent.held_out.constant_value())
    warnings.emplace_back(
        "on new games the network predicts results no better than a constant would: its value "
        "loss on them (held_out_value in metrics.jsonl) is not below constant_value. Lower "
        "learner.learning_rate or learner.replay_ratio, or raise replay.window");
  return warnings;
}

}  // namespace faultline
