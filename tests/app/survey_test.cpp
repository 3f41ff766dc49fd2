// `survey` as a command: output, messages, exit codes.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/json_document.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> small(const std::string& out) {
  // Options that take one argument leave the variants after it alone.
  return {"survey",
          "--visits",
          "2,4",
          "gardner",
          "inferno:levels=2",
          "--evaluator",
          "uniform",
          "--games",
          "4",
          "--max-plies",
          "40",
          "--playouts",
          "5",
          "--threads",
          "1",
          "--perft-nodes",
          "1000",
          "--out",
          out};
}

TEST(SurveyCommand, PlaysPrintsAndCanBeReadAgain) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const ProgramResult played = run_faultline(small(out));
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_THAT(played.out, AllOf(HasSubstr("16 (of 16 planned games; one player has both sides)"),
                                HasSubstr("| gardner          | white       | uniform |"),
                                HasSubstr("## Special moves: inferno:levels=2"), HasSubstr("7 · "),
                                HasSubstr("results.json")));
  const ProgramResult summary = run_faultline({"survey", out, "--summary", "--json"});
  ASSERT_EQ(summary.exit_code, 0) << summary.err;
  const auto json = nlohmann::json::parse(summary.out);
  EXPECT_EQ(json, nlohmann::json::parse(test::read_text(folder.path() / "s" / "results.json")));
  EXPECT_EQ(json["kind"], "survey");
  EXPECT_EQ(test::fact_in(json, "Figures", "Games"), 16);
  const auto& rows = test::section_of(json, "First move and decided games")["rows"];
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[5][0], "inferno:levels=2");
  EXPECT_EQ(rows[5][2], 4);

  const ProgramResult again = run_faultline({"survey", out});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Continuing after 16 of 16 games."));

  const std::string page = (folder.path() / "page.html").string();
  const ProgramResult report = run_faultline({"report", out, "-o", page});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(test::read_text(page), HasSubstr("First move and decided games"));
  EXPECT_EQ(run_faultline({"report", out, "-o", page, "--title", "Two <games>"}).exit_code, 0);
  EXPECT_THAT(test::read_text(page), HasSubstr("<title>Two &lt;games></title>"));
}

TEST(SurveyCommand, TakesFastNetworksAndAlphaBeta) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const std::string fast = "alphabeta?eval=" FAULTLINE_SOURCE_DIR "/nets/gardner.pt";
  const std::vector<std::string> words = {"survey",     "gardner", "--net",         fast,
                                          "--visits",   "20,100",  "--games",       "4",
                                          "--playouts", "2",       "--perft-nodes", "100"};
  std::vector<std::string> begin = words;
  begin.insert(begin.end(), {"--out", out});
  const ProgramResult played = run_faultline(begin);
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_THAT(played.out,
              AllOf(HasSubstr("8 (of 8 planned games"), HasSubstr(fast), HasSubstr("one for each"),
                    HasSubstr(" nodes | games |"), HasSubstr("At the most nodes")));
  const auto settings = nlohmann::json::parse(test::read_text(folder.path() / "s" / "survey.json"));
  EXPECT_EQ(settings["temperature"], 0);
  EXPECT_EQ(settings["openings"], "random:4");
  EXPECT_EQ(settings["variants"][0]["weights"].get<std::string>().size(), 16U);
  const ProgramResult summary = run_faultline({"survey", out, "--summary"});
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  EXPECT_THAT(summary.out, HasSubstr("At the most nodes"));
  std::vector<std::string> repeated = words;
  repeated.insert(repeated.end(), {"--openings", "random:0", "--out", out + "2"});
  const ProgramResult refused = run_faultline(repeated);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("games are repeated"));
  const ProgramResult mixed = run_faultline(
      {"survey", "escher", "gardner", "--net", fast, "--evaluator", "alphabeta", "--visits", "20",
       "--games", "2", "--playouts", "1", "--perft-nodes", "100", "--out", out + "3"});
  EXPECT_EQ(mixed.exit_code, 0) << mixed.err;
  EXPECT_THAT(mixed.out, HasSubstr("| alphabeta "));
}

TEST(SurveyCommand, RefusesWhatIsNotValid) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const std::string file = folder.write("file", "x");
  const std::string other = (folder.path() / "other").string();
  std::filesystem::create_directory(other);
  for (const Case& c : {
           Case{{"gardner"}, "where to?"},
           Case{{"gardnr", "--out", out}, "did you mean 'gardner'?"},
           Case{{"gardnr"}, "unknown family 'gardnr'"},
           Case{{"--out", out}, "what is surveyed?"},
           Case{{"gardner", "--games", "5", "--out", out}, "'--games' is '5', but must be"},
           Case{{"gardner", "--evaluator", "net", "--out", out}, "--evaluator"},
           Case{{"--net", FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt", "--evaluator",
                 "material", "--out", out},
                "nets play every variant"},
           Case{{"gardner", "--out", file + "/s"}, "cannot be created"},
           Case{{"gardner", "--summary", "--out", out}, "neither variants nor --net"},
           Case{{"--summary", "--out", out}, "is not a survey's folder"},
           Case{{"nowhere", "--summary"}, "there is none at nowhere"},
           Case{{other}, other + ": is a folder without survey.json"},
           Case{{other, "--summary"}, other + ": is a folder without survey.json"},
           Case{{"gardner", other, "--out", out}, other + ": is a folder without survey.json"},
       }) {
    std::vector<std::string> arguments = {"survey"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const ProgramResult result = run_faultline(arguments);
    EXPECT_EQ(result.exit_code, 2) << c.message << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "s")) << "nothing was begun";
}

TEST(SurveyCommand, TheSameCommandContinuesInAFolderNamedLikeItsVariant) {
  const TemporaryFolder place;
  const std::string folder = (place.path() / "surveys" / "gardner").string();
  const auto survey = [&](const std::vector<std::string>& more) {
    std::string command =
        "cd " + place.path().string() + " && " FAULTLINE_PROGRAM " survey gardner";
    for (const std::string& word : more)
      command += " " + word;
    return WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str()));
  };
  const std::vector<std::string> begin = {
      "--evaluator material", "--visits 4",        "--games 2",
      "--playouts 1",         "--perft-nodes 100", "--out surveys/gardner"};
  EXPECT_EQ(survey(begin), 0);
  EXPECT_EQ(survey(begin), 0);
  EXPECT_EQ(survey({}), 0);  // the folder
  EXPECT_EQ(survey({"--out ./surveys/gardner", "--evaluator material", "--visits 4", "--games 4",
                    "--playouts 1", "--perft-nodes 100"}),
            0);
  EXPECT_EQ(survey({"--visits 4", "--games 2", "--playouts 1", "--perft-nodes 100",
                    "--out surveys/elsewhere"}),
            0);
  EXPECT_TRUE(std::filesystem::exists(place.path() / "surveys" / "elsewhere" / "survey.json"));
}

TEST(SurveyCommand, RefusesToContinueWithOtherSettingsOrDamagedFiles) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  ASSERT_EQ(run_faultline(small(out)).exit_code, 0);
  for (const std::string option : {"--visits", "--playouts"}) {
    const ProgramResult summary = run_faultline({"survey", out, "--summary", option, "2"});
    EXPECT_EQ(summary.exit_code, 2) << option;
    EXPECT_THAT(summary.err, HasSubstr("--summary: plays nothing"));
  }
  const ProgramResult other = run_faultline({"survey", out, "--seed", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("has seed = 1, not 2"));
  const std::string games = test::read_text(folder.path() / "s" / "games.pgn");
  test::write_text(folder.path() / "s" / "games.pgn", "nonsense");
  const ProgramResult damaged = run_faultline({"survey", out});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_THAT(damaged.err, HasSubstr("is not a file of games"));
  EXPECT_EQ(test::read_text(folder.path() / "s" / "games.pgn"), "nonsense");
  const std::string results = test::read_text(folder.path() / "s" / "results.json");
  EXPECT_EQ(run_faultline({"survey", out, "--summary"}).exit_code, 2);
  EXPECT_EQ(test::read_text(folder.path() / "s" / "results.json"), results);
  test::write_text(folder.path() / "s" / "games.pgn", games);
  test::write_text(folder.path() / "s" / "survey.json", "{");
  const ProgramResult settings = run_faultline({"survey", out, "--summary"});
  EXPECT_EQ(settings.exit_code, 2);
  EXPECT_THAT(settings.err, HasSubstr("survey.json: is not JSON"));
}

TEST(SurveyCommand, NamesAGameThatCannotBeReadOnceAndGoesOn) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  ASSERT_EQ(run_faultline(small(out)).exit_code, 0);
  const auto file = folder.path() / "s" / "games.pgn";
  std::string text = test::read_text(file);
  text.insert(text.find("\n\n", text.find("[Round \"1.2.1\"]")) + 2, "e99 ");
  test::write_text(file, text);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--summary"}, {}, {"--games", "6"}}) {
    std::vector<std::string> words = {"survey", out};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string notice = "game 1.2.1 is left out";
    const std::size_t first = result.err.find(notice);
    EXPECT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(notice, first + 1), std::string::npos) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("games.pgn:"), HasSubstr("1 game cannot be read")));
    EXPECT_THAT(result.out, HasSubstr(more.size() == 2 ? "23 (of 24 planned games"
                                                       : "15 (of 16 planned games"));
  }
}

TEST(SurveyCommand, IsReadWithoutItsNetAndOpenings) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const std::string openings = folder.write("openings.txt", "a2a3\nb2b3\n");
  std::vector<std::string> words = small(out);
  std::erase(words, "inferno:levels=2");
  words.insert(words.end(), {"--openings", openings});
  ASSERT_EQ(run_faultline(words).exit_code, 0);
  const std::string with = run_faultline({"survey", out, "--summary"}).out;
  std::filesystem::remove(openings);
  const ProgramResult without = run_faultline({"survey", out, "--summary"});
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_EQ(without.out, with);
  // As if a net had played.
  auto settings = nlohmann::ordered_json::parse(test::read_text(folder.path() / "s/survey.json"));
  settings["variants"][0]["player"] = "gone.pt";
  settings["variants"][0]["weights"] = "0123456789abcdef";
  test::write_text(folder.path() / "s/survey.json", settings.dump());
  const ProgramResult summary = run_faultline({"survey", out, "--summary"});
  EXPECT_EQ(summary.exit_code, 0) << summary.err;
  EXPECT_THAT(summary.err, AllOf(HasSubstr("without the nets' policies: "), HasSubstr("gone.pt")));
  EXPECT_THAT(summary.out, HasSubstr("8 (of 8 planned games"));
}

TEST(SurveyCommand, ReportsOfDamagedResultsNameThem) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  ASSERT_EQ(run_faultline(small(out)).exit_code, 0);
  const std::string page = (folder.path() / "page.html").string();
  for (const std::string text :
       {"[]", "{\"format\": 1, \"variants\": [{}]}",
        "{\"format\": 2, \"kind\": \"survey\", \"notices\": [], \"sections\": [3]}"}) {
    test::write_text(folder.path() / "s" / "results.json", text);
    const ProgramResult report = run_faultline({"report", out, "-o", page});
    EXPECT_EQ(report.exit_code, 0) << "games and settings are shown all the same: " << report.err;
    EXPECT_THAT(report.err, AllOf(HasSubstr("results.json"), HasSubstr("--summary")));
  }
  std::filesystem::remove(folder.path() / "s" / "results.json");
  const ProgramResult report = run_faultline({"report", out, "-o", page});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_THAT(report.err, HasSubstr("There are no results yet"));
}

}  // namespace
}  // namespace faultline
