// `faultline check GAME.toml`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kSources = FAULTLINE_SOURCE_DIR;

TEST(CheckGame, SaysThatNothingIsWrong) {
  const ProgramResult result = run_faultline({"check", kSources + "/games/grand.toml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "grand: Grand, 100 squares, 8 pieces. Nothing is wrong.\n");
  EXPECT_EQ(result.err, "");
}

TEST(CheckGame, KnowsAGameByItsFirstLines) {
  const TemporaryFolder folder;
  const ProgramResult marked =
      run_faultline({"check", folder.write("x.toml",
                                           "\xEF\xBB\xBF"
                                           "format = 1\nname = \"x\"\nbase = \"chess\"\n")});
  EXPECT_EQ(marked.exit_code, 0) << marked.err;
  const ProgramResult without_format =
      run_faultline({"check", folder.write("x.toml", "name = \"x\"\nbase = \"chess\"\n")});
  EXPECT_EQ(without_format.exit_code, 2);
  EXPECT_THAT(without_format.err, HasSubstr("x.toml:1: has no format"));
}

TEST(CheckGame, SaysAllThatIsWrong) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("x.toml",
                   "format = 1\nname = \"x\"\nbase = \"chess\"\n[board]\nwrap = 1\n"
                   "[pieces]\nN = \"knihgt\"\n");
  const ProgramResult result = run_faultline({"check", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("x.toml:5: board.wrap is 1, but must be"),
                                HasSubstr("x.toml:7: N = 'knihgt'")));
}

TEST(CheckGame, RefusesStartsThatAreNoPositions) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.toml",
                                        "format = 1\nname = \"x\"\nbase = \"chess\"\n[start]\n"
                                        "fen = \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1\"\n");
  const ProgramResult result = run_faultline({"check", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("x.toml:5: start.fen: "), HasSubstr("not to move is in check")));
}

TEST(CheckGame, RefusesWhatThisProgramDoesNotPlay) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("x.toml",
                   "format = 1\nname = \"x\"\n[board]\nfiles = 12\nranks = 12\n"
                   "[board.levels]\ncount = 2\n[pieces]\nK = { moves = \"K\", royal = true }\n"
                   "[start]\nfen = \"k11/12/12/12/12/12/12/12/12/12/12/K11|"
                   "12/12/12/12/12/12/12/12/12/12/12/12 w - - 0 1\"\n");
  const ProgramResult result = run_faultline({"check", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(HasSubstr("x.toml: "), HasSubstr("more than 128 squares")));
}

TEST(CheckGame, WarnsOfWhatCanBePlayed) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("x.toml", "format = 1\nname = \"x\"\nbase = \"chess\"\n[pieces]\nA = \"BN\"\n");
  const ProgramResult result = run_faultline({"check", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("x.toml:5: warning: A is in no start"));
  EXPECT_THAT(result.out, HasSubstr("7 pieces. 1 warning."));
}

TEST(CheckGame, ExplainsPiecesInSentences) {
  const ProgramResult result =
      run_faultline({"check", "--explain", kSources + "/games/chess.toml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("P    pawn: fmWfceFifmnD; counted as 1.0 pawns\n"),
            HasSubstr("N    knight: N; counted as 3.2 pawns\n"),
            HasSubstr("steps one square diagonally forward, only to take, also en passant"),
            HasSubstr("K    king: K, castles, royal\n"), HasSubstr("becomes one of Q R B N")));
}

}  // namespace
}  // namespace faultline
