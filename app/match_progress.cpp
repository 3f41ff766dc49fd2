// The line of progress: games, score, the sequential test, and the time left.
#include "app/match_progress.h"

#include <iostream>

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
  if (lock && line_.due()) line_.show(text());
}

void MatchProgress::clear() {
  const std::scoped_lock lock(mutex_);
  line_.clear();
}

double MatchProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string MatchProgress::text() const {
  const Score score = result_.score();
  std::string text = config_.sprt ? fmt::format("{} games", result_.finished)
                                  : fmt::format("{} of {} games", result_.finished, config_.games);
  if (result_.finished == 0) return fmt::format("{}, {} plies played", text, plies.load());
  if (score.games() > 0)
    text += fmt::format(": A +{} ={} -{} ({:.1f} %)", score.wins, score.draws, score.losses,
                        100 * score.points() / score.games());
  if (result_.cut > 0 && !result_.cut_are_draws) text += fmt::format(", {} cut", result_.cut);
  if (!result_.forfeits.empty()) text += fmt::format(", {} forfeited", result_.forfeits.size());
  if (result_.sprt)
    return text + fmt::format(", LLR {} ({} to {}) after {} pairs",
                              signed_text(result_.sprt->llr, 2),
                              signed_text(result_.sprt->lower, 2),
                              signed_text(result_.sprt->upper, 2), result_.sprt->pairs);
  // The games that end first are the short ones: the estimate is useful only once some have ended.
  if (result_.finished * 10 < config_.games) return text;
  const double done = static_cast<double>(plies.load()) / (result_.mean_plies() * config_.games);
  return done < 1 ? text + fmt::format(", about {} left", time_left(seconds(), done)) : text;
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
