// Gradient steps on a network, and everything that must survive a restart with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/inference/backend.h"
#include "model/inference/precision.h"
#include "model/net_config.h"
#include "model/training/train_params.h"

namespace faultline {

/// Positions with what the network should have said about them.
struct TrainBatch {
  std::size_t count = 0;
  std::vector<float> planes;              // [count, planes, height, width], row-major
  std::vector<PolicyIndex> moves;         // all positions' legal moves, one after the other
  std::vector<std::uint32_t> first_move;  // count + 1 offsets into `moves`
  /// One target a move; a position's targets sum to 1, or are all 0: it then teaches no policy.
  std::vector<float> policy;
  std::vector<float> wdl;         // [count, 3] win, draw, loss for the mover; rows sum to 1
  std::vector<float> moves_left;  // [count] plies; negative: unknown, teaches nothing

  void clear();
  /// Appends one position. `planes` has EncodingInfo::floats() values; `moves` and `policy` are
  /// of one length, at least 1.
  void add(std::span<const float> position_planes, std::span<const PolicyIndex> legal_moves,
           std::span<const float> policy_target, const std::array<float, 3>& wdl_target,
           float moves_left_target);
};

/// Means over the batch, before the step. Losses are unweighted, in nats (moves_left: a Huber
/// loss in units of 20 plies).
struct StepLosses {
  double total = 0;           // weighted sum
  double policy = 0;          // cross-entropy
  double policy_entropy = 0;  // the targets' own entropy: the least that `policy` can be
  double value = 0;           // cross-entropy over win, draw, loss
  double moves_left = 0;
  double policy_accuracy = 0;  // share of positions whose likeliest move is the target's
  double value_accuracy = 0;   // share whose likeliest result is the target's
  double grad_norm = 0;        // before clipping; 0 from evaluate()
};

/// Owned and used by one thread at a time. Same seed, same batches, same device: same weights (on
/// a CPU with one thread bit for bit).
class Trainer {
 public:
  /// `device`: "cpu", "cuda", "cuda:1", "auto" (CUDA if there is any). Throws
  /// std::invalid_argument for a bad config or a device that is not there.
  Trainer(EncodingInfo encoding, NetConfig net, TrainParams params, const std::string& device,
          std::uint64_t seed);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// One optimiser step. Throws std::invalid_argument for a batch of the wrong sizes,
  /// std::runtime_error if the loss is not finite (the weights are then left as they were).
  StepLosses step(const TrainBatch& batch);
  /// The losses with the weights in use for inference (EMA if there is one, batch norms in
  /// inference mode); changes nothing.
  StepLosses evaluate(const TrainBatch& batch);

  void set_learning_rate(double rate);
  double learning_rate() const;
  /// Takes over everything but the optimizer's kind and, if one run had an EMA and the other none,
  /// starts it from the present weights.
  void set_params(const TrainParams& params);
  const TrainParams& params() const;

  std::int64_t steps() const;
  std::int64_t parameter_count() const;
  const EncodingInfo& encoding() const;
  const NetConfig& net() const;
  std::string device() const;

  /// Writes a temporary file beside `path`, syncs it and renames it: `path` is whole or untouched.
  /// Throws std::runtime_error naming the file.
  void save(const std::filesystem::path& path) const;
  /// The trainer as it was saved: the next step is the same. Throws CheckpointError.
  static Trainer load(const std::filesystem::path& path, const std::string& device);

  /// A copy of the present (EMA) weights, ready for inference on the trainer's device; later
  /// steps do not change it.
  std::shared_ptr<Backend> inference_backend(Precision precision = Precision::Fp32) const;
  /// The same on another device.
  std::shared_ptr<Backend> inference_backend(Precision precision, const std::string& device) const;

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace faultline
