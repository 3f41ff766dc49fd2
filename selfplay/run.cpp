// A training run with LibTorch's trainer and oneTBB's threads.
#include "selfplay/run.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/machine_memory.h"
#include "base/processor.h"
#include "base/stop_signals.h"
#include "model/checkpoint.h"
#include "model/inference/libtorch_backend.h"
#include "model/torch_compat.h"
#include "model/training/network_work.h"
#include "selfplay/fast_run_trainer.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/inherited_games.h"
#include "selfplay/known_device.h"
#include "selfplay/network_trainer.h"
#include "selfplay/run_encoding.h"
#include "selfplay/run_inference.h"
#include "selfplay/run_probe.h"
#include "selfplay/training_memory.h"
#include "selfplay/training_session.h"

namespace faultline {
namespace {

/// A GPU has memory of its own, and says itself when it is full.
void require_memory(const Config& config, const EncodingInfo& encoding) {
  if (!config.on_gpu) require_training_memory(config, encoding, machine_memory());
}

/// Throws ConfigError for a device that this machine does not have.
Config with_resolved_device(Config config) {
  require_device(config);
  const std::string& backend = config.device.backend;  // the others' device is the CPU
  config.on_gpu = resolve_device(device_list(config.device.device).front()) != "cpu" &&
                  (backend == kAuto || backend == "libtorch");
  return config;
}

}  // namespace

RunResult run_training(const Config& given, const RunOptions& options) {
  std::unique_ptr<RankProcesses> ranks;
  if (given.learner.ranks > 1 && given.fast.network != FastRun::Alone)
    ranks = std::make_unique<RankProcesses>(given.learner.ranks);  // before LibTorch has threads
  const Config config = with_resolved_device(given);               // before the folder is created
  followed_strategy(config, options.folder);
  inheritance(config, options);
  const EncodingInfo encoding = encoding_of_run(config);
  if (config.fast.network == FastRun::Alone) {
    const auto teacher = load_teacher(config, encoding, all_backends());
    return run_session(
        config, options,
        [&](RunPersistence& persistence) {
          return std::make_unique<FastRunTrainer>(make_fast_trainer(config, options, persistence),
                                                  encoding, teacher);
        },
        run_in_arena);
  }
  require_memory(config, encoding);
  if (!options.init_from.empty())
    require_fitting_network(options.init_from, read_checkpoint_info(options.init_from), encoding);
  return run_session(
      config, options,
      [&](RunPersistence& persistence) {
        const SettledInference inference =
            settle_inference(config, persistence.state(), all_backends());
        persistence.settle(inference);
        const std::vector<std::string> devices = device_list(inference.choice.device);
        Trainer trainer = make_trainer(config, options, persistence, encoding, devices.front());
        if (ranks) ranks->begin(trainer, devices, persistence.folder().path() / "ranks.pt");
        return std::make_unique<NetworkTrainer>(std::move(trainer), inference.choice,
                                                std::move(ranks));
      },
      run_in_arena);
}

namespace {

RunMachine this_machine(const std::filesystem::path& folder) {
  RunMachine machine;
  machine.cores = available_processors();
  machine.memory_bytes = machine_memory();
  std::error_code error;
  std::filesystem::path existing = std::filesystem::absolute(folder, error);
  while (!error && !std::filesystem::exists(existing, error) && existing.has_relative_path())
    existing = existing.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(existing, error);
  if (!error) machine.free_disk_bytes = space.available;
  return machine;
}

}  // namespace

RunCheck check_run(const Config& wanted, const RunOptions& options, const ProbeLimits& limits) {
  // Where there is no GPU at all, the figures of one that was measured stand for it.
  const bool elsewhere = wanted.device.device.starts_with("cuda") && !has_cuda_device();
  Config given = wanted;
  if (elsewhere) {
    given.device.device = "cpu";
    given.device.precision = PrecisionChoice::Auto;
    TrainingPrecision& training = given.learner.train.precision;  // "auto" is a GPU's here, too
    if (training == TrainingPrecision::Auto) training = TrainingPrecision::Fp32;
  }
  const Config config = with_resolved_device(given);
  followed_strategy(config, {});
  RunCheck check;
  check.machine = this_machine(options.folder);
  const StopSignals signals;
  const EncodingInfo encoding = encoding_of_run(config);
  require_memory(config, encoding);
  const SettledInference inference = settle_inference(config, {}, all_backends());
  check.messages = inference.messages;
  if (elsewhere)
    check.messages = {fmt::format(
        "There is no device '{}' here: speeds and times are computed for {}, whose rates of other "
        "networks docs/measurements.md has",
        wanted.device.device, kKnownDevice)};
  NetworkTrainer trainer(
      make_new_trainer(config, encoding, device_list(inference.choice.device).front()),
      inference.choice);
  const auto probe = [&](std::int64_t one_level_games) {
    Config stage = config;
    stage.selfplay.one_level_games = one_level_games;
    stage.selfplay.rising_level_games = 0;
    const ProbedGames probed = probe_games(stage, limits, run_in_arena);
    if (elsewhere) {
      const NetworkDescription network = describe_network(encoding, config.net);
      const double boards = one_level_games > 0 ? 1 : static_cast<double>(network.boards.size());
      return FirstGames{
          .games = probed.sample,
          .speeds = speeds_of_known_device(stage, network_work(network, 0, std::max(boards, 1.0)),
                                           probed.sample.targets_per_ply)};
    }
    return FirstGames{.games = probed.sample,
                      .speeds = probe_speeds(stage, trainer, probed, limits, run_in_arena)};
  };
  if (config.selfplay.one_level_games > 0)
    check.first_games = probe(std::numeric_limits<std::int64_t>::max());
  auto later = probe(0);
  check.games = std::move(later.games);
  check.speeds = later.speeds;
  check.network = trainer.describe();
  if (elsewhere) check.network.resize(check.network.rfind(','));  // no backend was asked for
  check.parameters = trainer.parameters();
  check.stopped = StopSignals::requested();
  Config there = config;
  if (elsewhere && there.selfplay.threads == 0) there.selfplay.threads = 15;  // and the learner's
  check.forecast = forecast_run(there, check.games, check.speeds, check.parameters, check.machine,
                                inheritance(config, options), check.first_games);
  return check;
}

}  // namespace faultline
