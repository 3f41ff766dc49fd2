// A trainer that learns nothing, and training sessions with it on plain threads: the training loop
// without LibTorch and oneTBB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoding/encoders.h"
#include "selfplay/courier.h"
#include "selfplay/training_session.h"
#include "tests/record/games.h"

namespace faultline::test {

/// A network for which all moves are alike and all games are drawn.
class UniformBackend final : public Backend {
 public:
  /// `on_submit`: called with each batch, by all threads.
  explicit UniformBackend(std::function<void()> on_submit) : on_submit_(std::move(on_submit)) {}

  const BackendAttributes& attributes() const override { return attributes_; }
  std::unique_ptr<BackendBatch> make_batch() const override { return std::make_unique<Batch>(); }
  void submit(BackendBatch& batch) override {
    on_submit_();
    dynamic_cast<Batch&>(batch).finish();
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override { return "uniform"; }

 private:
  class Batch final : public BackendBatch {
   public:
    Batch() : BackendBatch(Encoder<EscherPosition>::info(escher()).floats()) {}
    void finish() {
      std::ranges::fill(logits(), 0.0F);
      std::vector<float> raw(4 * count());
      for (std::size_t i = 0; i < count(); ++i)
        raw[4 * i + 1] = 100;  // a draw
      finish_outputs(raw);
    }

   private:
    std::span<float> allocate_planes(std::size_t floats) override {
      memory_.resize(std::max(memory_.size(), floats));
      return memory_;
    }
    std::vector<float> memory_;
  };

  std::function<void()> on_submit_;
  BackendAttributes attributes_;
};

/// Counts steps on positions of escher; its network is the given one, or none.
class FakeTrainer final : public RunTrainer {
 public:
  explicit FakeTrainer(std::int64_t steps, std::function<void(std::int64_t)> on_step = {},
                       std::shared_ptr<Backend> backend = nullptr, std::size_t net_bytes = 0)
      : steps_(steps),
        on_step_(std::move(on_step)),
        backend_(std::move(backend)),
        net_bytes_(net_bytes) {}

  std::string describe() const override { return "no network"; }
  const EncodingInfo* planes() const override { return &Encoder<EscherPosition>::info(escher()); }
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
  std::string playing_file(const TreeSearchSettings&) const override {
    std::string file = std::to_string(steps_);
    file.resize(std::max(file.size(), net_bytes_), ' ');
    return file;
  }
  PlayingNet publish() override {
    return {.identity = {steps_, hash_of(steps_)}, .backend = backend_, .batch = 4};
  }

  static std::uint64_t hash_of(std::int64_t steps) {
    return static_cast<std::uint64_t>(steps) + 1'000'000;
  }

 private:
  std::int64_t steps_;
  double rate_ = 0;
  std::function<void(std::int64_t)> on_step_;
  std::shared_ptr<Backend> backend_;
  std::size_t net_bytes_;
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
  std::function<void()> on_batch = {};                   // called with each batch that is evaluated
  bool resume = false;
  std::filesystem::path games_from = {};
  std::filesystem::path from_checkpoint = {};
  MeasureStrength measure_strength = {};
  std::function<std::unique_ptr<Courier>(RunPersistence&)> make_courier = {};
  bool learn_only = false;
  std::size_t net_bytes = 0;  // of a published network, at least
  std::ostringstream out = {};

  RunResult run(const Config& config, const std::filesystem::path& folder) {
    std::shared_ptr<Backend> backend;
    if (on_batch) backend = std::make_shared<UniformBackend>(on_batch);
    return run_session(
        config,
        {.folder = folder,
         .resume = resume,
         .out = &out,
         .games_from = games_from,
         .from_checkpoint = from_checkpoint,
         .measure_strength = measure_strength,
         .make_courier = make_courier,
         .learn_only = learn_only},
        [&](RunPersistence& persistence) {
          return std::make_unique<FakeTrainer>(persistence.state().steps, on_step, backend,
                                               net_bytes);
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
