// Scales the figures of docs/measurements.md by the work of another network.
#include "selfplay/known_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/machine_memory.h"
#include "selfplay/run_probe.h"

namespace faultline {
namespace {

constexpr double kSelfplayOperations = 3.1e14;  // per second
constexpr double kEvaluationsOfCores = 16 / 9e-6;

struct TrainingRate {
  double flops;      // of a position's forward pass
  double positions;  // per second, in batches of 1,024
};
constexpr std::array kTraining = {TrainingRate{59.9e6, 262'000}, TrainingRate{383.8e6, 63'900},
                                  TrainingRate{3'032e6, 20'900}};

/// Beyond the sizes that were measured, positions take time as operations do.
double trained_positions(double flops) {
  if (flops <= kTraining.front().flops) return kTraining.front().positions;
  if (flops >= kTraining.back().flops)
    return kTraining.back().positions * kTraining.back().flops / flops;
  const auto* const upper =
      std::ranges::find_if(kTraining, [&](const TrainingRate& rate) { return rate.flops > flops; });
  const auto* const lower = upper - 1;
  const double part = std::log(flops / lower->flops) / std::log(upper->flops / lower->flops);
  return lower->positions * std::pow(upper->positions / lower->positions, part);
}

}  // namespace

RunSpeeds speeds_of_known_device(const Config& config, const NetworkWork& work,
                                 double targets_per_ply) {
  const std::chrono::steady_clock::time_point begin{};
  const ActorMark second{
      .time = begin + std::chrono::seconds(1),
      .evaluations = std::min(kSelfplayOperations / work.flops, kEvaluationsOfCores)};
  RunSpeeds speeds = speeds_between({.time = begin}, second, config, 1, targets_per_ply);
  speeds.step_seconds = config.learner.batch / trained_positions(work.flops);
  speeds.process_bytes = most_process_memory();
  speeds.shares_cores = false;
  return speeds;
}

}  // namespace faultline
