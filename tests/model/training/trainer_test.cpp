// Gradient steps: they learn, are reproducible, and refuse invalid input.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "model/inference/stream_recorder.h"
#include "tests/model/inference/shared_levels.h"
#include "tests/model/test_device.h"
#include "tests/model/training/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

Trainer chess_trainer(const TrainParams& params, std::uint64_t seed = 1, int se_ratio = 0) {
  return {encoding_of<ChessPosition>(), test::small_net(se_ratio), params, test::device(), seed};
}

class Overfitting : public testing::TestWithParam<std::tuple<OptimizerKind, int>> {};

TEST_P(Overfitting, MemorisesOneBatch) {
  const auto [optimizer, se_ratio] = GetParam();
  TrainParams params;
  params.optimizer = optimizer;
  params.learning_rate = optimizer == OptimizerKind::AdamW ? 5e-3 : 0.1;
  params.weight_decay = 0;
  params.moves_left_weight = 0.1;  // its default learns too slowly for 300 steps
  Trainer trainer = chess_trainer(params, 1, se_ratio);
  const TrainBatch batch = test::random_train_batch<ChessPosition>(24, 7);
  const StepLosses first = trainer.step(batch);
  EXPECT_GT(first.policy, 2.0);  // about log(30 moves)
  EXPECT_NEAR(first.value, std::log(3.0), 0.5);
  EXPECT_NEAR(first.policy_entropy, 0.0, 1e-6);
  StepLosses last;
  for (int i = 0; i < 300; ++i)
    last = trainer.step(batch);
  EXPECT_LT(last.policy, 0.05);
  EXPECT_LT(last.value, 0.05);
  EXPECT_LT(last.moves_left, 0.05);
  EXPECT_EQ(last.policy_accuracy, 1.0);
  EXPECT_EQ(last.value_accuracy, 1.0);
  EXPECT_EQ(trainer.steps(), 301);
}
INSTANTIATE_TEST_SUITE_P(EitherOptimizer, Overfitting,
                         testing::Values(std::tuple{OptimizerKind::AdamW, 0},
                                         std::tuple{OptimizerKind::AdamW, 4},
                                         std::tuple{OptimizerKind::SgdNesterov, 0}));

TEST(Trainer, ANetworkThatSharesLevelsMemorisesPositionsWithEveryNumberOfThem) {
  TrainParams params;
  params.learning_rate = 5e-3;
  params.weight_decay = 0;
  Trainer trainer(encoding_of<InfernoPosition>(), test::shared_levels_net(), params, test::device(),
                  1);
  const TrainBatch batch = test::train_batch_of(test::with_every_number_of_levels(7), 7);
  const StepLosses first = trainer.step(batch);
  EXPECT_GT(first.policy, 3.0);
  for (int i = 0; i < 300; ++i)
    trainer.step(batch);
  const StepLosses last = trainer.step(batch);
  EXPECT_LT(last.policy, 0.1);
  EXPECT_LT(last.value, 0.1);
}

TEST(Trainer, InferenceAgreesWithTraining) {
  TrainParams params;
  params.learning_rate = 5e-3;
  Trainer trainer(encoding_of<EscherPosition>(), test::small_net(), params, test::device(), 3);
  const TrainBatch train = test::random_train_batch<EscherPosition>(16, 5);
  for (int i = 0; i < 300; ++i)
    trainer.step(train);
  const auto batch = test::answered_batch(*trainer.inference_backend(), train);
  double policy = 0, value = 0;
  for (std::size_t m = 0; m < train.moves.size(); ++m)
    policy -= static_cast<double>(train.policy[m]) * std::log(batch->priors()[m]);
  for (std::size_t i = 0; i < train.wdl.size(); ++i)
    value -= static_cast<double>(train.wdl[i]) * std::log(batch->wdl()[i]);
  const StepLosses evaluated = trainer.evaluate(train);
  EXPECT_NEAR(policy / 16, evaluated.policy, 1e-4);
  EXPECT_NEAR(value / 16, evaluated.value, 1e-4);
  EXPECT_LT(evaluated.policy, 0.2);
}

TEST(Trainer, IsReproducibleForTheSameSeed) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(16, 2);
  Trainer one = chess_trainer({}, 11), two = chess_trainer({}, 11), other = chess_trainer({}, 12);
  for (int i = 0; i < 5; ++i) {
    const StepLosses a = one.step(batch), b = two.step(batch), c = other.step(batch);
    test::expect_repeated(a.total, b.total);
    EXPECT_NE(a.total, c.total);
  }
}

TEST(Trainer, TheDeviceComputesTheStepsOfTheCpu) {
  if (test::on_cpu()) GTEST_SKIP() << "FAULTLINE_TEST_DEVICE names no other device";
  for (const int se_ratio : {0, 4}) {
    TrainParams params;
    params.optimizer = OptimizerKind::SgdNesterov;  // its step is proportional to the gradient
    params.learning_rate = 0.05;
    const TrainBatch batch = test::random_train_batch<ChessPosition>(32, 5);
    Trainer device = chess_trainer(params, 1, se_ratio);
    device.decide_late(false);
    Trainer cpu(encoding_of<ChessPosition>(), test::small_net(se_ratio), params, "cpu", 1);
    for (int i = 0; i < 5; ++i) {
      const StepLosses a = device.step(batch), b = cpu.step(batch);
      EXPECT_NEAR(a.policy, b.policy, 2e-3) << "step " << i;
      EXPECT_NEAR(a.value, b.value, 2e-3) << "step " << i;
      EXPECT_NEAR(a.moves_left, b.moves_left, 2e-3) << "step " << i;
      EXPECT_NEAR(a.grad_norm, b.grad_norm, 0.01 * b.grad_norm) << "step " << i;
    }
  }
}

// On a GPU the later steps are recorded ones, with rates that change from step to step.
TEST(Trainer, StepsThatAreReplayedLearnWhatTheOthersDo) {
  for (const TrainingPrecision precision : {TrainingPrecision::Fp32, TrainingPrecision::Bf16}) {
    TrainParams params;
    params.precision = precision;
    Trainer now = chess_trainer(params, 1, 4), later = chess_trainer(params, 1, 4);
    now.decide_late(false);
    later.decide_late(true);
    const TrainBatch first = test::random_train_batch<ChessPosition>(32, 0);
    const std::uint64_t replayed = replay_count();
    double before = 0;
    for (std::uint64_t i = 0; i < 32; ++i) {
      if (i == 16) before = later.evaluate(first).policy;
      const TrainBatch batch = test::random_train_batch<ChessPosition>(32, i % 4);
      for (Trainer* trainer : {&now, &later}) {
        trainer->set_learning_rate(i < 16 ? 1e-3 : 1e-2 - 2e-4 * static_cast<double>(i - 16));
        trainer->step(batch);
      }
    }
    if (!test::on_cpu() && has_stream_recording()) {
      EXPECT_GE(replay_count(), replayed + 16);
    }
    const StepLosses a = later.evaluate(first), b = now.evaluate(first);
    const double learned = before - b.policy;
    EXPECT_GT(learned, 0.2);
    EXPECT_NEAR(a.policy, b.policy, 0.3 * learned);
    EXPECT_EQ(later.steps(), 32);
  }
}

TEST(Trainer, EvaluatingChangesNothing) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(16, 2);
  Trainer one = chess_trainer({}), two = chess_trainer({});
  one.step(batch);
  two.step(batch);
  test::expect_repeated(one.evaluate(batch).total, one.evaluate(batch).total);
  test::expect_repeated(one.step(batch).total, two.step(batch).total);
}

TEST(Trainer, UnknownTargetsHaveNoLoss) {
  const TrainBatch known = test::random_train_batch<ChessPosition>(8, 2);
  TrainBatch half = known;
  // Positions 4 … 7 without a policy and moves left: their loss is that of the first four only.
  for (std::size_t m = half.first_move[4]; m < half.first_move[8]; ++m)
    half.policy[m] = 0;
  for (std::size_t i = 4; i < 8; ++i)
    half.moves_left[i] = -1;
  Trainer trainer = chess_trainer({});
  const StepLosses all = trainer.evaluate(known), some = trainer.evaluate(half);
  TrainBatch first;
  const std::size_t floats = encoding_of<ChessPosition>().floats();
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t begin = known.first_move[i], count = known.first_move[i + 1] - begin;
    first.add(std::span(known.planes).subspan(i * floats, floats),
              std::span(known.moves).subspan(begin, count),
              std::span(known.policy).subspan(begin, count),
              {known.wdl[3 * i], known.wdl[3 * i + 1], known.wdl[3 * i + 2]}, known.moves_left[i]);
  }
  const StepLosses alone = trainer.evaluate(first);
  EXPECT_NEAR(some.policy, alone.policy, 1e-5);
  EXPECT_NEAR(some.moves_left, alone.moves_left, 1e-5);
  EXPECT_NEAR(some.value, all.value, 1e-6);
  EXPECT_NE(some.policy, all.policy);
}

TEST(Trainer, ClipsTheGradient) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(16, 2);
  TrainParams params;
  params.optimizer = OptimizerKind::SgdNesterov;
  params.gradient_clip = 1e-6;
  params.weight_decay = 0;
  Trainer trainer = chess_trainer(params);
  const double before = trainer.step(batch).policy;
  EXPECT_NEAR(trainer.step(batch).policy, before, 1e-4);
}

TEST(Trainer, LeavesTheWeightsAloneWhenTheLossIsNotFinite) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(8, 2);
  TrainBatch broken = batch;
  broken.planes[0] = std::numeric_limits<float>::quiet_NaN();
  Trainer one = chess_trainer({}), two = chess_trainer({});
  EXPECT_THROW(one.step(broken), std::runtime_error);
  EXPECT_EQ(one.steps(), 0);
  for (int i = 0; i < 3; ++i)
    test::expect_repeated(one.step(batch).total, two.step(batch).total);
  test::expect_repeated(one.evaluate(batch).total, two.evaluate(batch).total);
}

TEST(Trainer, WhatIsDecidedOnTheDeviceIsTheSameOneStepLater) {
  for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::SgdNesterov}) {
    TrainParams params;
    params.optimizer = kind;
    params.gradient_clip = 0;
    Trainer first = chess_trainer(params);
    double least = 1e9, most = 0;
    for (std::uint64_t i = 1; i <= 12; ++i) {
      const TrainBatch batch = test::random_train_batch<ChessPosition>(16, 1 + i % 3);
      const double norm = first.step(batch).grad_norm;
      least = std::min(least, norm);
      most = std::max(most, norm);
    }
    params.gradient_clip = (least + most) / 2;  // some steps are clipped, others not
    Trainer now = chess_trainer(params), late = chess_trainer(params);
    now.decide_late(false);
    late.decide_late(true);
    double before = 0, clipped = 0;
    for (std::uint64_t i = 1; i <= 12; ++i) {
      const TrainBatch batch = test::random_train_batch<ChessPosition>(16, 1 + i % 3);
      const StepLosses losses = now.step(batch);
      clipped += losses.grad_norm > params.gradient_clip ? 1 : 0;
      test::expect_repeated(late.step(batch).total, i == 1 ? losses.total : before);
      before = losses.total;
    }
    EXPECT_GT(clipped, 0);
    EXPECT_LT(clipped, 12);
    if (test::device() == "cpu") {
      EXPECT_EQ(late.weights_hash(), now.weights_hash());
    }
  }
}

TEST(Trainer, ALateRefusalLeavesEverythingAsItWasBeforeTheStep) {
  const TrainBatch batch = test::random_train_batch<ChessPosition>(8, 2);
  TrainBatch broken = batch;
  broken.planes[0] = std::numeric_limits<float>::quiet_NaN();
  Trainer one = chess_trainer({}), two = chess_trainer({});
  one.decide_late(true);
  two.decide_late(true);
  for (Trainer* trainer : {&one, &two})
    for (int i = 0; i < 2; ++i)
      trainer->step(batch);
  EXPECT_NO_THROW(one.step(broken));
  try {
    one.step(batch);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("training step 3: the loss", 0), 0U) << error.what();
  }
  EXPECT_EQ(one.steps(), 2);
  EXPECT_NO_THROW(one.step(broken));
  EXPECT_THROW(one.weights_hash(), std::runtime_error);  // nor are wrong weights read
  for (int i = 0; i < 3; ++i)
    test::expect_repeated(one.step(batch).total, two.step(batch).total);
  test::expect_repeated(one.evaluate(batch).total, two.evaluate(batch).total);
}

TEST(Trainer, LearnsInBf16) {
  TrainParams params;
  params.precision = TrainingPrecision::Bf16;
  params.learning_rate = 5e-3;
  params.weight_decay = 0;
  Trainer trainer = chess_trainer(params);
  const TrainBatch batch = test::random_train_batch<ChessPosition>(24, 7);
  const StepLosses first = trainer.step(batch);
  StepLosses last;
  for (int i = 0; i < 200; ++i)
    last = trainer.step(batch);
  EXPECT_GT(first.policy, 2.0);
  EXPECT_LT(last.policy, 0.2);
  EXPECT_LT(last.value, 0.2);
}

TEST(Trainer, AutoPrecisionMeansTheOneItHas) {
  EXPECT_EQ(chess_trainer({}).params().precision, TrainingPrecision::Fp32);
  TrainParams params;
  params.precision = TrainingPrecision::Bf16;
  Trainer trainer = chess_trainer(params);
  trainer.set_params({});
  EXPECT_EQ(trainer.params().precision, TrainingPrecision::Bf16);
}

TEST(Trainer, RefusesBatchesThatDoNotFit) {
  Trainer trainer = chess_trainer({});
  const TrainBatch good = test::random_train_batch<ChessPosition>(4, 2);
  EXPECT_THROW(trainer.step({}), std::invalid_argument);
  TrainBatch bad = good;
  bad.policy.pop_back();
  EXPECT_THROW(trainer.step(bad), std::invalid_argument);
  bad = good;
  bad.first_move[2] = bad.first_move[1];
  EXPECT_THROW(trainer.step(bad), std::invalid_argument);
  bad = good;
  bad.moves[3].to = encoding_of<ChessPosition>().policy_cells();
  EXPECT_THROW(trainer.step(bad), std::invalid_argument);
  bad = good;
  bad.moves[3].kind = -1;
  EXPECT_THROW(trainer.step(bad), std::invalid_argument);
  EXPECT_THROW(trainer.step(test::random_train_batch<EscherPosition>(4, 2)), std::invalid_argument);
}

TEST(Trainer, RefusesParametersOutOfRange) {
  TrainParams params;
  params.beta2 = 1;
  EXPECT_THROW(chess_trainer(params), std::invalid_argument);
  Trainer trainer = chess_trainer({});
  EXPECT_THROW(trainer.set_learning_rate(-1), std::invalid_argument);
  params = {};
  params.optimizer = OptimizerKind::SgdNesterov;
  EXPECT_THROW(trainer.set_params(params), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
