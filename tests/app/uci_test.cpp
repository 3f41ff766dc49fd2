// `faultline uci` as a program: its input, its output and its exit codes.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/families.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string golden_net(const std::string& name) {
  return std::string(FAULTLINE_SOURCE_DIR "/tests/model/golden/") + name;
}

std::vector<std::string> lines_with(const std::string& output, const std::string& prefix) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(prefix)) found.push_back(line);
  return found;
}

TEST(UciProgram, IsWhatFaultlineIsWithoutArgumentsOrTerminal) {
  const ProgramResult result = run_faultline({}, "uci\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("id name faultline "), HasSubstr("\nuciok\n")));
}

TEST(UciProgram, AnswersUciAndIsreadyAndQuits) {
  const ProgramResult result =
      run_faultline({"uci", "--evaluator", "uniform"}, "uci\nisready\nquit\nisready\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("id name faultline "), HasSubstr("\nuciok\nreadyok\n")));
  EXPECT_EQ(lines_with(result.out, "readyok").size(), 1U) << "nothing is read after quit";
}

TEST(UciProgram, TheEndOfTheInputEndsASearchWithItsBestmove) {
  for (const std::string evaluator : {"uniform", "material", "alphabeta"}) {
    const ProgramResult result = run_faultline({"uci", "--evaluator", evaluator}, "go infinite\n");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(lines_with(result.out, "bestmove ").size(), 1U) << evaluator << ": " << result.out;
  }
}

TEST(UciProgram, PlaysEveryFamily) {
  for (const FamilyInfo* family : all_families()) {
    for (const std::string evaluator : {"uniform", "material", "alphabeta"}) {
      const ProgramResult result =
          run_faultline({"uci", "--evaluator", evaluator, "--variant", family->name, "--hash", "4"},
                        "go nodes 50\ngo depth 1\nquit\n");
      EXPECT_EQ(result.exit_code, 0) << family->name << ": " << result.err;
      EXPECT_EQ(lines_with(result.out, "bestmove ").size(), 2U) << family->name;
      EXPECT_THAT(result.out, AllOf(Not(HasSubstr("(none)")), Not(HasSubstr("info string"))));
    }
  }
}

TEST(UciProgram, ShowsAPositionAndRunsTheBench) {
  const ProgramResult result =
      run_faultline({"uci", "--variant", "escher"}, "position startpos moves e2e4\nd\nbench\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("Variant: escher"), HasSubstr("\nFen: "),
                                HasSubstr("\nLegal moves: 20\n")));
  EXPECT_EQ(lines_with(result.out, "Signature: ").size(), 1U);
}

TEST(UciProgram, QuitEndsTheBench) {
  const ProgramResult result = run_faultline({"uci"}, "bench\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "info string bench was stopped\n");
}

TEST(UciProgram, TheInitialOptionsAreItsDefaults) {
  const ProgramResult result =
      run_faultline({"uci", "--variant", "gardner", "--threads", "2", "--hash", "32", "--option",
                     "MultiPV=3", "--option", "Move Overhead=55"},
                    "uci\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("UCI_Variant type combo default gardner var"),
                                HasSubstr("Threads type spin default 2 "),
                                HasSubstr("Hash type spin default 32 "),
                                HasSubstr("MultiPV type spin default 3 "),
                                HasSubstr("MoveOverhead type spin default 55 ")));
}

TEST(UciProgram, ANetPlaysItsOwnVariant) {
  const ProgramResult result =
      run_faultline({"uci", "--net", golden_net("inferno.pt")}, "uci\nd\ngo nodes 20\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("UCI_Variant type combo default inferno"),
                                HasSubstr("Variant: inferno"), HasSubstr("bestmove "),
                                Not(HasSubstr("uniform evaluator"))));
}

TEST(UciProgram, ANetThatDoesNotFitIsReportedAndTheGameGoesOn) {
  const ProgramResult result =
      run_faultline({"uci", "--net", golden_net("chess.pt")},
                    "setoption name UCI_Variant value gardner\nisready\ngo nodes 20\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("does not fit the variant 'gardner'"), HasSubstr("uniform evaluator"),
                    HasSubstr("readyok"), HasSubstr("bestmove ")));
}

TEST(UciProgram, ANetSetLaterIsLoadedAndChoosesTheVariant) {
  const ProgramResult result = run_faultline(
      {"uci"}, "setoption name Net value " + golden_net("inferno.pt") + "\nd\ngo nodes 20\nquit\n");
  EXPECT_THAT(result.out, AllOf(HasSubstr("Variant: inferno"), HasSubstr("bestmove "),
                                Not(HasSubstr("uniform evaluator"))));
}

TEST(UciProgram, BadArgumentsEndItWithExitCode2) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"uci", "--net", "/nowhere/at/all.pt"},
           {"uci", "--net", "random"},
           {"uci", "--variant", "gardner", "--net", golden_net("chess.pt")},
           {"uci", "--variant", "chessy"},
           {"uci", "--hash", "0"},
           {"uci", "--evaluator", "magic"},
           {"uci", "--option", "MultiPV"},
           {"uci", "--option", "MultiPV=many"},
           {"uci", "--option", "Nonsense=1"}}) {
    const ProgramResult result = run_faultline(arguments, "uci\n");
    EXPECT_EQ(result.exit_code, 2) << arguments.back();
    EXPECT_EQ(result.out, "") << arguments.back();
    EXPECT_THAT(result.err, StartsWith("faultline uci: ")) << arguments.back();
  }
}

TEST(UciProgram, DoesNotLoadLibTorch) {
  const TemporaryFolder folder;
  const std::string listed = (folder.path() / "ldd").string();
  ASSERT_EQ(std::system(("ldd '" FAULTLINE_PROGRAM "' > '" + listed + "'").c_str()), 0);
  EXPECT_THAT(test::read_text(listed),
              AllOf(HasSubstr("libc.so"), Not(HasSubstr("libtorch")), Not(HasSubstr("libc10"))));
}

TEST(UciProgram, ReadsCrLfNulsGarbageAndLongLines) {
  std::string input = "uci\r\n";
  input += std::string("\0\0\xff\xfe junk\0\r\n", 13);
  input += std::string(3'000'000, 'x') + "\n";
  input += "position startpos moves e2e4\r\ngo nodes 10\r\nisready";
  const ProgramResult result = run_faultline({"uci", "--evaluator", "uniform"}, input);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(lines_with(result.out, "bestmove ").size(), 1U);
  EXPECT_EQ(lines_with(result.out, "readyok").size(), 1U);
  EXPECT_EQ(lines_with(result.out, "info string a line of more than").size(), 1U);
}

}  // namespace
}  // namespace faultline
