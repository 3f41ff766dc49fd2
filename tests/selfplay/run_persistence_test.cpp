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
  std::string resume(const fs::path& from_checkpoint = {}) {
    FakeSession session;
    session.resume = true;
    session.from_checkpoint = from_checkpoint;
    after_ = session.run(config_, folder());
    return session.out.str();
  }
  std::uint64_t positions_on_disk() const {
    std::uint64_t positions = 0;
    for (const StoredGame& game : all_games(scan_games(folder() / "games", "escher")))
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

TEST_F(ResumedRun, LeavesOutAChunkWhoseHeaderIsDamagedOrThatIsADanglingLink) {
  std::string bytes = test::read_text(chunk("000001.chunk"));
  bytes[9] = static_cast<char>(bytes[9] ^ 1);
  test::write_text(chunk("000001.chunk"), bytes);
  fs::remove(chunk("000002.chunk"));
  fs::create_symlink("gone", chunk("000002.chunk"));
  const std::string expected = warning(10, positions_on_disk());
  const std::string out = resume();
  EXPECT_NE(out.find("000001.chunk: is damaged or not a chunk of games"), std::string::npos) << out;
  EXPECT_NE(out.find("000002.chunk: cannot be read: it is a link to gone"), std::string::npos)
      << out;
  EXPECT_NE(out.find(expected), std::string::npos) << out;
  EXPECT_EQ(after_.games, 24U);
}

TEST_F(ResumedRun, GoesOnFromAnEarlierCheckpointWhateverTheStateIs) {
  const fs::path earlier = folder() / RunFolder::checkpoint_name(5);
  const std::string state = test::read_text(folder() / "state.json");
  std::string changed = state;
  const std::size_t digit = changed.find_first_of("123456789", changed.find("\"positions\""));
  changed[digit] = static_cast<char>(changed[digit] ^ 1);
  for (const std::string& text : {state, changed, std::string()}) {
    test::write_text(folder() / "state.json", text);
    if (text != state) {
      try {
        resume();
        ADD_FAILURE() << "a damaged state was accepted";
      } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("--from-checkpoint"), std::string::npos);
      }
    }
    resume(earlier);
    EXPECT_EQ(after_.games, 24U);
    EXPECT_EQ(after_.steps, before_.steps) << "the steps after the checkpoint are made again";
  }
  EXPECT_THROW(resume(place_.path() / "000005.pt"), RunError);
}

TEST_F(ResumedRun, CountsStepsAnewFromWhereTheBatchChanged) {
  config_.run.games = 30;
  config_.learner.batch /= 4;
  const std::string out = resume();
  EXPECT_NE(out.find("0.25 steps per position (learner.replay_ratio / learner.batch) instead of "
                     "0.0625: counted from here on"),
            std::string::npos)
      << out;
  const std::uint64_t more = after_.positions - before_.positions;
  EXPECT_EQ(after_.steps, before_.steps + static_cast<std::int64_t>(more / 4));
  const RunResult second = after_;
  config_.run.games = 36;
  EXPECT_EQ(resume().find("steps per position"), std::string::npos) << "it has not changed again";
  EXPECT_EQ(after_.steps,
            before_.steps + static_cast<std::int64_t>((after_.positions - before_.positions) / 4))
      << "after " << second.steps;
}

TEST_F(ResumedRun, KeepsTheCountWhenAStateDoesNotHaveIt) {
  auto json = nlohmann::json::parse(test::read_text(folder() / "state.json"));
  json.erase("step_count");
  json.erase("checksum");
  test::write_text(folder() / "state.json", json.dump());
  config_.run.games = 30;
  EXPECT_EQ(resume().find("steps per position"), std::string::npos);
  EXPECT_EQ(after_.steps, steps_due(config_.learner, after_.positions));
}

TEST_F(ResumedRun, ResumesFromAStateOfTheFirstFormat) {
  const std::string state = test::read_text(folder() / "state.json");
  auto json = nlohmann::json::parse(state);
  const std::uint64_t id = run_state_from_json(state, "state.json").run_id;
  json["format"] = 1;
  json.erase("run_id");
  json.erase("init_from");
  json.erase("checksum");
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
