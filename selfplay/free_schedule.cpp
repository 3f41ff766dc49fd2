// The schedule of an ordinary run.
#include "selfplay/free_schedule.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "selfplay/game_numbers.h"

namespace faultline {

void FreeSchedule::play() {
  GameNumbers numbers(loop_->persistence().games().numbers,
                      static_cast<std::uint64_t>(loop_->config().run.games));
  playing_ = actor_threads(loop_->config());
  std::exception_ptr learner_failure;
  (*threads_)(
      playing_, [&] { act(numbers); },
      [&] {
        try {
          learn_while_playing();
        } catch (...) {
          learner_failure = std::current_exception();
        }
        end_actors();
      });
  if (learner_failure) std::rethrow_exception(learner_failure);
  take_arrived();
  if (failure_) std::rethrow_exception(failure_);
}

void FreeSchedule::act(NumberSource& numbers) {
  std::exception_ptr failure;
  try {
    loop_
        ->make_actor({.orders = &loop_->orders(),
                      .numbers = &numbers,
                      .nets = &loop_->nets(),
                      .games = arrivals_})
        ->run();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::scoped_lock lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    --playing_;
  }
  arrivals_->wake();
}

void FreeSchedule::learn_while_playing() {
  // The timeout is for signals, limits and reports, which wake nobody.
  constexpr std::chrono::milliseconds kWait{50};
  while (!loop_->must_stop()) {
    const bool more = playing();  // asked first: what the last actor has sent is then there
    take_arrived();
    if (failed()) return;
    const Learner& learner = loop_->learner();
    // A learner that cannot make a step (an empty window) never catches up.
    pause_actors(more && learner.may_step() &&
                 learner.lag() > largest_lag(loop_->config().learner));
    if (learner.may_step())
      loop_->step();
    else if (more)
      take_arrived(kWait);
    else
      return;  // all games are played and trained on
    loop_->report_if_due();
  }
}

void FreeSchedule::pause_actors(bool pause) {
  if (pause == std::exchange(paused_, pause)) return;
  if (pause)
    loop_->reporter().meter().actors_paused();
  else
    loop_->reporter().meter().actors_resumed();
  Orders orders = loop_->orders().current();
  orders.paused = pause;
  loop_->orders().replace(orders);
}

void FreeSchedule::end_actors() {
  Orders orders = loop_->orders().current();
  orders.ended = true;
  loop_->orders().replace(orders);
}

void FreeSchedule::take_arrived(std::chrono::milliseconds wait) {
  for (ArrivedGame& arrived : arrivals_->take(wait))
    loop_->take(arrived.game, std::move(arrived.samples));
}

bool FreeSchedule::playing() {
  const std::scoped_lock lock(mutex_);
  return playing_ > 0 && !failure_;
}

bool FreeSchedule::failed() {
  const std::scoped_lock lock(mutex_);
  return failure_ != nullptr;
}

}  // namespace faultline
