// A trainer that learns nothing, and training sessions with it on plain threads: the training loop
// without LibTorch and oneTBB.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/seeds.h"
#include "model/encoding/encoders.h"
#include "selfplay/courier.h"
#include "selfplay/training_session.h"
#include "tests/record/games.h"

namespace faultline::test {

/// The same for the same numbers in the same order.
inline std::uint64_t mix_numbers(std::uint64_t seed, std::span<const float> numbers) {
  for (const float number : numbers)
    seed = mix_seed(seed, std::bit_cast<std::uint32_t>(number));
  return seed;
}

/// A network for which all moves are alike and all games are drawn; or one of weights that are a
/// number, which finds in each position something else than those of other numbers.
class UniformBackend final : public Backend {
 public:
  /// `on_submit`: called with each batch, by all threads. `weights`: 0: none.
  explicit UniformBackend(std::function<void()> on_submit, std::uint64_t weights = 0)
      : on_submit_(std::move(on_submit)), weights_(weights) {}

  const BackendAttributes& attributes() const override { return attributes_; }
  std::unique_ptr<BackendBatch> make_batch() const override { return std::make_unique<Batch>(); }
  void submit(BackendBatch& batch) override {
    if (on_submit_) on_submit_();
    dynamic_cast<Batch&>(batch).finish(weights_);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override { return "uniform"; }

 private:
  class Batch final : public BackendBatch {
   public:
    Batch() : BackendBatch(Encoder<EscherPosition>::info(escher()).floats()) {}
    void finish(std::uint64_t weights) {
      std::ranges::fill(logits(), 0.0F);
      std::vector<float> raw(4 * count());
      for (std::size_t i = 0; i < count(); ++i) {
        raw[4 * i + 1] = 100;  // a draw
        if (weights == 0) continue;
        std::mt19937_64 rng(mix_numbers(weights, planes(i)));
        std::uniform_real_distribution<float> any(-2, 2);
        for (std::size_t k = 0; k < 4; ++k)
          raw[4 * i + k] = any(rng);
        for (std::uint32_t move = first_move()[i]; move < first_move()[i + 1]; ++move)
          logits()[move] = any(rng);
      }
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
  std::uint64_t weights_;
  BackendAttributes attributes_;
};

/// Counts steps on positions of escher; its network is the given one, or none. With `weights` that
/// are not 0 each step changes these, by all that it learns from, and UniformBackend plays with
/// them.
class FakeTrainer final : public RunTrainer {
 public:
  explicit FakeTrainer(std::int64_t steps, std::function<void(std::int64_t)> on_step = {},
                       std::shared_ptr<Backend> backend = nullptr, std::size_t net_bytes = 0,
                       std::uint64_t weights = 0)
      : steps_(steps),
        weights_(weights),
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
    if (weights_ != 0)
      for (const auto& numbers : {batch.planes, batch.policy, batch.wdl, batch.moves_left})
        weights_ = mix_numbers(weights_, numbers);
    if (on_step_) on_step_(steps_);
    return {};
  }
  StepLosses evaluate(const TrainBatch&) override { return {.value = 0.5}; }
  void save(const std::filesystem::path& file, const TreeSearchSettings&) const override {
    write_text(file, text());
  }
  std::string playing_file(const TreeSearchSettings&) const override {
    std::string file = text();
    file.resize(std::max(file.size(), net_bytes_), ' ');
    return file;
  }
  PlayingNet publish() override {
    if (weights_ != 0) return net_of(steps_, weights_);
    return {.identity = {steps_, hash_of(steps_)}, .backend = backend_, .batch = 4};
  }

  static PlayingNet net_of(std::int64_t steps, std::uint64_t weights) {
    return {.identity = {steps, weights},
            .backend = std::make_shared<UniformBackend>(nullptr, weights),
            .batch = 4};
  }
  /// Of a file that save() or playing_file() has written.
  static std::uint64_t weights_in(const std::filesystem::path& file) {
    std::istringstream in(read_text(file));
    std::uint64_t steps = 0, weights = 0;
    in >> steps >> weights;
    return weights;
  }

  static std::uint64_t hash_of(std::int64_t steps) {
    return static_cast<std::uint64_t>(steps) + 1'000'000;
  }

 private:
  std::string text() const {
    return weights_ == 0 ? std::to_string(steps_) : fmt::format("{} {}", steps_, weights_);
  }

  std::int64_t steps_;
  std::uint64_t weights_;
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
  std::uint64_t weights = 0;  // of a new run; 0: it learns nothing
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
          const RunState& state = persistence.state();
          return std::make_unique<FakeTrainer>(
              state.steps, on_step, backend, net_bytes,
              state.checkpoint.empty() ? weights
                                       : FakeTrainer::weights_in(folder / state.checkpoint));
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
