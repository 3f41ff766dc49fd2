// What a run begins with and keeps: the weights of another run, precisions and the backend.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/processor_features.h"
#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "tests/selfplay/tiny_runs.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::refusal;
using test::run;
using test::state_in;
using test::TemporaryFolder;
using test::tiny_config;

std::string precision_of(const std::filesystem::path& checkpoint) {
  return CheckpointFile::read(checkpoint).header.at("train").at("precision");
}

TEST(RunStart, LearnsInThePrecisionThatIsNamed) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 10;
  config.learner.train.precision = TrainingPrecision::Bf16;
  EXPECT_EQ(precision_of(run(config, place.path() / "run").checkpoint), "bf16");
  config.run.games = 20;
  config.learner.train.precision = TrainingPrecision::Fp32;
  EXPECT_EQ(precision_of(run(config, place.path() / "run", true).checkpoint), "fp32");
}

TEST(RunStart, LeftToAutoThePrecisionIsThatOfTheProcessor) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 4;
  config.learner.train.precision = TrainingPrecision::Auto;
  const ProcessorFeatures& processor = this_processor();
  EXPECT_EQ(precision_of(run(config, place.path() / "free").checkpoint),
            processor.avx512_bf16 || processor.amx_bf16 ? "bf16" : "fp32");
  config.run.deterministic = true;
  EXPECT_EQ(precision_of(run(config, place.path() / "deterministic").checkpoint), "fp32");
}

TEST(RunStart, StoresWhatEvaluatesItsGames) {
  const TemporaryFolder place;
  Config config = tiny_config("escher");
  config.run.games = 8;
  config.selfplay.batch = 0;
  const auto output = [&](bool resume) {
    std::ostringstream out;
    run_training(config, {.folder = place.path() / "run", .resume = resume, .out = &out});
    return out.str();
  };
  EXPECT_NE(output(false).find("by the processor)"), std::string::npos);
  output(true);
  const RunState state = state_in(place.path() / "run");
  ASSERT_EQ(state.inference.size(), 1U);
  EXPECT_LE(state.inference.front().choice.batch, 8U) << "eight games cannot fill more";
}

/// A run of escher, and one that starts from its last network.
class InitFrom : public testing::Test {
 protected:
  InitFrom() {
    config_.run.games = 10;
    net_ = run(config_, place_.path() / "first").checkpoint;
    second_ = config_;
    second_.run.games = 4;
    second_.run.seed = 99;
  }
  RunResult begin(const Config& config, bool resume = false) {
    return run_training(config, {.folder = folder(),
                                 .resume = resume,
                                 .out = &out_,
                                 .init_from = resume ? std::filesystem::path() : net_});
  }
  std::filesystem::path folder() const { return place_.path() / "second"; }

  TemporaryFolder place_;
  Config config_ = tiny_config("escher");
  Config second_;
  std::filesystem::path net_;
  std::ostringstream out_;
};

TEST_F(InitFrom, ANewRunStartsWithTheWeightsAndNothingElse) {
  second_.search.params.cpuct = 3;
  second_.search.match_policy_temperature = 2.5F;
  const RunResult result = begin(second_);
  const CheckpointInfo first = read_checkpoint_info(net_);
  const CheckpointInfo begun = read_checkpoint_info(result.first_checkpoint);
  ASSERT_GT(first.steps, 0);
  EXPECT_EQ(begun.steps, 0);
  EXPECT_EQ(begun.weights_hash, first.weights_hash);
  EXPECT_EQ(first.search, playing_search(config_.search));
  EXPECT_EQ(begun.search, playing_search(second_.search)) << "that of its own run";
  EXPECT_EQ(begun.search->params.policy_temperature, 2.5F);
  const CheckpointFile file = CheckpointFile::read(result.first_checkpoint);
  EXPECT_EQ(file.arrays.at("weights/parameters"),
            CheckpointFile::read(net_).arrays.at("weights/parameters"));
  for (const auto& [name, values] : file.arrays)
    if (name.starts_with("optimizer/")) {
      EXPECT_TRUE(std::ranges::all_of(values, [](float v) { return v == 0; })) << name;
    }
  EXPECT_NE(state_in(folder()).init_from.find(net_.string()), std::string::npos);
  EXPECT_NE(out_.str().find(net_.string()), std::string::npos);
}

TEST_F(InitFrom, AResumedRunDoesNotNeedItAndRecordsIt) {
  const RunResult first = begin(second_);
  second_.run.games = 16;
  std::filesystem::remove(net_);
  const RunResult second = begin(second_, true);
  EXPECT_EQ(second.games, 16U);
  EXPECT_GT(second.steps, first.steps);
  EXPECT_NE(state_in(folder()).init_from.find(net_.string()), std::string::npos);
}

TEST_F(InitFrom, AnExistingRunIsRefused) {
  begin(second_);
  EXPECT_NE(refusal([&] { begin(second_); }).find("--init-from starts a new one"),
            std::string::npos);
}

TEST_F(InitFrom, AnotherFamilyIsRefusedByNameBeforeTheFolderIsCreated) {
  second_.run.variant = "chess";
  try {
    begin(second_);
    FAIL() << "accepted";
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("'encoding.family' is 'escher'; expected 'chess'"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(InitFrom, KeysOfTheNetAreTakenFromItUnlessTheyContradict) {
  Config adopting = parse_config("[net]\nblocks = 2\n", "x.toml");
  adopting.run.variant = "chess";
  EXPECT_THROW(adopt_net(adopting, net_), EncodingMismatch);
  adopting.run.variant = "escher";
  adopt_net(adopting, net_);
  EXPECT_EQ(adopting.net, config_.net);
  Config contradicting = parse_config("[net]\n\nchannels = 24\n", "x.toml");
  contradicting.run.variant = "escher";
  try {
    adopt_net(contradicting, net_);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()), "x.toml:3: 'net.channels' is 24, but " + net_.string() +
                                             " has 16; leave the key out to take the net's");
  }
}

}  // namespace
}  // namespace faultline
