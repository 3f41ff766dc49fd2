// Measures what a run's games are like and how fast its parts are, in a few seconds.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "record/config.h"
#include "selfplay/game_samples.h"
#include "selfplay/run_forecast.h"
#include "selfplay/run_threads.h"
#include "selfplay/run_trainer.h"

namespace faultline {

/// What probe_games() found: figures, and the games with their training positions.
struct ProbedGames {
  SampleGames sample;
  std::vector<GameSamples> games;
};

/// Games of a search without a network, with few visits, from where the run's games start. They
/// are not cut where the run's would be, but where those of the family are, if that is later. When
/// the time is over, games that have not ended are sampled as far as they are. `in_time`: instead
/// of the time of `limits`; called by all threads.
ProbedGames probe_games(const Config& run, const ProbeLimits& limits, const RunThreads& threads,
                        std::function<bool()> in_time = {});

/// What the actors have done by a time.
struct ActorMark {
  std::chrono::steady_clock::time_point time;
  double evaluations = 0;
  double moves = 0;
  double targets = 0;
};

/// The speeds between two marks. Searches that have just begun have made no move yet: unless every
/// one of `games` has made several, moves and targets are derived from the evaluations and the
/// visits of a search. Subtrees that are kept make that a lower bound.
RunSpeeds speeds_between(const ActorMark& begin, const ActorMark& end, const Config& config,
                         double games, double targets_per_ply);

/// Plays with the trainer's network as the run would, and makes steps on `probed`'s games. The
/// trainer's weights change. `threads`: how the run starts its actors.
RunSpeeds probe_speeds(const Config& config, RunTrainer& trainer, const ProbedGames& probed,
                       const ProbeLimits& limits, const RunThreads& threads);

}  // namespace faultline
