// `strength` as a command: the table, its file, and continuing.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kNet = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";

std::vector<std::string> strength(const std::string& out, const std::string& games) {
  std::vector<std::string> arguments = {"strength",    kNet, "--opponents", "random",
                                        "--visits",    "2",  "--games",     games,
                                        "--max-plies", "20", "--device",    "cpu"};
  if (!out.empty()) arguments.insert(arguments.end(), {"--out", out});
  return arguments;
}

TEST(Strength, PlaysAgainstEachOpponentOnceAndPrintsTheTable) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "table.json").string();
  const ProgramResult first = run_faultline(strength(out, "2"));
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, AllOf(HasSubstr("| opponent | games |"), HasSubstr("| random   | ")));
  const ProgramResult again = run_faultline(strength(out, "2"));
  EXPECT_EQ(again.out, first.out);
  EXPECT_THAT(again.err, Not(HasSubstr("random:")));  // nothing was played
  EXPECT_EQ(run_faultline({"strength", out, "--print"}).out, first.out);
}

TEST(Strength, SaysWhereThereIsNoTable) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "run" / "nets");
  const std::string run = (folder.path() / "run").string();
  EXPECT_THAT(run_faultline({"strength", run, "--print"}).err, HasSubstr("is neither a run's"));
  folder.write("run/config.toml", "");
  const ProgramResult none = run_faultline({"strength", run, "--print"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr(run + " has no table yet; 'faultline strength " + run));
  const ProgramResult in_a_folder = run_faultline(strength(run, "2"));
  EXPECT_EQ(in_a_folder.exit_code, 2);
  EXPECT_THAT(in_a_folder.err, HasSubstr("is a folder"));
  std::vector<std::string> seed = strength(run, "2");
  seed.insert(seed.end(), {"--seed", "-1"});
  EXPECT_THAT(run_faultline(seed).err, HasSubstr("'--seed' is '-1', but must be"));
}

TEST(Strength, CountsNothingWhereAllGamesWereCut) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = strength((folder.path() / "table.json").string(), "2");
  *std::ranges::find(arguments, "20") = "5";
  EXPECT_THAT(run_faultline(arguments).out,
              HasSubstr("| random   |     0 |      - |            - |          - |   2 |"));
}

TEST(Strength, AsksWhereToKeepTheTableOfANetThatIsInNoRun) {
  const ProgramResult result = run_faultline(strength("", "2"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("chess.pt"), HasSubstr("give --out FILE")));
}

}  // namespace
}  // namespace faultline
