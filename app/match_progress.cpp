// The line of progress: games, score, the sequential test, and the time left.
#include "app/match_progress.h"

#include <iostream>
#include <utility>

#include <fmt/core.h>
#include <unistd.h>

#include "base/signed_text.h"
#include "base/stop_signals.h"

namespace faultline {

MatchProgress::MatchProgress(const MatchConfig& config)
    : config_(config), start_(Clock::now()), line_(std::cerr, isatty(STDERR_FILENO) != 0) {}

void MatchProgress::finished(const MatchResult& result) {
  const std::scoped_lock lock(mutex_);
  result_ = result;
}

void MatchProgress::tick() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && line_.due()) line_.show(parts());
}

void MatchProgress::clear() {
  const std::scoped_lock lock(mutex_);
  line_.clear();
}

MatchResult MatchProgress::result() {
  const std::scoped_lock lock(mutex_);
  return result_;
}

double MatchProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::vector<std::string> MatchProgress::parts() const {
  const Score score = result_.score();
  std::vector<std::string> parts;
  parts.push_back(config_.sprt ? fmt::format("{} games", result_.finished)
                               : fmt::format("{} of {} games", result_.finished, config_.games));
  const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    parts.push_back(fmt::format(format, std::forward<Values>(values)...));
  };
  if (result_.finished == 0) add(", {} plies played", plies.load());
  if (score.games() > 0)
    add(": A +{} ={} -{} ({:.1f} %)", score.wins, score.draws, score.losses,
        100 * score.points() / score.games());
  if (result_.sprt)
    add(", LLR {} ({} to {}) after {} pairs", signed_text(result_.sprt->llr, 2),
        signed_text(result_.sprt->lower, 2), signed_text(result_.sprt->upper, 2),
        result_.sprt->pairs);
  // The games that end first are the short ones: the estimate is useful only once some have ended.
  if (!result_.sprt && result_.finished > 0 && result_.finished * 10 >= config_.games) {
    const double done = static_cast<double>(plies.load()) / (result_.mean_plies() * config_.games);
    if (done < 1) add(", about {} left", time_left(seconds(), done));
  }
  if (result_.cut > 0 && !result_.cut_are_draws) add(", {} cut", result_.cut);
  if (!result_.forfeits.empty()) add(", {} forfeited", result_.forfeits.size());
  return parts;
}

MatchResult run_match(const MatchSetup& setup, PlayerResources& resources, MatchProgress& progress,
                      const MatchHooks& more) {
  MatchResult result =
      run_match(setup, resources,
                {.on_game = more.on_game,
                 .on_progress = [&](const MatchResult& so_far) { progress.finished(so_far); },
                 .stop =
                     [&] {
                       progress.tick();
                       return StopSignals::requested() || (more.stop && more.stop());
                     },
                 .plies = &progress.plies});
  progress.clear();
  return result;
}

}  // namespace faultline
