// The schedule of a deterministic run: actors and the learner take turns.
#pragma once

#include <cstdint>
#include <map>

#include "record/stored_games.h"
#include "selfplay/arrivals.h"
#include "selfplay/courier.h"
#include "selfplay/game_numbers.h"
#include "selfplay/local_links.h"
#include "selfplay/training_loop.h"

namespace faultline {

/// Rounds of games by one network, each followed by the steps that are due. The games of a round
/// depend only on the weights at its start and on the games before it, so it does not matter who
/// plays them, nor in which order they arrive: they are learned from in the order of their numbers
/// once all are there. Those on disk are read. A round that a limit cuts short is complete: if the
/// limit is raised, the next round starts after it.
class RoundSchedule {
 public:
  /// All must outlive the schedule. `arrivals`: the loop's. `courier`: has actors in other
  /// processes play, too; null: there are none.
  RoundSchedule(TrainingLoop& loop, LocalArrivals& arrivals, Courier* courier)
      : loop_(&loop),
        arrivals_(&arrivals),
        courier_(courier),
        numbers_(loop.persistence().games().numbers, 0, round_begin()) {}

  /// Runs until a limit is reached or a stop signal arrives.
  void play();

 private:
  std::uint64_t round_begin() const { return loop_->persistence().state().in_rounds; }
  std::uint64_t round_end() const;
  /// Finds the games on disk that belong to rounds which are not completed.
  void find_later_games();
  /// The courier begins with the first round that is not on disk: what actors still hold of an
  /// earlier session is then of that round and its network.
  void begin_to_serve();
  /// False if the round was interrupted, as the next ones: its games that are there are on disk.
  bool play_round();
  bool play_missing_games();
  void collect(std::chrono::milliseconds wait = {});
  /// False if it was interrupted.
  bool learn();

  TrainingLoop* loop_;
  LocalArrivals* arrivals_;
  Courier* courier_;
  bool serving_ = false;
  GameNumbers numbers_;                           // of the round
  std::map<std::uint64_t, StoredGame> later_;     // by number
  std::map<std::uint64_t, ArrivedGame> arrived_;  // of the round, by number
};

}  // namespace faultline
