// Which number format trains a network faster on this machine: measured, not guessed.
#include "model/training/precision_probe.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "model/level_boards.h"
#include "model/network_description.h"
#include "model/training/train_batch.h"
#include "model/training/trainer.h"

namespace faultline {
namespace {

/// Any numbers will do: the time of a step does not depend on them.
TrainBatch made_up_batch(const EncodingInfo& encoding, const std::vector<BoardPlanes>& boards,
                         int count) {
  constexpr std::size_t kMoves = 32;
  std::mt19937 rng(1);
  const auto below = [&](std::size_t limit) { return static_cast<std::int32_t>(rng() % limit); };
  TrainBatch batch;
  std::vector<float> planes(encoding.floats());
  std::vector<PolicyIndex> moves(kMoves);
  const std::vector<float> policy(kMoves, 1.0F / kMoves);
  const auto cells = static_cast<std::size_t>(encoding.policy_cells());
  for (int i = 0; i < count; ++i) {
    for (float& value : planes)
      value = rng() % 8 == 0 ? 1.0F : 0.0F;
    let_all_boards_exist(boards, planes, static_cast<std::size_t>(encoding.cells()));
    for (PolicyIndex& move : moves)
      move = {below(cells), below(cells), below(encoding.policy_kinds.size())};
    batch.add(planes, moves, policy, {0, 1, 0}, 20);
  }
  return batch;
}

double seconds_of_step(Trainer& trainer, const TrainBatch& batch) {
  const auto begin = std::chrono::steady_clock::now();
  trainer.step(batch);  // returns once its losses are on the host
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

PrecisionProbe probe_training_precision(const EncodingInfo& encoding, const NetConfig& net,
                                        const TrainParams& params, const std::string& device,
                                        int batch) {
  constexpr int kCpuBatch = 64;  // a step's rate hardly changes beyond it
  constexpr int kRounds = 5;
  constexpr double kSecondsEnough = 1.0;
  constexpr std::uint64_t kSeed = 1;
  TrainParams changed = params;
  changed.learning_rate = 0;  // so that no step can diverge
  const auto trainer = [&](TrainingPrecision precision) {
    changed.precision = precision;
    return Trainer(encoding, net, changed, device, kSeed);
  };
  Trainer exact = trainer(TrainingPrecision::Fp32), rounded = trainer(TrainingPrecision::Bf16);
  const bool on_cpu = exact.device() == "cpu";
  const TrainBatch positions = made_up_batch(encoding, describe_network(encoding, net).boards,
                                             on_cpu ? std::min(batch, kCpuBatch) : batch);

  constexpr double kNever = std::numeric_limits<double>::infinity();
  PrecisionProbe probe{TrainingPrecision::Fp32, kNever, kNever};
  double spent = 0;
  for (int round = 0; round < kRounds && spent < kSecondsEnough; ++round) {
    // The first of each also chooses kernels and fills caches; the fastest counts.
    double seconds = seconds_of_step(exact, positions);
    spent += seconds;
    probe.fp32_seconds = std::min(probe.fp32_seconds, seconds);
    try {
      seconds = seconds_of_step(rounded, positions);
    } catch (const std::exception&) {
      break;  // this LibTorch, or this device, has no bf16 for some operation
    }
    spent += seconds;
    probe.bf16_seconds = std::min(probe.bf16_seconds, seconds);
  }
  // By the ratio as it is shown, so that nothing seems to contradict it.
  if (std::round(100 * probe.bf16_seconds / probe.fp32_seconds) < 100 * kBf16Advantage)
    probe.faster = TrainingPrecision::Bf16;
  return probe;
}

}  // namespace faultline
