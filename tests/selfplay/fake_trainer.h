// A trainer that learns nothing, and training sessions with it on plain threads: the training loop
// without LibTorch and oneTBB.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoding/encoders.h"
#include "selfplay/training_session.h"
#include "tests/record/games.h"

namespace faultline::test {

/// Counts steps; its evaluator gives all moves equal priors.
template <Position P>
class FakeTrainer final : public RunTrainer<P> {
 public:
  FakeTrainer(const typename P::Variant& variant, std::int64_t steps,
              std::function<void(std::int64_t)> on_step, std::unique_ptr<Evaluator<P>> evaluator)
      : encoding_(Encoder<P>::info(variant)),
        steps_(steps),
        on_step_(std::move(on_step)),
        evaluator_(std::move(evaluator)) {}

  std::string describe() const override { return "no network"; }
  const EncodingInfo& encoding() const override { return encoding_; }
  std::int64_t steps() const override { return steps_; }
  double learning_rate() const override { return rate_; }
  void set_learning_rate(double rate) override { rate_ = rate; }
  StepLosses step(const TrainBatch& batch) override {
    EXPECT_GT(batch.count, 0U);
    ++steps_;
    if (on_step_) on_step_(steps_);
    return {};
  }
  StepLosses evaluate(const TrainBatch&) override { return {.value = 0.5}; }
  void save(const std::filesystem::path& file, const TreeSearchSettings&) const override {
    write_text(file, std::to_string(steps_));
  }
  Evaluator<P>& evaluator() override {
    EXPECT_TRUE(published_);
    return *evaluator_;
  }
  NetworkIdentity publish() override {
    published_ = true;
    return {steps_, hash_of(steps_)};
  }
  std::size_t batch() const override { return 4; }
  bool is_asynchronous() const override {
    EXPECT_TRUE(published_);
    return false;
  }

  static std::uint64_t hash_of(std::int64_t steps) {
    return static_cast<std::uint64_t>(steps) + 1'000'000;
  }

 private:
  EncodingInfo encoding_;
  std::int64_t steps_;
  double rate_ = 0;
  bool published_ = false;
  std::function<void(std::int64_t)> on_step_;
  std::unique_ptr<Evaluator<P>> evaluator_;
};

/// The uniform evaluator, which counts its batches.
class CountingEvaluator final : public Evaluator<EscherPosition> {
 public:
  explicit CountingEvaluator(std::atomic<int>& batches) : batches_(&batches) {}
  void submit(EvalBatch<EscherPosition>& batch) override {
    uniform_.submit(batch);
    ++*batches_;
  }
  void wait(EvalBatch<EscherPosition>& batch) override { uniform_.wait(batch); }

 private:
  UniformEvaluator<EscherPosition> uniform_;
  std::atomic<int>* batches_;
};

/// A run of escher that finishes in well under a second.
inline Config fake_config() {
  Config config;
  config.run.variant = "escher";
  config.run.games = 60;
  config.search.visits = 12;
  config.search.reduced_visits = 4;
  config.search.full_search_probability = 0.5;
  config.selfplay.threads = 3;
  config.selfplay.games_per_thread = 4;
  config.selfplay.batch = 4;
  config.selfplay.max_plies = 40;
  config.replay.window = 400;
  config.replay.min_window = 100;
  config.replay.chunk_games = 7;
  config.learner.batch = 16;
  config.learner.replay_ratio = 1;
  config.learner.min_positions = 40;
  config.learner.publish_interval = 4;
  config.learner.checkpoint_interval = 5;
  return config;
}

struct FakeSession {
  std::function<void(std::int64_t steps)> on_step = {};  // called within each step
  std::function<std::unique_ptr<Evaluator<EscherPosition>>()> make_evaluator = [] {
    return std::make_unique<UniformEvaluator<EscherPosition>>();
  };
  bool resume = false;
  std::filesystem::path games_from = {};
  std::filesystem::path from_checkpoint = {};
  MeasureStrength measure_strength = {};
  std::ostringstream out = {};

  RunResult run(const Config& config, const std::filesystem::path& folder) {
    return run_session<EscherPosition>(
        escher(), config,
        {.folder = folder,
         .resume = resume,
         .out = &out,
         .games_from = games_from,
         .from_checkpoint = from_checkpoint,
         .measure_strength = measure_strength},
        [&](RunPersistence& persistence) {
          return std::make_unique<FakeTrainer<EscherPosition>>(escher(), persistence.state().steps,
                                                               on_step, make_evaluator());
        },
        run_on_plain_threads);
  }
};

/// The lines of a run's metrics.jsonl.
inline std::vector<nlohmann::json> metrics_of(const std::filesystem::path& folder) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(read_text(folder / "metrics.jsonl"));
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace faultline::test
