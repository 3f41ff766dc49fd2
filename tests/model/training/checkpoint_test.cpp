// Checkpoints: what is loaded goes on as if nothing had happened; what is damaged is refused.
#include "model/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/model/inference/batches.h"

namespace faultline {
namespace {

using test::encoding_of;

class Checkpoint : public testing::Test {
 protected:
  Checkpoint()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("faultline-" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Checkpoint() override { std::filesystem::remove_all(folder_); }

  static Trainer trained(const TrainParams& params) {
    Trainer trainer(encoding_of<ChessPosition>(), test::small_net(4), params, "cpu", 1);
    for (std::uint64_t i = 0; i < 4; ++i)
      trainer.step(test::random_train_batch<ChessPosition>(8, i));
    return trainer;
  }
  std::filesystem::path file() const { return folder_ / "net.pt"; }
  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// What loading says, for players and for trainers alike.
  std::string refusal(const EncodingInfo& expected = encoding_of<ChessPosition>()) const {
    try {
      load_backend(file(), expected, "cpu");
    } catch (const CheckpointError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(Checkpoint, TrainingGoesOnAsIfNothingHadHappened) {
  for (const auto kind : {OptimizerKind::AdamW, OptimizerKind::SgdNesterov})
    for (const double ema : {0.0, 0.99}) {
      TrainParams params;
      params.optimizer = kind;
      params.ema_decay = ema;
      params.learning_rate = 2e-3;
      Trainer before = trained(params);
      before.save(file());
      Trainer after = Trainer::load(file(), "cpu");
      EXPECT_EQ(after.steps(), 4);
      EXPECT_EQ(after.learning_rate(), 2e-3);
      EXPECT_EQ(after.net(), before.net());
      EXPECT_EQ(after.encoding(), before.encoding());
      for (std::uint64_t i = 10; i < 14; ++i) {
        const auto batch = test::random_train_batch<ChessPosition>(8, i);
        EXPECT_EQ(after.evaluate(batch).total, before.evaluate(batch).total);
        EXPECT_EQ(after.step(batch).total, before.step(batch).total);
      }
    }
}

TEST_F(Checkpoint, PlaysLikeTheTrainer) {
  TrainParams params;
  params.ema_decay = 0.5;
  const Trainer trainer = trained(params);
  trainer.save(file());
  const auto train = test::random_train_batch<ChessPosition>(5, 20);
  BackendBatch one = test::as_backend_batch(train), two = test::as_backend_batch(train);
  trainer.inference_backend()->submit(one);
  load_backend(file(), encoding_of<ChessPosition>(), "cpu")->submit(two);
  EXPECT_EQ(one.wdl, two.wdl);
  EXPECT_EQ(one.priors, two.priors);
}

TEST_F(Checkpoint, TellsWhatItHolds) {
  TrainParams params;
  params.ema_decay = 0.9;
  const Trainer trainer = trained(params);
  trainer.save(file());
  const CheckpointInfo info = read_checkpoint_info(file());
  EXPECT_EQ(info.steps, 4);
  EXPECT_EQ(info.net, test::small_net(4));
  EXPECT_EQ(info.encoding, encoding_of<ChessPosition>());
  EXPECT_EQ(info.parameters, trainer.parameter_count());
  EXPECT_TRUE(info.has_ema);
  const auto copy = folder_ / "copy.pt";
  trainer.save(copy);
  EXPECT_EQ(bytes_of(copy), bytes_of(file()));
  EXPECT_EQ(read_checkpoint_info(copy).hash, info.hash);
}

TEST_F(Checkpoint, ReplacesAFileWholeAndLeavesNothingBeside) {
  write("something older");
  trained({}).save(file());
  EXPECT_EQ(read_checkpoint_info(file()).steps, 4);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_),
                          std::filesystem::directory_iterator()),
            1);
}

TEST_F(Checkpoint, SavingIntoAFolderThatIsNotThereNamesTheFile) {
  const auto path = folder_ / "absent" / "net.pt";
  try {
    trained({}).save(path);
    FAIL() << "accepted";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
}

TEST_F(Checkpoint, DamageAnywhereIsFound) {
  trained({}).save(file());
  const std::string good = bytes_of(file());
  for (const std::size_t place :
       {std::size_t{20}, good.size() / 3, good.size() / 2, good.size() - 20, good.size() - 1}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    write(bad);
    EXPECT_NE(refusal().find("damaged"), std::string::npos) << "byte " << place;
    EXPECT_NE(refusal().find(file().string()), std::string::npos);
    EXPECT_THROW(Trainer::load(file(), "cpu"), CheckpointError);
    EXPECT_THROW(read_checkpoint_info(file()), CheckpointError);
  }
}

TEST_F(Checkpoint, ACutOffFileIsRefused) {
  trained({}).save(file());
  const std::string good = bytes_of(file());
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{19}, std::size_t{25},
                                   good.size() / 2, good.size() - 1}) {
    write(good.substr(0, length));
    EXPECT_NE(refusal(), "accepted") << length << " bytes";
    EXPECT_THROW(Trainer::load(file(), "cpu"), CheckpointError);
  }
  write("PNG or whatever this is, it is no checkpoint at all");
  EXPECT_NE(refusal().find("is not a checkpoint"), std::string::npos);
}

TEST_F(Checkpoint, AMissingFileIsNamed) {
  EXPECT_NE(refusal().find(file().string()), std::string::npos);
  EXPECT_NE(refusal().find("No such file"), std::string::npos);
}

TEST_F(Checkpoint, OfAnotherGameIsRefused) {
  trained({}).save(file());
  EXPECT_EQ(refusal(encoding_of<EscherPosition>()),
            "checkpoint " + file().string() + ": is for the family 'chess'; expected 'escher'");
  EncodingInfo newer = encoding_of<ChessPosition>();
  newer.version = 2;
  EXPECT_EQ(refusal(newer),
            "checkpoint " + file().string() + ": has version 1 of the chess encoding; expected 2");
  EncodingInfo other = encoding_of<ChessPosition>();
  other.planes.back() = "zeroes";
  EXPECT_NE(refusal(other).find("planes"), std::string::npos);
}

TEST_F(Checkpoint, WeightsHaveOneHashInAFileAndInMemory) {
  for (const double ema : {0.0, 0.99}) {
    TrainParams params;
    params.ema_decay = ema;
    Trainer trainer = trained(params);
    const std::uint64_t hash = trainer.weights_hash();
    trainer.save(file());
    EXPECT_EQ(read_checkpoint_info(file()).weights_hash, hash);
    EXPECT_EQ(Trainer::load(file(), "cpu").weights_hash(), hash);
    trainer.step(test::random_train_batch<ChessPosition>(8, 9));
    EXPECT_NE(trainer.weights_hash(), hash);
  }
}

TEST(FittingEncoding, MayBeOfAnotherOptionSetButOfNoOtherShape) {
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

}  // namespace
}  // namespace faultline
