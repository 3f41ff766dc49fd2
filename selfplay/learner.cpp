// The learner: which steps are due, and on which batches.
#include "selfplay/learner.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/seeds.h"

namespace faultline {

void Learner::add(GameSamples samples, std::uint64_t counted) {
  builder_.wait();
  positions_ += counted;
  window_.set_capacity(window_capacity());  // first: what it has room for must not leave
  window_.add(std::move(samples));
  window_is_new_ = true;
}

void Learner::count_positions(std::uint64_t positions) {
  builder_.wait();
  positions_ += positions;
  window_.set_capacity(window_capacity());
  window_is_new_ = true;
}

std::uint64_t Learner::window_capacity() const {
  const ReplayConfig& replay = config_->replay;
  return window_size(positions_, static_cast<std::uint64_t>(replay.min_window),
                     static_cast<std::uint64_t>(replay.window), replay.window_share);
}

std::int64_t Learner::lag() const {
  const std::int64_t due = steps_due(positions_);
  return (config_->run.steps > 0 ? std::min(due, config_->run.steps) : due) - trainer_->steps();
}

StepLosses Learner::step(double done) {
  builder_.wait();
  const std::int64_t number = trainer_->steps();
  const bool stale = config_->run.deterministic && window_is_new_;
  if (next_number_ != number || stale) build(number, next_);
  std::swap(batch_, next_);
  next_number_ = kNone;
  window_is_new_ = false;
  if (lag() > 1) {
    next_number_ = number + 1;
    builder_.start([this] { build(next_number_, next_); });
  }
  trainer_->set_learning_rate(learning_rate(config_->learner, number, done));
  return trainer_->step(batch_);
}

void Learner::build(std::int64_t number, TrainBatch& batch) const {
  constexpr std::uint64_t kStream = 0x6c6561726e657221U;  // apart from the games' choices
  std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config_->run.seed) ^ kStream,
                               static_cast<std::uint64_t>(number)));
  batch.clear();
  for (int i = 0; i < config_->learner.batch; ++i) {
    const Sample sample = window_.draw(rng);
    const bool mirrored = config_->learner.mirror && rng() % 2 == 0;
    add_sample(sample, network_, batch, mirrored);
  }
}

}  // namespace faultline
