// The RunTrainer of runs that train a fast network alone, without LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "model/encoding/encoding.h"
#include "model/fast/fast_trainer.h"
#include "model/inference/backend_registry.h"
#include "record/config.h"
#include "selfplay/run_options.h"
#include "selfplay/run_persistence.h"
#include "selfplay/run_trainer.h"

namespace faultline {

class FastRunTrainer final : public RunTrainer {
 public:
  /// `encoding`: of the run's variant. `teacher`: whose values are learned; null: the searches'.
  FastRunTrainer(FastTrainer trainer, EncodingInfo encoding,
                 std::shared_ptr<Backend> teacher = nullptr)
      : trainer_(std::move(trainer)),
        encoding_(std::move(encoding)),
        teacher_(std::move(teacher)) {}

  std::string describe() const override;
  const EncodingInfo* planes() const override { return nullptr; }
  std::int64_t steps() const override { return trainer_.steps(); }
  double learning_rate() const override { return learning_rate_; }
  void set_learning_rate(double rate) override { learning_rate_ = rate; }
  StepLosses step(const TrainBatch& batch) override;
  StepLosses evaluate(const TrainBatch& batch) override;
  void save(const std::filesystem::path& file, const TreeSearchSettings& search) const override;
  std::string playing_file(const TreeSearchSettings& search) const override;
  PlayingNet publish() override;

 private:
  FastTrainer trainer_;
  EncodingInfo encoding_;
  std::shared_ptr<Backend> teacher_;
  double learning_rate_ = 0;
};

/// The trainer that the run's state names; if there is no state, a new one, from the fast network
/// in `options.init_from` unless that is empty. Throws CheckpointError, RunError if the network
/// does not fit the variant.
FastTrainer make_fast_trainer(const Config& config, const RunOptions& options,
                              RunPersistence& persistence);

/// Takes the teacher's variant unless the configuration gives one. Throws ConfigError if there is
/// no such network, and CheckpointError.
void adopt_teacher(Config& config);

/// The network that `fast.teacher` names; null: none. Throws ConfigError if there is no such
/// network, CheckpointError, and RunError if it does not fit the variant.
std::shared_ptr<Backend> load_teacher(const Config& config, const EncodingInfo& encoding,
                                      const BackendRegistry& backends);

/// The inputs of the run's fast network.
FastLayout fast_layout_of(const Config& config);

}  // namespace faultline
