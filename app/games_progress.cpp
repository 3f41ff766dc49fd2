#include "app/games_progress.h"

#include <iostream>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

namespace faultline {

GamesProgress::GamesProgress(int games, double work, Plan plan)
    : before_(work),
      start_(Clock::now()),
      games_(games),
      work_(work),
      plan_(std::move(plan)),
      line_(std::cerr, isatty(STDERR_FILENO) != 0) {}

void GamesProgress::finished(double work, std::string last) {
  const std::scoped_lock lock(mutex_);
  ++games_;
  work_ += work;
  last_ = std::move(last);
}

void GamesProgress::set_plan(Plan plan) {
  const std::scoped_lock lock(mutex_);
  plan_ = std::move(plan);
}

void GamesProgress::set_stage(const std::string& stage) {
  const std::scoped_lock lock(mutex_);
  stage_ = stage;
}

std::vector<std::string> GamesProgress::parts() const {
  if (!stage_.empty()) return {stage_};
  const std::string_view at_most = plan_.at_most ? "at most " : "";
  std::vector<std::string> parts = {fmt::format("{} of {}{} games", games_, at_most, plan_.games)};
  if (work_ > before_ && plan_.work > before_) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    parts.push_back(fmt::format(", {}about {} left", at_most,
                                time_left(seconds, (work_ - before_) / (plan_.work - before_))));
  }
  if (!plan_.note.empty()) parts.push_back(", " + plan_.note);
  if (!last_.empty()) parts.push_back("; " + last_);
  return parts;
}

void GamesProgress::tick() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && line_.due()) line_.show(parts());
}

void GamesProgress::clear() {
  const std::scoped_lock lock(mutex_);
  line_.clear();
}

}  // namespace faultline
