// `study` as a command: output, messages, exit codes.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "tests/app/json_document.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A folder with a small study.
class StudyCommand : public testing::Test {
 protected:
  StudyCommand() {
    folder_.write("never.toml", "[[rules]]\nwhen = { captures = true }\nforbid = true\n");
    study_ = folder_.write(
        "small.toml",
        "title = \"Captures\"\nvariants = [\"gardner\"]\nnets = [\"material\"]\nvisits = [6]\n"
        "games = 40\nlook = 10\nmax_plies = 60\n"
        "[[arms]]\nname = \"plain\"\n[[arms]]\nname = \"peaceful\"\nstrategy = \"never.toml\"\n");
  }
  std::string out(const std::string& name) const { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
  std::string study_;
};

TEST_F(StudyCommand, PlaysPrintsAndHasNothingLeftToPlay) {
  const ProgramResult first = run_faultline({"study", study_, "--out", out("s")});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(
      first.out,
      AllOf(HasSubstr("1 comparison in 1 combination of variant, net and visits, at most 40 games"),
            HasSubstr("better"), HasSubstr("captures"), Not(HasSubstr("Stopped"))));
  EXPECT_TRUE(fs::exists(out("s") + "/results.json"));

  const ProgramResult again = run_faultline({"study", out("s")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Continuing after"));
  const ProgramResult summary = run_faultline({"study", out("s"), "--summary"});
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  EXPECT_THAT(first.out, HasSubstr(summary.out));
  const ProgramResult json = run_faultline({"study", out("s"), "--summary", "--json"});
  EXPECT_EQ(test::section_of(nlohmann::json::parse(json.out), "Comparisons")["rows"][0].back(),
            "better");

  const ProgramResult report = run_faultline({"report", out("s"), "-o", out("s.html")});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.err, Not(HasSubstr("report:")));
}

TEST_F(StudyCommand, GamesOfOthersAreLeftOut) {
  ASSERT_EQ(run_faultline({"study", study_, "--out", out("s")}).exit_code, 0);
  for (const auto& cell : fs::directory_iterator(out("s") + "/games")) {
    const fs::path games = cell.path() / "games.pgn";
    const std::string text =
        std::regex_replace(test::read_text(games), std::regex("White \""), "White \"z");
    std::ofstream(games) << text;
  }
  const ProgramResult summary = run_faultline({"study", out("s"), "--summary"});
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  EXPECT_THAT(summary.out + summary.err, HasSubstr("left out"));
  const ProgramResult report = run_faultline({"report", out("s"), "-o", out("s.html")});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.err, HasSubstr("left out"));
}

TEST_F(StudyCommand, APageDoesNotReplaceWhatIsNoFile) {
  ASSERT_EQ(run_faultline({"study", study_, "--out", out("s")}).exit_code, 0);
  const std::string pipe = out("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const ProgramResult report = run_faultline({"report", out("s"), "-o", pipe});
  EXPECT_EQ(report.exit_code, 2);
  EXPECT_THAT(report.err, HasSubstr("is not a regular file"));
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(StudyCommand, AFolderIsNotContinuedElsewhere) {
  ASSERT_EQ(run_faultline({"study", study_, "--out", out("s")}).exit_code, 0);
  const ProgramResult elsewhere = run_faultline({"study", out("s"), "--out", out("t")});
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("leave out --out"));
  const ProgramResult summary = run_faultline({"study", out("s"), "--summary", "--games", "60"});
  EXPECT_EQ(summary.exit_code, 2);
  EXPECT_THAT(summary.err, HasSubstr("--summary"));
}

TEST_F(StudyCommand, SaysThatAnIncompleteGameWasDropped) {
  ASSERT_EQ(run_faultline({"study", study_, "--out", out("s")}).exit_code, 0);
  const fs::path file = fs::path(out("s")) / "games" / "gardner_material_6" / "games.pgn";
  const std::string text = test::read_text(file);
  test::write_text(file, text.substr(0, text.size() - 10));
  const ProgramResult again = run_faultline({"study", out("s")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("games.pgn: dropped an incomplete game at its end"));
}

TEST_F(StudyCommand, RefusesWhatIsNotValid) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::string bad = folder_.write("bad.toml", "title = \"x\"\nvariant = \"gardner\"\n");
  std::string text = test::read_text(study_);
  const std::string odd =
      folder_.write("odd.toml", text.replace(text.find("games = 40"), 10, "games = 46"));
  const std::vector<Case> cases = {
      {{}, "STUDY"},
      {{"no-such.toml", "--out", out("s")}, "no-such.toml: cannot be read"},
      {{bad, "--out", out("s")}, "did you mean 'variants'?"},
      {{study_, "--out", out("s"), "--net", "a b=uniform"}, "a label of letters"},
      {{study_, "--out", out("s"), "--variants", "escher"}, "is not one of the study's"},
      {{study_, "--out", out("s"), "--games", "16"}, "a multiple of look"},
      {{study_, "--out", out("s"), "--summary"}, "there is no study in this folder"},
      {{odd, "--out", out("s")}, "games = 46: must be a multiple of look"},
      {{folder_.path().string()}, "without study.json"},
      {{study_, "--out", bad}, "cannot be created"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"study"};
    words.insert(words.end(), c.arguments.begin(), c.arguments.end());
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(fs::exists(out("s"))) << c.message;
  }
  EXPECT_EQ(run_faultline({"study", odd, "--out", out("s"), "--games", "10"}).exit_code, 0);
}

}  // namespace
}  // namespace faultline
