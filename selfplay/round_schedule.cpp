// The schedule of a deterministic run.
#include "selfplay/round_schedule.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "record/stored_games.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"

namespace faultline {

void RoundSchedule::play() {
  find_later_games();
  while (!loop_->must_stop() && round_begin() < round_end()) {
    loop_->publish();
    if (!play_round()) return;
    while (loop_->learner().may_step()) {
      if (loop_->must_stop()) return;
      loop_->step();
      loop_->report_if_due();
    }
    loop_->persistence().complete_rounds(round_end());
  }
}

std::uint64_t RoundSchedule::round_end() const {
  const Config& config = loop_->config();
  const std::uint64_t end =
      round_begin() + static_cast<std::uint64_t>(config.selfplay.games_per_thread);
  return config.run.games > 0 ? std::min(end, static_cast<std::uint64_t>(config.run.games)) : end;
}

void RoundSchedule::find_later_games() {
  StoredGames games(loop_->persistence().games());
  for (std::uint64_t i = 0; i < games.size(); ++i)
    if (games[i].number >= round_begin()) later_.emplace(games[i].number, games[i]);
}

RoundSchedule::Games RoundSchedule::played_games() {
  Games games;
  GameNumbers numbers({}, round_end(), round_begin());
  // Between the actor's batches the learner, on the same thread, reports and looks for a reason to
  // stop.
  PlayWhile orders(loop_->nets().newest().identity, [this] {
    loop_->report_if_due();
    return !loop_->must_stop();
  });
  // Stored in the order of their numbers once all are there: a run that is killed before plays them
  // again.
  FunctionSink sink([&](GameRecord&& game) {
    const std::uint64_t number = game.number;
    games.emplace(number, std::move(game));
  });
  loop_
      ->make_actor({.orders = &orders, .numbers = &numbers, .nets = &loop_->nets(), .games = &sink})
      ->run();
  return games;
}

bool RoundSchedule::play_round() {
  Games games;
  const auto first = later_.lower_bound(round_begin()), last = later_.lower_bound(round_end());
  if (static_cast<std::uint64_t>(std::distance(first, last)) == round_end() - round_begin()) {
    for (auto game = first; game != last; ++game)
      games.emplace(game->first, read_game(game->second));
  } else {
    games = played_games();
    if (games.size() != round_end() - round_begin()) return false;
    for (auto& [number, game] : games)
      if (const auto there = later_.find(number); there != later_.end())
        game = read_game(there->second);
      else
        loop_->persistence().append(game);
  }
  for (const auto& [number, game] : games)
    loop_->take(game);
  return true;
}

}  // namespace faultline
