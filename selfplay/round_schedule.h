// The schedule of a deterministic run: one actor and the learner take turns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "selfplay/game_numbers.h"
#include "selfplay/training_loop.h"

namespace faultline {

/// Rounds of games by one network, each followed by the steps that are due. The games of a round
/// depend only on the weights at its start and on the games before it, so a round with some or all
/// of its games on disk can be read, or played again without storing those games a second time. A
/// round that a limit cuts short is complete: if the limit is raised, the next round starts after
/// it.
template <Position P>
class RoundSchedule {
 public:
  /// `loop` must outlive the schedule.
  explicit RoundSchedule(TrainingLoop<P>& loop) : loop_(&loop) {}

  /// Runs until a limit is reached or a stop signal arrives.
  void play() {
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

 private:
  std::uint64_t round_begin() const { return loop_->persistence().state().in_rounds; }
  std::uint64_t round_end() const {
    const Config& config = loop_->config();
    const std::uint64_t end =
        round_begin() + static_cast<std::uint64_t>(config.selfplay.games_per_thread);
    return config.run.games > 0 ? std::min(end, static_cast<std::uint64_t>(config.run.games)) : end;
  }

  /// Finds the games on disk that belong to rounds which are not completed.
  void find_later_games() {
    StoredGames games(loop_->persistence().games());
    for (std::uint64_t i = 0; i < games.size(); ++i)
      if (games[i].number >= round_begin()) later_.emplace(games[i].number, games[i]);
  }

  /// False if the round was interrupted: it will be played again.
  bool play_round() {
    std::map<std::uint64_t, GameRecord> games;
    const auto first = later_.lower_bound(round_begin()), last = later_.lower_bound(round_end());
    if (static_cast<std::uint64_t>(std::distance(first, last)) == round_end() - round_begin()) {
      for (auto game = first; game != last; ++game)
        games.emplace(game->first, read_game(game->second));
    } else {
      GameNumbers numbers({}, round_end(), round_begin());
      ActorWorld<P> world = loop_->world(numbers);
      world.sink = [&](GameRecord&& game) {
        const std::uint64_t number = game.number;
        games.emplace(number, std::move(game));
      };
      world.go_on = [this] {
        loop_->report_if_due();
        return !loop_->must_stop();
      };
      Actor<P>(world, 1).run();
      if (games.size() != round_end() - round_begin()) return false;
      for (auto& [number, game] : games)
        if (const auto there = later_.find(number); there != later_.end())
          game = read_game(there->second);
        else
          loop_->persistence().append(game);
    }
    for (const auto& [number, game] : games)
      loop_->take(loop_->decode(game), game);
    return true;
  }

  TrainingLoop<P>* loop_;
  std::map<std::uint64_t, StoredGame> later_;
};

}  // namespace faultline
