// A run's strength over time: what is played, kept and rated.
#include "lab/strength_curve.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/inference/backend_choice.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// A run's folder with copies of a net of chess.
struct RunFolderWithNets {
  test::TemporaryFolder place;

  RunFolderWithNets() { fs::create_directories(place.path() / "nets"); }
  StrengthRequest request(std::int64_t steps) const {
    const fs::path net = place.path() / "nets" / (std::to_string(steps) + ".pt");
    fs::copy_file(FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt", net,
                  fs::copy_options::overwrite_existing);
    return {place.path(), net, steps, [] { return false; }};
  }
  std::vector<nlohmann::json> games() const {
    std::vector<nlohmann::json> games;
    std::ifstream in(place.path() / "strength_curve.jsonl");
    for (std::string line; std::getline(in, line);)
      if (auto game = nlohmann::json::parse(line, nullptr, false); game.is_object())
        games.push_back(std::move(game));
    return games;
  }
};

const StrengthCurveSettings kQuick = {
    .variant = "chess", .games = 2, .visits = 2, .opponents = {"random"}};

StrengthCurve quick_curve() {
  return {kQuick, cpu_backends(), {.device = "cpu"}};
}

std::vector<std::string> opponents_of(const std::vector<nlohmann::json>& games,
                                      std::int64_t steps) {
  const std::string own = "net " + std::to_string(steps);
  std::vector<std::string> names;
  for (const auto& game : games)
    if (game.at("steps") == steps) {
      EXPECT_TRUE((game.at("white") == own) != (game.at("black") == own));
      names.push_back(game.at(game.at("white") == own ? "black" : "white"));
    }
  return names;
}

TEST(StrengthCurve, EveryNetPlaysTheFixedOpponentsAndTwoEarlierNets) {
  const RunFolderWithNets run;
  StrengthCurve curve = quick_curve();
  for (const std::int64_t steps : {100, 200, 300, 400}) {
    const auto point = curve.measure(run.request(steps));
    ASSERT_TRUE(point.has_value());
    EXPECT_EQ(point->steps, steps);
    EXPECT_EQ(point->zero, "random");
    EXPECT_LT(point->elo_95[0], point->elo);
    EXPECT_GT(point->elo_95[1], point->elo);
  }
  using testing::ElementsAre;
  const auto games = run.games();
  EXPECT_THAT(opponents_of(games, 100), ElementsAre("random", "random"));
  EXPECT_THAT(opponents_of(games, 200), ElementsAre("random", "random", "net 100", "net 100"));
  EXPECT_THAT(opponents_of(games, 400),
              ElementsAre("random", "random", "net 200", "net 200", "net 300", "net 300"));
}

TEST(StrengthCurve, AResumedRunGoesOnFromItsFile) {
  const RunFolderWithNets run;
  quick_curve().measure(run.request(100));
  std::ofstream(run.place.path() / "strength_curve.jsonl", std::ios::app) << "{\"torn";
  quick_curve().measure(run.request(200));
  EXPECT_THAT(opponents_of(run.games(), 200),
              testing::ElementsAre("random", "random", "net 100", "net 100"));
}

TEST(StrengthCurve, NetsOfStepsThatAreMadeAgainDoNotCount) {
  const RunFolderWithNets run;
  StrengthCurve curve = quick_curve();
  for (const std::int64_t steps : {100, 200, 300})
    curve.measure(run.request(steps));
  const auto point = quick_curve().measure(run.request(200));  // the run went back to step 100
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->games, 4)
      << "two against each of 'random' and net 100, and none of the first net 200";
  quick_curve().measure(run.request(400));
  const auto names = opponents_of(run.games(), 400);
  EXPECT_EQ(std::ranges::count(names, "net 200"), 2);
  EXPECT_EQ(std::ranges::count(names, "net 300"), 0);
}

TEST(StrengthCurve, ANetThatWasDeletedIsNoOpponent) {
  const RunFolderWithNets run;
  StrengthCurve curve = quick_curve();
  curve.measure(run.request(100));
  fs::remove(run.place.path() / "nets/100.pt");
  curve.measure(run.request(200));
  EXPECT_THAT(opponents_of(run.games(), 200), testing::ElementsAre("random", "random"));
}

TEST(StrengthCurve, ANetThatIsDeletedMeanwhileGivesNoPointAndNoError) {
  const RunFolderWithNets run;
  StrengthCurve curve = quick_curve();
  curve.measure(run.request(100));
  StrengthRequest request = run.request(200);
  fs::remove(request.checkpoint);
  EXPECT_FALSE(curve.measure(request).has_value());
  EXPECT_TRUE(curve.measure(run.request(300)).has_value());
}

TEST(StrengthCurve, AMeasurementThatIsStoppedGivesNoPoint) {
  const RunFolderWithNets run;
  StrengthRequest request = run.request(100);
  request.stop = [] { return true; };
  EXPECT_FALSE(quick_curve().measure(request).has_value());
}

}  // namespace
}  // namespace faultline
