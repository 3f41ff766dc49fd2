// The schedule of an ordinary run.
#include "selfplay/free_schedule.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "base/stop_signals.h"
#include "selfplay/game_numbers.h"

namespace faultline {

void FreeSchedule::play() {
  GameNumbers numbers(loop_->persistence().games().numbers,
                      static_cast<std::uint64_t>(loop_->config().run.games));
  arrivals_->finish_in(numbers);
  const CourierEnd courier_end{courier_};
  if (courier_ != nullptr) loop_->serve(*courier_, numbers, *arrivals_);
  playing_ = loop_->own_threads();
  std::exception_ptr learner_failure;
  (*threads_)(
      playing_, [&] { act(numbers); },
      [&] {
        try {
          learn_while_playing(numbers);
        } catch (...) {
          learner_failure = std::current_exception();
        }
        end_actors();
      });
  if (learner_failure) std::rethrow_exception(learner_failure);
  if (courier_ != nullptr) courier_->end(!StopSignals::requested());
  take_arrived();
  if (failure_) std::rethrow_exception(failure_);
}

void FreeSchedule::act(GameNumbers& numbers) {
  std::exception_ptr failure;
  try {
    const auto actor = loop_->make_actor({.orders = &loop_->orders(),
                                          .numbers = &numbers,
                                          .nets = &loop_->nets(),
                                          .games = arrivals_});
    actor->run();
    // Numbers may come back from actors elsewhere.
    constexpr std::chrono::milliseconds kLook{50};
    while (courier_ != nullptr && numbers.unfinished() != std::uint64_t{0} &&
           !loop_->orders().current().ended)
      if (numbers.any_left())
        actor->run();
      else
        std::this_thread::sleep_for(kLook);
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

void FreeSchedule::learn_while_playing(GameNumbers& numbers) {
  // The timeout is for signals, limits and reports, which wake nobody.
  constexpr std::chrono::milliseconds kWait{50};
  while (!loop_->must_stop()) {
    loop_->check_courier();
    const bool more = playing(numbers);  // asked first: what the last actor has sent is then there
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

bool FreeSchedule::playing(GameNumbers& numbers) {
  const std::scoped_lock lock(mutex_);
  const bool elsewhere = courier_ != nullptr && numbers.unfinished() != std::uint64_t{0};
  return (playing_ > 0 || elsewhere) && !failure_;
}

bool FreeSchedule::failed() {
  const std::scoped_lock lock(mutex_);
  return failure_ != nullptr;
}

}  // namespace faultline
