// The production RunTrainer: a network that LibTorch trains and a backend evaluates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "model/inference/backend_choice.h"
#include "model/inference/batch_service.h"
#include "model/training/trainer.h"
#include "record/config.h"
#include "selfplay/rank_processes.h"
#include "selfplay/run_options.h"
#include "selfplay/run_persistence.h"
#include "selfplay/run_trainer.h"

namespace faultline {

/// Throws ConfigError if this machine does not have the device, or this program no backend that
/// computes on it in the precision that is asked for.
void require_device(const Config& config);

/// The trainer that the run's state names; if there is no state, a new one from
/// `options.init_from` or, if that is empty, from random weights. `device`: resolved. The training
/// precision `auto` follows from the device and the processor. Throws CheckpointError, RunError if
/// the checkpoint does not fit the configuration.
Trainer make_trainer(const Config& config, const RunOptions& options, RunPersistence& persistence,
                     const EncodingInfo& encoding, const std::string& device);
/// From random weights, for a run that has no folder yet.
Trainer make_new_trainer(const Config& config, const EncodingInfo& encoding,
                         const std::string& device);

class NetworkTrainer final : public RunTrainer {
 public:
  /// `ranks`: make each step with this process, after RankProcesses::begin(); null: there are none.
  NetworkTrainer(Trainer trainer, InferenceChoice inference,
                 std::unique_ptr<RankProcesses> ranks = nullptr)
      : trainer_(std::move(trainer)), inference_(std::move(inference)), ranks_(std::move(ranks)) {}

  std::string describe() const override;
  std::size_t parameters() const { return static_cast<std::size_t>(trainer_.parameter_count()); }
  const EncodingInfo* planes() const override { return &trainer_.encoding(); }
  std::int64_t steps() const override { return trainer_.steps(); }
  double learning_rate() const override { return trainer_.learning_rate(); }
  void set_learning_rate(double rate) override { trainer_.set_learning_rate(rate); }
  StepLosses step(const TrainBatch& batch) override;
  StepLosses evaluate(const TrainBatch& batch) override { return trainer_.evaluate(batch); }
  void save(const std::filesystem::path& file, const TreeSearchSettings& search) const override {
    trainer_.save(file, search);
  }
  std::string playing_file(const TreeSearchSettings& search) const override {
    return trainer_.playing_file(search);
  }
  PlayingNet publish() override;

 private:
  Trainer trainer_;
  InferenceChoice inference_;
  std::unique_ptr<RankProcesses> ranks_;
  /// Computes the published networks one after another where that is not on the CPU.
  std::shared_ptr<BatchService> service_;
  std::string backend_;  // a description of the published network's
};

}  // namespace faultline
