#include "app/games_progress.h"

#include <iostream>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

#include "base/signed_text.h"
#include "base/stop_signals.h"

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
    parts.push_back(fmt::format(", {}about {} left", at_most,
                                time_left(seconds(), (work_ - before_) / (plan_.work - before_))));
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

double GamesProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

GamesProgress::Plan plan_of(const MatchConfig& config) {
  return {.games = config.games,
          .work = static_cast<double>(config.games),
          .at_most = config.sprt.has_value()};
}

namespace {

/// "A +3 =2 -1 (66.7 %), LLR 1.20 (-2.94 to 2.94) after 3 pairs, 1 cut".
std::string progress_text(const MatchResult& result) {
  const Score score = result.score();
  std::string text = fmt::format("A +{} ={} -{}", score.wins, score.draws, score.losses);
  if (score.games() > 0) text += fmt::format(" ({:.1f} %)", 100 * score.points() / score.games());
  if (result.sprt)
    text += fmt::format(", LLR {} ({} to {}) after {} pairs", signed_text(result.sprt->llr, 2),
                        signed_text(result.sprt->lower, 2), signed_text(result.sprt->upper, 2),
                        result.sprt->pairs);
  if (result.cut > 0 && !result.cut_are_draws) text += fmt::format(", {} cut", result.cut);
  if (!result.forfeits.empty()) text += fmt::format(", {} forfeited", result.forfeits.size());
  return text;
}

}  // namespace

MatchResult run_match(const MatchSetup& setup, PlayerResources& resources, GamesProgress& progress,
                      const MatchHooks& more) {
  MatchHooks hooks = more;
  hooks.on_progress = [&](const MatchResult& so_far) {
    progress.finished(1, progress_text(so_far));
    if (more.on_progress) more.on_progress(so_far);
  };
  hooks.stop = [&] {
    progress.tick();
    return StopSignals::requested() || (more.stop && more.stop());
  };
  MatchResult result = run_match(setup, resources, hooks);
  progress.clear();
  return result;
}

}  // namespace faultline
