// What a run's folder tells about its nets.
#include "lab/net_origin.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "lab/experiment.h"
#include "lab/strength.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

class NetOrigin : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(run_ / "nets");
    test::write_text(run_ / "state.json", "{}");
    test::write_text(
        run_ / "metrics.jsonl",
        R"({"steps": 10, "games": 5, "positions": 50, "seconds": 9, "interval": 10, "evaluations_per_second": 100})"
        "\n"
        R"({"steps": 20, "games": 9, "positions": 90, "seconds": 19, "interval": 10, "evaluations_per_second": 300})"
        "\n");
  }
  /// A table of a net with these weights.
  void write_table(const std::string& weights) const {
    StrengthTable table({.variant = "chess",
                         .net = "nets/000020.pt",
                         .weights = weights,
                         .limits = "800 visits",
                         .search = "cpuct=1.5",
                         .precision = "bf16",
                         .openings = "random:4",
                         .adjudication = "none",
                         .seed = 3,
                         .max_plies = 400},
                        {});
    const auto games = nlohmann::ordered_json::parse(
        R"({"games": 2, "wins": 1, "draws": 1, "losses": 0, "score": 0.75, "score_95": [0.4, 1],
            "elo": 191, "elo_95": [-70, null], "cut": 0, "finished_games": 2})");
    table.set({.opponent = "random", .result = games, .seconds = 2.5, .processor = "a processor"});
    table.save(run_ / "strength.json");
  }
  nlohmann::ordered_json origin(const fs::path& net, std::int64_t steps) const {
    CheckpointInfo info;
    info.steps = steps;
    info.weights_hash = 0xabc;
    return net_origin(net, info);
  }

  test::TemporaryFolder folder_;
  fs::path run_ = folder_.path() / "my-run";
};

TEST_F(NetOrigin, HasTheRunAndWhatTheNetCost) {
  const auto run = origin(run_ / "nets/000020.pt", 20).at("run");
  EXPECT_EQ(run, nlohmann::ordered_json::parse(R"({"name": "my-run", "net": "000020.pt", "games": 9,
      "positions": 90, "evaluations": 4000, "seconds": 19.0})"));
}

TEST_F(NetOrigin, OfAnUntrainedNetIsACostOfZero) {
  const auto run = origin(run_ / "nets/000000.pt", 0).at("run");
  for (const char* key : {"games", "positions", "evaluations"})
    EXPECT_EQ(run.at(key), 0) << key;
}

TEST_F(NetOrigin, KnowsTheRunsNameFromInside) {
  const fs::path before = fs::current_path();
  fs::current_path(run_);
  const auto inside = origin("./nets/000020.pt", 20);
  fs::current_path(run_ / "nets");
  const auto deeper = origin("000020.pt", 20);
  const auto around = origin("../nets/000020.pt", 20);
  fs::current_path(before);
  for (const auto& one : {inside, deeper, around})
    EXPECT_EQ(one.at("run").at("name"), "my-run");
}

TEST_F(NetOrigin, HasTheStrengthOfTheseWeightsWithAllThatItDependsOn) {
  write_table("0000000000000abc");
  const auto strength = origin(run_ / "nets/000020.pt", 20).at("strength");
  EXPECT_EQ(strength.at("limits"), "800 visits");
  EXPECT_EQ(strength.at("search"), "cpuct=1.5");
  EXPECT_EQ(strength.at("precision"), "bf16");
  EXPECT_EQ(strength.at("openings"), "random:4");
  EXPECT_EQ(strength.at("adjudication"), "none");
  EXPECT_EQ(strength.at("max_plies"), 400);
  EXPECT_EQ(strength.at("seed"), 3);
  const auto& row = strength.at("rows").at(0);
  EXPECT_EQ(row.at("opponent"), "random");
  EXPECT_EQ(row.at("processor"), "a processor");
  EXPECT_EQ(row.at("seconds"), 2.5);
  EXPECT_EQ(row.at("result").at("wins"), 1);

  write_table("0000000000000abd");
  EXPECT_TRUE(origin(run_ / "nets/000020.pt", 20).at("strength").is_null()) << "other weights";
}

TEST_F(NetOrigin, IsUnknownForANetOfNoRun) {
  const auto none = origin(folder_.path() / "net.pt", 20);
  EXPECT_TRUE(none.at("run").is_null());
  EXPECT_TRUE(none.at("strength").is_null());
}

TEST_F(NetOrigin, RefusesADamagedTable) {
  test::write_text(run_ / "strength.json", "{");
  EXPECT_THROW(origin(run_ / "nets/000020.pt", 20), ExperimentError);
}

}  // namespace
}  // namespace faultline
