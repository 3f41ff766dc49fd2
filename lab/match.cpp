// Adds up a match's results and checks its configuration.
#include "lab/match.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/core.h>

#include "base/seeds.h"

namespace faultline {
namespace {

void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds)
    throw std::invalid_argument(fmt::format("{} = {}: must be {}", field, value, allowed));
}

}  // namespace

void check(const MatchConfig& config) {
  require(config.games >= 2 && config.games % 2 == 0, "games", config.games,
          "even and at least 2: every opening is played twice, with colours swapped");
  require(config.opening_plies >= 0 && config.opening_plies <= 100, "opening_plies",
          config.opening_plies, "0 to 100");
  require(config.threads >= 1, "threads", config.threads, "at least 1");
  require(config.games_at_once >= 1, "games_at_once", config.games_at_once, "at least 1");
  require(config.leaves_per_tree >= 1, "leaves_per_tree", config.leaves_per_tree, "at least 1");
  require(config.max_plies > config.opening_plies, "max_plies", config.max_plies,
          "more than the opening's plies");
  require(config.temperature >= 0, "temperature", config.temperature, "at least 0");
  require(config.temperature_plies >= 0, "temperature_plies", config.temperature_plies,
          "at least 0");
}

std::uint64_t opening_seed(std::uint64_t seed) {
  return splitmix64(seed);
}

std::uint64_t game_seed(std::uint64_t seed, int number) {
  return splitmix64(splitmix64(splitmix64(seed)) + static_cast<std::uint64_t>(number));
}

Score MatchResult::score() const {
  Score sum;
  for (const Score& score : by_colour) {
    sum.wins += score.wins;
    sum.draws += score.draws;
    sum.losses += score.losses;
  }
  return sum;
}

double MatchResult::mean_plies() const {
  const int games = score().games();
  return games == 0 ? 0 : static_cast<double>(plies) / games;
}

MatchCounter::MatchCounter(int planned_games, int openings)
    : twice_points_(static_cast<std::size_t>(planned_games + planned_games % 2), -1) {
  result_.planned_games = planned_games;
  result_.openings = openings;
}

void MatchCounter::add(const MatchGame& game) {
  const int first_score = game.first_score();
  Score& score = result_.by_colour[static_cast<std::size_t>(index(game.first_colour))];
  ++(first_score > 0 ? score.wins : first_score < 0 ? score.losses : score.draws);
  ++result_.endings.at(static_cast<std::size_t>(game.outcome));
  result_.plies += game.plies();

  const auto number = static_cast<std::size_t>(game.number);
  twice_points_.at(number) = first_score + 1;
  const int partner = twice_points_[number ^ 1U];
  if (partner < 0) {
    result_.tally.add_single(first_score + 1);
  } else {
    --result_.tally.singles.at(static_cast<std::size_t>(partner));
    result_.tally.add_pair(first_score + 1 + partner);
  }
}

}  // namespace faultline
