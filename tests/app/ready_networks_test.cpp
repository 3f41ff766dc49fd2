// The networks in nets/: each plays as its file says.
#include "lab/ready_networks.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/checkpoint_file.h"
#include "model/fast/fast_file.h"
#include "record/config.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(FAULTLINE_SOURCE_DIR "/nets"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// The first player's score, 0 to 1.
double score(const std::string& player, const std::string& opponent, const std::string& variant) {
  const ProgramResult result = run_faultline(
      {"match", variant, player, opponent, "--games", "20", "--openings", "random:4", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto document = nlohmann::json::parse(result.out);
  for (const auto& section : document["sections"])
    if (section["title"] == "Score") return section["rows"][0][7]["value"];
  ADD_FAILURE() << result.out;
  return 0;
}

TEST(ReadyNetworks, AreSmallAndPlayAsTheySay) {
  // Of 20 games, which are always the same.
  constexpr double kChance = 0.25;
  std::uintmax_t bytes = 0;
  for (const fs::path& file : shipped()) {
    SCOPED_TRACE(file.string());
    EXPECT_EQ(file.extension(), ".pt");
    EXPECT_LT(fs::file_size(file), 1'600'000U);  // both networks
    bytes += fs::file_size(file);
    const CheckpointFile checkpoint = CheckpointFile::read(file);
    const std::string variant = info_of(checkpoint, file).encoding.variant;
    EXPECT_EQ(ready_network(variant).filename(), file.filename());
    const auto& about = checkpoint.header["about"];
    EXPECT_THAT(about["config"].get<std::string>(), testing::HasSubstr("[learner]"));
    EXPECT_GT(about["run"]["evaluations"].get<std::int64_t>(), 1'000'000);
    EXPECT_EQ(about["weights"], nlohmann::json(network_hashes(checkpoint, file)));
    EXPECT_FALSE(about["strength"]["rows"].empty());
    const auto& origin = checkpoint.header["fast_network"]["origin"];
    const Config config = parse_config(origin["config"].get<std::string>(), file.string());
    EXPECT_EQ(config.fast.network, FastRun::Alone);
    EXPECT_GT(config.learner.replay_ratio, 1);
    EXPECT_FALSE(origin["run"].is_null() && origin["note"].is_null());
    const auto rows = nlohmann::json::parse(about["note"].get<std::string>());
    const auto& fast = rows["fast"];
    EXPECT_GT(score("alphabeta?eval=" + file.string() +
                        "&nodes=" + std::to_string(fast["nodes"].get<int>()),
                    fast["opponent"], variant),
              fast["score"]["value"].get<double>() - kChance);
    const auto& network = rows["network"];
    EXPECT_GT(score(file.string() + "?visits=" + std::to_string(network["visits"].get<int>()),
                    network["opponent"], variant),
              network["score"]["value"].get<double>() - kChance);
  }
  EXPECT_GT(bytes, 0U);
  EXPECT_LT(bytes, 6'000'000U);
}

}  // namespace
}  // namespace faultline
