#include "app/games_progress.h"

#include <iostream>
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

std::string GamesProgress::line_text() const {
  if (!stage_.empty()) return stage_;
  std::string line =
      fmt::format("{} of {}{} games", games_, plan_.at_most ? "at most " : "", plan_.games);
  if (!plan_.note.empty()) line += ", " + plan_.note;
  if (work_ > before_ && plan_.work > before_) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    line += fmt::format(", {}about {} left; {}", plan_.at_most ? "at most " : "",
                        time_left(seconds, (work_ - before_) / (plan_.work - before_)), last_);
  }
  return line;
}

void GamesProgress::tick() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && line_.due()) line_.show(line_text());
}

void GamesProgress::clear() {
  const std::scoped_lock lock(mutex_);
  line_.clear();
}

}  // namespace faultline
