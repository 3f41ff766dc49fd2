// A complete training session, with any trainer and threads.
#pragma once

#include <functional>
#include <memory>

#include "record/config.h"
#include "selfplay/run_options.h"
#include "selfplay/run_persistence.h"
#include "selfplay/run_threads.h"
#include "selfplay/run_trainer.h"

namespace faultline {

/// Makes a trainer that resumes from the state in the run's folder, or a new one if there is none.
using MakeRunTrainer = std::function<std::unique_ptr<RunTrainer>(RunPersistence&)>;

/// run_training (run.h) with this trainer. `threads` starts the actors; a deterministic run needs
/// none.
RunResult run_session(const Config& config, const RunOptions& options,
                      const MakeRunTrainer& make_trainer, const RunThreads& threads);

}  // namespace faultline
