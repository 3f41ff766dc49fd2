// The schedule of a deterministic run.
#include "selfplay/round_schedule.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/stop_signals.h"

namespace faultline {
namespace {

/// The next numbers of a source, but no more than so many.
class Share final : public NumberSource {
 public:
  Share(NumberSource& source, std::uint64_t most) : source_(&source), left_(most) {}
  NumberRange take() override {
    if (left_ == 0) return {};
    --left_;
    return source_->take();
  }

 private:
  NumberSource* source_;  // gives one at a time
  std::uint64_t left_;
};

}  // namespace

void RoundSchedule::play() {
  find_later_games();
  arrivals_->finish_in(numbers_);
  numbers_.open(round_begin(), round_begin());
  const CourierEnd courier_end{courier_};
  bool goes_on = true;
  while (goes_on && !loop_->must_stop() && round_begin() < round_end()) {
    loop_->publish();
    numbers_.open(round_begin(), round_end());  // after it: whoever gets a number finds its network
    goes_on = play_round() && learn();
    if (goes_on) loop_->persistence().complete_rounds(round_end());
  }
  begin_to_serve();  // where nothing was to be played actors still hear of the end
  if (courier_ != nullptr) courier_->end(!StopSignals::requested());
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

void RoundSchedule::begin_to_serve() {
  if (courier_ == nullptr || std::exchange(serving_, true)) return;
  loop_->serve(*courier_, numbers_, *arrivals_);
}

bool RoundSchedule::play_round() {
  if (numbers_.unfinished() != std::uint64_t{0}) {
    begin_to_serve();
    if (!play_missing_games()) return false;
  }
  for (std::uint64_t number = round_begin(); number < round_end(); ++number)
    if (!arrived_.contains(number) && !later_.contains(number)) return false;  // it was not stored
  for (std::uint64_t number = round_begin(); number < round_end(); ++number)
    if (const auto game = arrived_.find(number); game != arrived_.end())
      loop_->take(game->second.game, std::move(game->second.samples));
    else
      loop_->take(read_game(later_.at(number)));
  arrived_.clear();
  return true;
}

bool RoundSchedule::play_missing_games() {
  // Between its own actor's batches the learner, on the same thread, reports and looks for a reason
  // to stop.
  PlayWhile orders(loop_->nets().newest().identity, [this] {
    if (loop_->reporter().is_due()) loop_->check_courier();
    loop_->report_if_due();
    return !loop_->must_stop();
  });
  constexpr std::chrono::milliseconds kWait{50};
  while (const std::uint64_t missing = numbers_.unfinished().value()) {
    loop_->check_courier();
    if (orders.current().ended) return false;
    const bool plays = loop_->own_threads() > 0 && numbers_.any_left();
    if (plays) {
      const int others = courier_ != nullptr ? courier_->threads() : 0;
      Share share(numbers_, 1 + (missing - 1) / (1 + static_cast<std::uint64_t>(others)));
      loop_
          ->make_actor(
              {.orders = &orders, .numbers = &share, .nets = &loop_->nets(), .games = arrivals_})
          ->run();
    }
    collect(plays ? std::chrono::milliseconds{} : kWait);
  }
  collect();
  return true;
}

void RoundSchedule::collect(std::chrono::milliseconds wait) {
  for (ArrivedGame& arrived : arrivals_->take(wait))
    arrived_.emplace(arrived.game.number, std::move(arrived));
}

bool RoundSchedule::learn() {
  while (loop_->learner().may_step()) {
    if (loop_->must_stop()) return false;
    loop_->check_courier();
    loop_->step();
    loop_->report_if_due();
  }
  return true;
}

}  // namespace faultline
