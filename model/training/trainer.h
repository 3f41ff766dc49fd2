// Gradient steps on a network, and the state that must survive a restart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "model/encoding/encoding.h"
#include "model/inference/backend_registry.h"
#include "model/inference/folded_network.h"
#include "model/inference/precision.h"
#include "model/net_config.h"
#include "model/training/train_batch.h"
#include "model/training/train_params.h"
#include "search/tree_search_settings.h"

namespace faultline {

class Ranks;

/// Owned and used by one thread at a time. Same seed, same batches, same device: same weights (on
/// a CPU with one thread bit for bit).
class Trainer {
 public:
  /// `device`: "cpu", "cuda", "cuda:1", "auto" (CUDA if available). Takes a precision of Auto for
  /// Fp32. Throws std::invalid_argument for an invalid config or an absent device.
  Trainer(EncodingInfo encoding, NetConfig net, TrainParams params, const std::string& device,
          std::uint64_t seed);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// One optimizer step. Throws std::invalid_argument for a batch of the wrong sizes,
  /// std::runtime_error if the loss is not finite (the weights are then unchanged). On a GPU
  /// nothing waits for the device within a step: the losses returned are those of the step before
  /// (of the first one its own), and the error comes with the next step, or before the weights are
  /// read; the steps since have then not happened.
  StepLosses step(const TrainBatch& batch);
  /// From now on each step is one of all ranks, each with a batch of its own, of one size or
  /// nearly: gradients, losses and norms' statistics are means over them, so that all have the same
  /// weights if they began with the same. Norms use a rank's own batch. step() then throws
  /// RankError, too, after which the weights are those before it.
  void share_steps(std::shared_ptr<Ranks> ranks);
  /// Whether errors come late, as on a GPU; for tests on a CPU.
  void decide_late(bool late);
  /// The losses with batch norms in inference mode; changes nothing.
  StepLosses evaluate(const TrainBatch& batch);

  void set_learning_rate(double rate);
  double learning_rate() const;
  /// Adopts all parameters; a precision of Auto leaves it as it is. The optimizer's kind must not
  /// change.
  void set_params(const TrainParams& params);
  const TrainParams& params() const;

  std::int64_t steps() const;
  std::int64_t parameter_count() const;
  const EncodingInfo& encoding() const;
  const NetConfig& net() const;
  std::string device() const;
  /// Hash of the current weights; equals CheckpointInfo::weights_hash once they are saved.
  std::uint64_t weights_hash() const;

  /// Writes a temporary file beside `path`, syncs it and renames it: `path` is complete or
  /// unchanged. `search`: how the network is to be searched when it plays, which the file then
  /// says. Throws std::runtime_error naming the file.
  void save(const std::filesystem::path& path,
            const std::optional<TreeSearchSettings>& search = std::nullopt) const;
  /// The bytes of the same file without the state of the training.
  std::string playing_file(const std::optional<TreeSearchSettings>& search) const;
  /// Restores a saved trainer: the next step is the same, but for a file with a moving average of
  /// the weights, which is not continued. Throws CheckpointError.
  static Trainer load(const std::filesystem::path& path, const std::string& device);
  /// A new trainer whose initial weights are those with which the checkpoint at `path` plays, for
  /// positions encoded as `encoding`. Throws CheckpointError for a checkpoint whose encoding does
  /// not fit (require_fitting_network), and whatever the constructor throws.
  static Trainer start_from(const std::filesystem::path& path, const EncodingInfo& encoding,
                            const TrainParams& params, const std::string& device);

  /// The current weights, folded.
  FoldedNetwork folded() const;
  /// A copy of the current weights, for int8 with activation ranges measured on positions of
  /// the last step's batch, ready for inference on the trainer's device; later steps
  /// do not change it.
  std::shared_ptr<Backend> inference_backend(Precision precision = Precision::Fp32) const;
  /// Makes a backend for inference on another device.
  std::shared_ptr<Backend> inference_backend(Precision precision, const std::string& device) const;
  /// Makes a backend for inference that the options name.
  std::shared_ptr<Backend> inference_backend(const BackendOptions& options) const;

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace faultline
