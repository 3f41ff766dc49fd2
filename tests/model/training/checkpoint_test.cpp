// Trainer checkpoints: a loaded trainer continues exactly.
#include "model/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "model/checkpoint_file.h"
#include "model/encoding/attack_planes.h"
#include "tests/model/golden.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/shared_levels.h"
#include "tests/model/test_device.h"
#include "tests/model/training/batches.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::encoding_of;

class TrainerCheckpoint : public testing::Test {
 protected:
  static Trainer trained(const TrainParams& params, const std::string& device = test::device()) {
    Trainer trainer(encoding_of<ChessPosition>(), test::small_net(4), params, device, 1);
    for (std::uint64_t i = 0; i < 4; ++i)
      trainer.step(test::random_train_batch<ChessPosition>(8, i));
    return trainer;
  }
  std::filesystem::path file() const { return place_.path() / "net.pt"; }
  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  test::TemporaryFolder place_;
};

TEST_F(TrainerCheckpoint, TrainingContinuesExactly) {
  for (const auto kind : {OptimizerKind::AdamW, OptimizerKind::SgdNesterov}) {
    TrainParams params;
    params.optimizer = kind;
    params.learning_rate = 2e-3;
    Trainer before = trained(params);
    before.save(file());
    Trainer after = Trainer::load(file(), test::device());
    before.decide_late(false);  // so that a step returns its own losses
    after.decide_late(false);
    EXPECT_EQ(after.steps(), 4);
    EXPECT_EQ(after.learning_rate(), 2e-3);
    EXPECT_EQ(after.net(), before.net());
    EXPECT_EQ(after.encoding(), before.encoding());
    for (std::uint64_t i = 10; i < 14; ++i) {
      const auto batch = test::random_train_batch<ChessPosition>(8, i);
      test::expect_repeated(after.evaluate(batch).total, before.evaluate(batch).total);
      test::expect_repeated(after.step(batch).total, before.step(batch).total);
    }
  }
}

TEST_F(TrainerCheckpoint, HoldsThePrecisionOfTraining) {
  TrainParams params;
  params.precision = TrainingPrecision::Bf16;
  Trainer before = trained(params);
  before.save(file());
  Trainer after = Trainer::load(file(), test::device());
  EXPECT_EQ(after.params().precision, TrainingPrecision::Bf16);
  before.decide_late(false);
  after.decide_late(false);
  const auto batch = test::random_train_batch<ChessPosition>(8, 10);
  test::expect_repeated(after.step(batch).total, before.step(batch).total);
  // Written before there was a choice.
  EXPECT_EQ(Trainer::load(test::golden_file("chess.pt"), test::device()).params().precision,
            TrainingPrecision::Fp32);
}

TEST_F(TrainerCheckpoint, EvaluatesLikeTheTrainer) {
  const Trainer trainer = trained({});
  trainer.save(file());
  const auto train = test::random_train_batch<ChessPosition>(5, 20);
  const auto one = test::answered_batch(*trainer.inference_backend(), train);
  const auto two = test::answered_batch(
      *load_backend(file(), encoding_of<ChessPosition>(), cpu_backends()), train);
  test::expect_same_outputs(one->wdl(), two->wdl(), 1e-4F);
  test::expect_same_outputs(one->priors(), two->priors(), 1e-4F);
}

TEST_F(TrainerCheckpoint, ReportsItsContent) {
  const Trainer trainer = trained({});
  trainer.save(file());
  const CheckpointInfo info = read_checkpoint_info(file());
  EXPECT_EQ(info.steps, 4);
  EXPECT_EQ(info.net, test::small_net(4));
  EXPECT_EQ(info.encoding, encoding_of<ChessPosition>());
  EXPECT_EQ(info.parameters, trainer.parameter_count());
  const auto copy = place_.path() / "copy.pt";
  trainer.save(copy);
  EXPECT_EQ(bytes_of(copy), bytes_of(file()));
  EXPECT_EQ(read_checkpoint_info(copy).hash, info.hash);
}

TEST_F(TrainerCheckpoint, ReplacesAFileAndLeavesNoTemporaryFile) {
  write("something older");
  trained({}).save(file());
  EXPECT_EQ(read_checkpoint_info(file()).steps, 4);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place_.path()),
                          std::filesystem::directory_iterator()),
            1);
}

TEST_F(TrainerCheckpoint, ADamagedOneIsRefused) {
  trained({}).save(file());
  const std::string good = bytes_of(file());
  write(good.substr(0, good.size() / 2));
  EXPECT_THROW(Trainer::load(file(), test::device()), CheckpointError);
  CheckpointFile bad = CheckpointFile::parse(good, file());
  bad.arrays.at("weights/parameters").pop_back();
  bad.write(file());
  EXPECT_THROW(Trainer::load(file(), test::device()), CheckpointError);
  bad = CheckpointFile::parse(good, file());
  bad.arrays.erase("optimizer/momentum");
  bad.write(file());
  EXPECT_THROW(Trainer::load(file(), test::device()), CheckpointError);
}

// Written before the network description existed, with a moving average of the weights.
TEST_F(TrainerCheckpoint, AnOldOneCanContinueTraining) {
  Trainer trainer = Trainer::load(test::golden_file("chess.pt"), test::device());
  EXPECT_EQ(trainer.steps(), 60);
  trainer.save(file());
  auto arrays = CheckpointFile::read(test::golden_file("chess.pt")).arrays;
  EXPECT_EQ(std::erase_if(arrays, [](const auto& a) { return a.first.starts_with("ema/"); }), 2U);
  EXPECT_TRUE(CheckpointFile::read(file()).arrays == arrays);
  const auto batch = test::random_train_batch<ChessPosition>(16, 1);
  const double before = trainer.step(batch).policy;
  for (int i = 0; i < 20; ++i)
    trainer.step(batch);
  EXPECT_LT(trainer.step(batch).policy, before);
}

TEST_F(TrainerCheckpoint, WeightsHaveOneHashInAFileAndInMemory) {
  Trainer trainer = trained({});
  const std::uint64_t hash = trainer.weights_hash();
  trainer.save(file());
  EXPECT_EQ(read_checkpoint_info(file()).weights_hash, hash);
  EXPECT_EQ(Trainer::load(file(), test::device()).weights_hash(), hash);
  trainer.step(test::random_train_batch<ChessPosition>(8, 9));
  EXPECT_NE(trainer.weights_hash(), hash);
}

TEST(FittingEncoding, MayBeOfAnotherOptionSetButNotOfAnotherShape) {
  const EncodingInfo expected = encoding_of<ChessPosition>();
  const auto refusal = [&](auto&& change) {
    EncodingInfo found = expected;
    found.variant = "chess:other";
    change(found);
    try {
      require_fitting_encoding("net.pt", found, expected);
    } catch (const CheckpointError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string begin = "checkpoint net.pt: does not fit the variant 'chess': its 'encoding.";
  EXPECT_EQ(refusal([](EncodingInfo&) {}), "accepted");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.family = "escher"; }),
            begin + "family' is 'escher'; expected 'chess'");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.version += 1; }),
            begin + "version' is " + std::to_string(expected.version + 1) + "; expected " +
                std::to_string(expected.version));
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.height = 9; }), begin + "height' is 9; expected 8");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.width = 7; }), begin + "width' is 7; expected 8");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.levels = 2; }), begin + "levels' is 2; expected 1");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.planes[3] = "dragons"; }),
            begin + "planes[3]' is 'dragons'; expected '" + expected.planes[3] + "'");
  EXPECT_EQ(refusal([](EncodingInfo& e) { e.policy_kinds.emplace_back("fly"); }),
            begin + "policy_kinds' is " + std::to_string(expected.policy_kinds.size() + 1) +
                " long; expected " + std::to_string(expected.policy_kinds.size()) + " long");
}

TEST_F(TrainerCheckpoint, FitsAnyNumberOfLevelsIfTheNetworkSharesThem) {
  const auto encoding_with = [](int levels) {
    return with_attack_planes(Encoder<InfernoPosition>::info(InfernoVariant{levels}));
  };
  Trainer two(encoding_with(2), test::shared_levels_net(), {}, test::device(), 1);
  two.save(file());
  const Trainer five = Trainer::start_from(file(), encoding_with(5), {}, test::device());
  EXPECT_EQ(five.encoding().levels, 5);
  EXPECT_EQ(five.parameter_count(), two.parameter_count());
  EXPECT_EQ(five.weights_hash(), two.weights_hash());
  // Planes of attacks have other names where there is one level.
  Trainer(encoding_with(1), test::shared_levels_net(), {}, test::device(), 1).save(file());
  EXPECT_EQ(Trainer::start_from(file(), encoding_with(5), {}, test::device()).weights_hash(),
            read_checkpoint_info(file()).weights_hash);
  two.save(file());
  // Without planes of attacks, or in another game, the weights mean something else.
  EXPECT_THROW(Trainer::start_from(file(), Encoder<InfernoPosition>::info(InfernoVariant{5}), {},
                                   test::device()),
               CheckpointError);
  EXPECT_THROW(Trainer::start_from(file(), encoding_of<ChessPosition>(), {}, test::device()),
               CheckpointError);

  // The same file plays games of five levels.
  const auto samples = test::with_every_number_of_levels(3);
  auto expected = test::eval_batch(samples), given = test::eval_batch(samples);
  NetworkEvaluator<InfernoPosition>(InfernoVariant{5}, five.inference_backend()).evaluate(expected);
  NetworkEvaluator<InfernoPosition>(
      InfernoVariant{5},
      load_backend(file(), Encoder<InfernoPosition>::info(InfernoVariant{5}), cpu_backends()))
      .evaluate(given);
  const test::Distance d = test::distance(expected, given);
  EXPECT_LE(d.policy, 1e-4);
  EXPECT_LE(d.wdl, 1e-4);

  // Others fit their own number alone.
  Trainer(encoding_with(2), test::small_net(), {}, test::device(), 1).save(file());
  EXPECT_THROW(Trainer::start_from(file(), encoding_with(5), {}, test::device()), CheckpointError);
  EXPECT_THROW(load_backend(file(), encoding_with(5), cpu_backends()), EncodingMismatch);
}

TEST_F(TrainerCheckpoint, HoldsTheActivationRangesOfTheLastBatch) {
  const auto ranges = [&] { return read_values(CheckpointFile::read(file()), file()).ranges; };
  Trainer trainer = trained({});
  trainer.save(file());
  const auto saved = ranges();
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->values.size(), ActivationRanges::count(2));
  // A loaded trainer has no batch yet: it keeps them.
  Trainer::load(file(), "cpu").save(file());
  EXPECT_EQ(ranges(), saved);
  trainer.step(test::random_train_batch<ChessPosition>(8, 9));
  trainer.save(file());
  EXPECT_NE(ranges(), saved);
}

TEST_F(TrainerCheckpoint, PublishesForInt8BeforeTheFirstStep) {
  if (cpu_backends().all().front().name != "onednn") GTEST_SKIP() << "built without oneDNN";
  const Trainer untrained(encoding_of<ChessPosition>(), test::small_net(4), {}, "cpu", 1);
  const auto backend = untrained.inference_backend(Precision::Int8);
  EXPECT_EQ(backend->attributes().precision, Precision::Int8);
  const auto trainer = trained({}, "cpu");  // which alone computes in int8
  const auto batch = test::random_train_batch<ChessPosition>(8, 3);
  const auto expected = test::answered_batch(*trainer.inference_backend(), batch);
  const auto given = test::answered_batch(*trainer.inference_backend(Precision::Int8), batch);
  for (std::size_t i = 0; i < expected->wdl().size(); ++i)
    EXPECT_NEAR(given->wdl()[i], expected->wdl()[i], 0.03);
}

}  // namespace
}  // namespace faultline
