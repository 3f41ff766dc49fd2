// Resuming a run: warnings about lost games, and states of earlier versions.
#include "selfplay/run_persistence.h"

#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/selfplay/fake_trainer.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using test::fake_config;
using test::FakeSession;
using test::TemporaryFolder;

/// A run of 24 games in chunks of seven.
class ResumedRun : public testing::Test {
 protected:
  ResumedRun() {
    config_.run.games = 24;
    FakeSession session;
    before_ = session.run(config_, folder());
  }
  fs::path folder() const { return place_.path() / "run"; }
  fs::path chunk(const std::string& name) const { return folder() / "games" / name; }
  /// The output of resuming.
  std::string resume() {
    FakeSession session;
    session.resume = true;
    after_ = session.run(config_, folder());
    return session.out.str();
  }
  std::uint64_t positions_on_disk() const {
    std::uint64_t positions = 0;
    for (const StoredGame& game : scan_games(folder() / "games", "escher").games)
      positions += game.targets;
    return positions;
  }
  /// The warning after `games` games with so many positions are left.
  std::string warning(std::size_t games, std::uint64_t positions) const {
    return "warning: " + (folder() / "games").string() + ": contains " + std::to_string(games) +
           " games with " + std::to_string(positions) + " training positions, but " +
           (folder() / "state.json").string() + " counted 24 with " +
           std::to_string(before_.positions) + ": games were lost";
  }

  TemporaryFolder place_;
  Config config_ = fake_config();
  RunResult before_;
  RunResult after_;
};

TEST_F(ResumedRun, DoesNotWarnAboutACompleteFolder) {
  const std::string out = resume();
  EXPECT_EQ(out.find("warning"), std::string::npos) << out;
  EXPECT_EQ(after_.games, 24U);
}

TEST_F(ResumedRun, WarnsWithBothNumbersWhenAChunkWasDeleted) {
  ASSERT_TRUE(fs::remove(chunk("000001.chunk")));
  const std::string expected = warning(17, positions_on_disk());
  const std::string out = resume();
  EXPECT_NE(out.find(expected), std::string::npos) << out;
  EXPECT_EQ(after_.games, 24U);  // the lost numbers were played again
}

TEST_F(ResumedRun, WarnsWithBothNumbersWhenAChunkWasEmptied) {
  fs::resize_file(chunk("000002.chunk"), 0);
  const std::string expected = warning(17, positions_on_disk());
  const std::string out = resume();
  EXPECT_NE(out.find(expected), std::string::npos) << out;
}

TEST_F(ResumedRun, WarnsWhenAllGamesAreGone) {
  fs::remove_all(folder() / "games");
  EXPECT_NE(resume().find(warning(0, 0)), std::string::npos);
}

TEST_F(ResumedRun, ResumesFromAStateOfTheFirstFormat) {
  const std::string state = test::read_text(folder() / "state.json");
  auto json = nlohmann::json::parse(state);
  const std::uint64_t id = run_state_from_json(state, "state.json").run_id;
  json["format"] = 1;
  json.erase("run_id");
  json.erase("init_from");
  test::write_text(folder() / "state.json", json.dump());
  config_.run.games = 30;
  resume();
  EXPECT_EQ(after_.games, 30U);
  // The chunks name the run.
  EXPECT_EQ(run_state_from_json(test::read_text(folder() / "state.json"), "s").run_id, id);
}

TEST_F(ResumedRun, RefusesANetworkToStartFrom) {
  try {
    const RunPersistence persistence(config_, "escher",
                                     {.folder = folder(), .resume = true, .init_from = "net.pt"});
    FAIL() << "accepted";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("--init-from"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace faultline
