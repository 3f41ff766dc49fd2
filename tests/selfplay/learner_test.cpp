// The learner's batches: which window they come from, and that building them ahead changes nothing
// in a deterministic run.
#include "selfplay/learner.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

/// Keeps the batches that it is given.
class RecordingTrainer final : public RunTrainer {
 public:
  explicit RecordingTrainer(std::int64_t steps = 0) : steps_(steps) {}
  std::string describe() const override { return "no network"; }
  const EncodingInfo* planes() const override {
    return &Encoder<EscherPosition>::info(test::escher());
  }
  std::int64_t steps() const override { return steps_; }
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  StepLosses step(const TrainBatch& batch) override {
    if (steps_ == fails_at) throw std::runtime_error("the loss is not finite");
    batches.push_back(batch.planes);
    ++steps_;
    return {};
  }
  StepLosses evaluate(const TrainBatch&) override { return {}; }
  void save(const std::filesystem::path&, const TreeSearchSettings&) const override {}
  std::string playing_file(const TreeSearchSettings&) const override { return {}; }
  PlayingNet publish() override { return {}; }

  std::vector<std::vector<float>> batches;  // the planes of each
  std::int64_t fails_at = -1;

 private:
  std::int64_t steps_;
};

GameSamples samples(std::uint64_t game, int max_plies = 40) {
  return GameDecoder("escher", {})
      .decode(test::random_game<EscherPosition>(test::escher(), game, max_plies));
}

Config config_of(bool deterministic) {
  Config config = test::fake_config();
  config.run.deterministic = deterministic;
  config.learner.min_positions = 1;
  config.learner.replay_ratio = 8;
  config.replay.min_window = 10'000;
  return config;
}

/// The batch of step `number` with games 0 … `games` - 1, by a learner that makes only this step.
std::vector<float> batch_of_step(const Config& config, std::int64_t number, std::uint64_t games) {
  RecordingTrainer trainer(number);
  Learner learner(config, trainer);
  for (std::uint64_t game = 0; game < games; ++game)
    learner.add(samples(game), samples(game).size());
  learner.step(0);
  return trainer.batches.front();
}

TEST(Learner, StepsOnTheSameBatchesIfTheyAreBuiltAhead) {
  for (const bool deterministic : {false, true}) {
    const Config config = config_of(deterministic);
    RecordingTrainer trainer;
    Learner learner(config, trainer);
    for (std::uint64_t game = 0; game < 3; ++game)
      learner.add(samples(game), samples(game).size());
    while (learner.may_step())
      learner.step(0);
    ASSERT_GT(trainer.batches.size(), 5U);
    for (std::size_t step = 0; step < 5; ++step)
      EXPECT_EQ(trainer.batches[step], batch_of_step(config, static_cast<std::int64_t>(step), 3));
    EXPECT_NE(trainer.batches[0], trainer.batches[1]);
  }
}

TEST(Learner, ADeterministicStepUsesTheWindowOfItsTime) {
  const Config config = config_of(true);
  RecordingTrainer trainer;
  Learner learner(config, trainer);
  for (std::uint64_t game = 0; game < 5; ++game) {
    learner.add(samples(game), samples(game).size());
    learner.step(0);
  }
  for (std::uint64_t step = 0; step < 5; ++step)
    EXPECT_EQ(trainer.batches[step],
              batch_of_step(config, static_cast<std::int64_t>(step), step + 1));
}

TEST(Learner, AFreeStepMayUseTheWindowOfTheStepBefore) {
  const Config config = config_of(false);
  RecordingTrainer trainer;
  Learner learner(config, trainer);
  learner.add(samples(0), samples(0).size());
  learner.step(0);
  learner.add(samples(1), samples(1).size());
  learner.step(0);
  learner.step(0);
  EXPECT_EQ(trainer.batches[0], batch_of_step(config, 0, 1));
  EXPECT_EQ(trainer.batches[1], batch_of_step(config, 1, 1));
  EXPECT_EQ(trainer.batches[2], batch_of_step(config, 2, 2));
}

TEST(Learner, ItsWindowIsThatOfARestartAfterAnyGame) {
  Config config = config_of(true);
  config.replay.min_window = 50;
  for (const double share : {0.3, 0.5, 0.8, 1.0}) {
    config.replay.window_share = share;
    RecordingTrainer trainer;
    Learner learner(config, trainer);
    std::uint64_t positions = 0;
    for (std::uint64_t games = 1; games <= 20; ++games) {
      const auto game = [](std::uint64_t n) {
        return samples(n, static_cast<int>(5 + n * 37 % 60));
      };
      const std::uint64_t counted = game(games).size();
      learner.add(game(games), counted);
      positions += counted;
      Learner restarted(config, trainer);
      restarted.count_positions(positions);
      for (std::uint64_t n = 1; n <= games; ++n)
        restarted.add(game(n), 0);
      EXPECT_EQ(learner.window().size(), restarted.window().size()) << share << ", " << games;
    }
    EXPECT_LE(learner.window().size(), positions);
    EXPECT_EQ(learner.window().size() == positions, share == 1.0);
  }
}

TEST(Learner, EndsCleanlyWhenAStepFails) {
  const Config config = config_of(false);
  RecordingTrainer trainer;
  trainer.fails_at = 1;
  auto learner = std::make_unique<Learner>(config, trainer);
  learner->add(samples(0), samples(0).size());
  learner->step(0);
  EXPECT_THROW(learner->step(0), std::runtime_error);
  learner.reset();
  EXPECT_EQ(trainer.batches.size(), 1U);
}

}  // namespace
}  // namespace faultline
