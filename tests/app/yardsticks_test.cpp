// `yardsticks` as a command: its document, its file, and the page made of it.
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

TEST(YardsticksCommand, PrintsADocumentAndKeepsItForReports) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "measured").string();
  const ProgramResult result =
      run_faultline({"yardsticks", "gardner", "random",       "alphabeta?depth=2",
                     "--endgames", "10",      "--pieces",     "KQK",
                     "--puzzles",  "4",       "--only-moves", "2",
                     "--regret",   "2",       "--judge",      "alphabeta?depth=2",
                     "--device",   "cpu",     "--out",        out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("# Yardsticks of gardner"), HasSubstr("## Endgames"),
                                HasSubstr("## Puzzles"), HasSubstr("mates in 5"),
                                HasSubstr("only moves"), HasSubstr("## Regret"),
                                HasSubstr("judge:"), HasSubstr("alphabeta?depth=2 with")));
  const std::string page = (folder.path() / "page.html").string();
  const ProgramResult report = run_faultline({"report", out, "-o", page});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_TRUE(std::filesystem::exists(page));
}

TEST(YardsticksCommand, NamesWhatIsWrong) {
  const ProgramResult player = run_faultline({"yardsticks", "gardner", "nobody"});
  EXPECT_EQ(player.exit_code, 2);
  EXPECT_THAT(player.err, HasSubstr("nobody"));
  const ProgramResult pieces =
      run_faultline({"yardsticks", "gardner", "random", "--pieces", "KQQKQBB", "--device", "cpu"});
  EXPECT_EQ(pieces.exit_code, 2);
  EXPECT_THAT(pieces.err, HasSubstr("at most 6 pieces in gardner"));
  const ProgramResult judge =
      run_faultline({"yardsticks", "gardner", "random", "--judge", "random", "--device", "cpu"});
  EXPECT_EQ(judge.exit_code, 2);
  EXPECT_THAT(judge.err, HasSubstr("judge"));
}

}  // namespace
}  // namespace faultline
