// A complete training session.
#include "selfplay/training_session.h"

#include <ostream>

#include "base/stop_signals.h"
#include "selfplay/courier.h"
#include "selfplay/free_schedule.h"
#include "selfplay/game_samples.h"
#include "selfplay/local_links.h"
#include "selfplay/round_schedule.h"
#include "selfplay/run_reporter.h"
#include "selfplay/training_loop.h"

namespace faultline {

RunResult run_session(const Config& config, const RunOptions& options,
                      const MakeRunTrainer& make_trainer, const RunThreads& threads) {
  RunPersistence persistence(config, canonical_variant(config), options);
  const std::unique_ptr<Courier> courier =
      options.make_courier ? options.make_courier(persistence) : nullptr;
  const std::unique_ptr<RunTrainer> trainer = make_trainer(persistence);
  if (!options.games_from.empty()) {
    *options.out << "Copying the games of " << options.games_from.string() << std::endl;
    persistence.inherit_games_of(options.games_from);
  }
  RunReporter reporter(*options.out, options.terminal, persistence.folder().metrics_file(),
                       config.run.report_seconds, config.run.tensorboard);
  const GameDecoder decoder(config.run.variant, value_targets(config.learner));
  LocalArrivals arrivals(persistence, decoder);
  TrainingLoop loop(config, *trainer, persistence, reporter, decoder, arrivals,
                    options.measure_strength, !options.learn_only);
  const StopSignals signals;
  loop.begin();
  loop.catch_up();
  if (loop.must_stop()) return loop.finish();
  if (config.run.deterministic) {
    RoundSchedule(loop, arrivals, courier.get()).play();
    return loop.finish();
  }
  FreeSchedule(loop, arrivals, courier.get(), threads).play();
  return loop.finish();
}

}  // namespace faultline
