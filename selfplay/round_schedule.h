// The schedule of a deterministic run: one actor and the learner take turns.
#pragma once

#include <cstdint>
#include <map>

#include "record/chunk.h"
#include "selfplay/training_loop.h"

namespace faultline {

/// Rounds of games by one network, each followed by the steps that are due. The games of a round
/// depend only on the weights at its start and on the games before it, so a round with some or all
/// of its games on disk can be read, or played again without storing those games a second time. A
/// round that a limit cuts short is complete: if the limit is raised, the next round starts after
/// it.
class RoundSchedule {
 public:
  /// `loop` must outlive the schedule.
  explicit RoundSchedule(TrainingLoop& loop) : loop_(&loop) {}

  /// Runs until a limit is reached or a stop signal arrives.
  void play();

 private:
  using Games = std::map<std::uint64_t, GameRecord>;  // by number

  std::uint64_t round_begin() const { return loop_->persistence().state().in_rounds; }
  std::uint64_t round_end() const;
  /// Finds the games on disk that belong to rounds which are not completed.
  void find_later_games();
  /// False if the round was interrupted: it will be played again.
  bool play_round();
  /// The round's games as one actor plays them; fewer if it was interrupted.
  Games played_games();

  TrainingLoop* loop_;
  std::map<std::uint64_t, StoredGame> later_;
};

}  // namespace faultline
