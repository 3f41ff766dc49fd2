// The schedule of an ordinary run: actors and learner run concurrently.
//
// The calling thread is the learner; it also handles the reports, the limits and the stop
// signals. Finished games go from an actor to the disk and, decoded, into `arrived_`, where the
// learner picks them up. The replay ratio couples the two: without new positions the learner waits,
// and when it falls too far behind the actors wait.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "selfplay/game_numbers.h"
#include "selfplay/run_threads.h"
#include "selfplay/training_loop.h"

namespace faultline {

template <Position P>
class FreeSchedule {
 public:
  /// Both must outlive the schedule.
  FreeSchedule(TrainingLoop<P>& loop, const RunThreads& threads)
      : loop_(&loop), threads_(&threads) {}

  /// Runs until a limit is reached or a stop signal arrives. Rethrows an exception of an actor or
  /// the learner after all threads have ended.
  void play() {
    GameNumbers numbers(loop_->persistence().games().numbers,
                        static_cast<std::uint64_t>(loop_->config().run.games));
    ActorWorld<P> world = loop_->world(numbers);
    world.sink = [this](GameRecord&& game) { take_from_actor(std::move(game)); };
    world.go_on = [this] { return may_play(); };

    playing_ = actor_threads(loop_->config());
    std::exception_ptr learner_failure;
    (*threads_)(
        playing_, [&] { act(world); },
        [&] {
          try {
            learn_while_playing();
          } catch (...) {
            learner_failure = std::current_exception();
          }
          end_actors();
        });
    if (learner_failure) std::rethrow_exception(learner_failure);
    collect_arrived();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Arrived {
    GameSamples<P> samples;
    GameRecord game;
  };

  /// The body of an actor thread.
  void act(const ActorWorld<P>& world) {
    std::exception_ptr failure;
    try {
      Actor<P>(world, loop_->groups()).run();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    --playing_;
    learner_wakes_.notify_one();
  }

  void take_from_actor(GameRecord&& game) {
    GameSamples<P> samples = loop_->decode(game);
    const std::scoped_lock lock(
        mutex_);  // so that games arrive in the order in which they are stored
    loop_->persistence().append(game);
    arrived_.push_back({std::move(samples), std::move(game)});
    learner_wakes_.notify_one();
  }

  bool may_play() {
    if (!paused_) return !ending_;
    std::unique_lock lock(mutex_);
    actors_wake_.wait(lock, [this] { return !paused_ || ending_; });
    return !ending_;
  }

  void pause_actors(bool pause) {
    if (pause == paused_) return;
    if (pause)
      loop_->reporter().meter().actors_paused();
    else
      loop_->reporter().meter().actors_resumed();
    {
      const std::scoped_lock lock(mutex_);
      paused_ = pause;
    }
    actors_wake_.notify_all();
  }

  void end_actors() {
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    actors_wake_.notify_all();
  }

  /// Moves finished games into the window; false when the actors have ended.
  bool collect_arrived() {
    std::vector<Arrived> arrived;
    bool playing = true;
    {
      const std::scoped_lock lock(mutex_);
      arrived.swap(arrived_);
      playing = playing_ > 0 && !failure_;
    }
    for (Arrived& one : arrived)
      loop_->take(std::move(one.samples), one.game);
    return playing;
  }

  void learn_while_playing() {
    while (!loop_->must_stop()) {
      const bool playing = collect_arrived();
      if (failed()) return;
      // A learner that cannot make a step (an empty window) never catches up.
      pause_actors(playing && loop_->learner().may_step() &&
                   loop_->learner().lag() > largest_lag(loop_->config().learner));
      if (loop_->learner().may_step()) {
        loop_->step();
      } else if (!playing) {
        return;  // all games are played and trained on
      } else {
        std::unique_lock lock(mutex_);
        // The timeout is for signals, limits and reports, which do not notify.
        learner_wakes_.wait_for(lock, std::chrono::milliseconds(50),
                                [this] { return !arrived_.empty() || playing_ == 0; });
      }
      loop_->report_if_due();
    }
  }

  bool failed() {
    const std::scoped_lock lock(mutex_);
    return failure_ != nullptr;
  }

  TrainingLoop<P>* loop_;
  const RunThreads* threads_;
  std::mutex mutex_;
  std::condition_variable learner_wakes_;
  std::condition_variable actors_wake_;
  std::vector<Arrived> arrived_;     // guarded by mutex_
  int playing_ = 0;                  // running actors; guarded by mutex_
  std::exception_ptr failure_;       // an actor's; guarded by mutex_
  std::atomic<bool> paused_{false};  // written under mutex_
  std::atomic<bool> ending_{false};  // written under mutex_
};

}  // namespace faultline
