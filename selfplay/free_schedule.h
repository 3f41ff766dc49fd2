// The schedule of an ordinary run: actors and learner run concurrently.
//
// The calling thread is the learner; it also handles the reports, the limits and the stop
// signals. The replay ratio couples the two: without new positions the learner waits, and when it
// falls too far behind, it orders the actors to pause.
#pragma once

#include <exception>
#include <mutex>

#include "selfplay/courier.h"
#include "selfplay/local_links.h"
#include "selfplay/run_threads.h"
#include "selfplay/training_loop.h"

namespace faultline {

class FreeSchedule {
 public:
  /// All must outlive the schedule. `arrivals`: the loop's. `courier`: has actors in other
  /// processes play, too; null: there are none.
  FreeSchedule(TrainingLoop& loop, LocalArrivals& arrivals, Courier* courier,
               const RunThreads& threads)
      : loop_(&loop), arrivals_(&arrivals), courier_(courier), threads_(&threads) {}

  /// Runs until a limit is reached or a stop signal arrives. Rethrows an exception of an actor or
  /// the learner after all threads have ended.
  void play();

 private:
  /// The body of an actor thread.
  void act(GameNumbers& numbers);
  void learn_while_playing(GameNumbers& numbers);
  void pause_actors(bool pause);
  void end_actors();
  /// Learns of the games that have arrived.
  void take_arrived(std::chrono::milliseconds wait = {});
  /// Whether more games can arrive, unless an actor has failed.
  bool playing(GameNumbers& numbers);
  bool failed();

  TrainingLoop* loop_;
  LocalArrivals* arrivals_;
  Courier* courier_;
  const RunThreads* threads_;
  bool paused_ = false;
  std::mutex mutex_;
  int playing_ = 0;             // running actors; guarded by mutex_
  std::exception_ptr failure_;  // an actor's; guarded by mutex_
};

}  // namespace faultline
