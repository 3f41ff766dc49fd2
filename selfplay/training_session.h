// A complete training session, with any trainer and threads.
#pragma once

#include <functional>
#include <memory>
#include <ostream>

#include "selfplay/free_schedule.h"
#include "selfplay/round_schedule.h"
#include "selfplay/run_options.h"
#include "selfplay/training_loop.h"

namespace faultline {

/// Makes a trainer that resumes from the state in the run's folder, or a new one if there is none.
template <Position P>
using MakeRunTrainer = std::function<std::unique_ptr<RunTrainer<P>>(RunPersistence&)>;

/// run_training (run.h) for one family. `threads` starts the actors; a deterministic run needs
/// none.
template <Position P>
RunResult run_session(const typename P::Variant& variant, const Config& config,
                      const RunOptions& options, const MakeRunTrainer<P>& make_trainer,
                      const RunThreads& threads) {
  RunPersistence persistence(config, variant.canonical_name(), options);
  const std::unique_ptr<RunTrainer<P>> trainer = make_trainer(persistence);
  if (!options.games_from.empty()) {
    *options.out << "Copying the games of " << options.games_from.string() << std::endl;
    persistence.inherit_games_of(options.games_from);
  }
  RunReporter reporter(*options.out, options.terminal, persistence.folder().metrics_file(),
                       config.run.report_seconds, config.run.tensorboard);
  TrainingLoop<P> loop(variant, config, *trainer, persistence, reporter, options.measure_strength);
  const StopSignals signals;
  loop.begin();
  loop.catch_up();
  if (loop.must_stop()) return loop.finish();
  if (config.run.deterministic)
    RoundSchedule<P>(loop).play();
  else
    FreeSchedule<P>(loop, threads).play();
  return loop.finish();
}

}  // namespace faultline
