// The production RunTrainer: a network that LibTorch trains and a backend evaluates.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/inference/backend_choice.h"
#include "model/inference/network_evaluator.h"
#include "model/training/trainer.h"
#include "selfplay/config.h"
#include "selfplay/run.h"
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

template <Position P>
class NetworkTrainer final : public RunTrainer<P> {
 public:
  NetworkTrainer(const typename P::Variant& variant, Trainer trainer, InferenceChoice inference)
      : trainer_(std::move(trainer)),
        inference_(std::move(inference)),
        evaluator_(variant, nullptr) {}

  std::string describe() const override {
    return fmt::format("net {} ({} parameters) trained in {}, {}",
                       faultline::describe(trainer_.net()), trainer_.parameter_count(),
                       name(trainer_.params().precision), evaluator_.backend()->describe());
  }
  std::size_t parameters() const { return static_cast<std::size_t>(trainer_.parameter_count()); }
  const EncodingInfo& encoding() const override { return trainer_.encoding(); }
  std::int64_t steps() const override { return trainer_.steps(); }
  double learning_rate() const override { return trainer_.learning_rate(); }
  void set_learning_rate(double rate) override { trainer_.set_learning_rate(rate); }
  StepLosses step(const TrainBatch& batch) override { return trainer_.step(batch); }
  StepLosses evaluate(const TrainBatch& batch) override { return trainer_.evaluate(batch); }
  void save(const std::filesystem::path& file, const TreeSearchSettings& search) const override {
    trainer_.save(file, search);
  }

  Evaluator<P>& evaluator() override { return evaluator_; }
  NetworkIdentity publish() override {
    const NetworkIdentity identity{trainer_.steps(), trainer_.weights_hash()};
    evaluator_.set_backend(trainer_.inference_backend(backend_options(inference_)));
    return identity;
  }
  std::size_t batch() const override { return inference_.batch; }
  bool is_asynchronous() const override { return evaluator_.backend()->attributes().asynchronous; }

 private:
  Trainer trainer_;
  InferenceChoice inference_;
  NetworkEvaluator<P> evaluator_;
};

}  // namespace faultline
