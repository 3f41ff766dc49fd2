// Adds up a match's results.
#include "lab/match_result.h"

#include <algorithm>

namespace faultline {

StrategyUse& StrategyUse::operator+=(const StrategyUse& other) {
  follows = follows || other.follows;
  moves += other.moves;
  lifted += other.lifted;
  lifted_below += other.lifted_below;
  return *this;
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

int MatchResult::forfeits_of(int player) const {
  return static_cast<int>(
      std::ranges::count_if(forfeits, [&](const Forfeit& f) { return f.player == player; }));
}

double MatchResult::mean_plies() const {
  return finished == 0 ? 0 : static_cast<double>(plies) / finished;
}

MatchCounter::MatchCounter(const MatchConfig& config)
    : config_(config),
      twice_points_(static_cast<std::size_t>(config.games + config.games % 2), kNotPlayed) {
  result_.planned_games = config.games;
  result_.cut_are_draws = config.cut == CutGames::Draws;
  if (config_.sprt) result_.sprt = sprt_state(*config_.sprt, result_.sprt_pairs);
}

void MatchCounter::add(const MatchGame& game) {
  ++result_.finished;
  result_.plies += game.plies();
  if (openings_.insert(game.opening_key).second) ++result_.openings;

  for (std::size_t i = 0; i < 2; ++i) {
    result_.strategies.at(i) += game.strategies.at(i);
    if (game.strategies.at(i).lifted > 0) ++result_.games_with_lifted_limits.at(i);
  }

  const int first_score = game.first_score();
  switch (game.ending) {
    case MatchEnding::Rules:
      ++result_.endings.at(static_cast<std::size_t>(game.outcome));
      break;
    case MatchEnding::Adjudicated:
      ++(first_score == 0 ? result_.adjudicated_draws : result_.adjudicated_wins);
      break;
    case MatchEnding::Cut:
      ++result_.cut;
      break;
    case MatchEnding::Forfeit:
      result_.forfeits.push_back(
          {.game = game.number, .player = first_score > 0 ? 1 : 0, .reason = game.failure});
      break;
  }

  const auto number = static_cast<std::size_t>(config_.place_of(game.number));
  if (game.ending == MatchEnding::Cut && !result_.cut_are_draws) {
    twice_points_.at(number) = kNotCounted;
    return;
  }
  Score& score = result_.by_colour[static_cast<std::size_t>(index(game.first_colour))];
  ++(first_score > 0 ? score.wins : first_score < 0 ? score.losses : score.draws);
  twice_points_.at(number) = first_score + 1;
  const int partner = twice_points_[number ^ 1U];
  if (partner < 0) {
    result_.tally.add_single(first_score + 1);
  } else {
    --result_.tally.singles.at(static_cast<std::size_t>(partner));
    result_.tally.add_pair(first_score + 1 + partner);
  }
}

void MatchCounter::add_pair_to_sprt(int pair) {
  if (!config_.sprt) return;
  const auto first = static_cast<std::size_t>(config_.place_of(2 * pair));
  if (twice_points_.at(first) < 0 || twice_points_.at(first + 1) < 0) return;
  ++result_.sprt_pairs.at(
      static_cast<std::size_t>(twice_points_[first] + twice_points_[first + 1]));
  result_.sprt = sprt_state(*config_.sprt, result_.sprt_pairs);
}

MatchLedger::MatchLedger(const MatchConfig& config, const MatchHooks& hooks)
    : config_(config), hooks_(hooks), all_(config), in_order_(config) {}

void MatchLedger::add(MatchGame game) {
  const std::scoped_lock lock(mutex_);
  if (decided_) return;
  all_.add(game);
  const int place = config_.place_of(game.number);
  waiting_.emplace(place, std::move(game));
  while (!decided_ && !waiting_.empty() && waiting_.begin()->first == next_)
    release();
  if (hooks_.on_progress) {
    MatchResult now = all_.result();
    now.sprt = in_order_.result().sprt;
    now.sprt_pairs = in_order_.result().sprt_pairs;
    hooks_.on_progress(now);
  }
}

MatchResult MatchLedger::finish() {
  const std::scoped_lock lock(mutex_);
  gap_ = true;
  while (!decided_ && !waiting_.empty())
    release();
  return in_order_.result();
}

void MatchLedger::release() {
  next_ = waiting_.begin()->first + 1;
  const MatchGame game = std::move(waiting_.extract(waiting_.begin()).mapped());
  in_order_.add(game);
  if (game.number % 2 == 1 && !gap_) {
    in_order_.add_pair_to_sprt(game.number / 2);
    const auto& sprt = in_order_.result().sprt;
    decided_ = sprt && sprt->decision != SprtDecision::None;
  }
  if (hooks_.on_game) hooks_.on_game(game, in_order_.result());
}

}  // namespace faultline
