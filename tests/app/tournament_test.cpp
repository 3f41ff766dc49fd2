// `tournament` and `rate` as commands: output, messages, exit codes, and a process that is killed.
#include <algorithm>
#include <chrono>
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

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string game(const std::string& white, const std::string& black, const std::string& result) {
  return "[Event \"e\"]\n[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Result \"" +
         result + "\"]\n\n1. e4 e5 " + result + "\n\n";
}

/// A stronger than B stronger than C.
std::string three_players() {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += game("A", "B", i < 4 ? "1-0" : "0-1") + game("B", "C", i < 4 ? "1-0" : "0-1") +
            game("C", "A", i < 2 ? "1/2-1/2" : "0-1");
  return text;
}

TEST(Rate, PrintsATableOfRatings) {
  const TemporaryFolder folder;
  const std::string file = folder.write("games.pgn", three_players() + game("A", "B", "*"));
  const ProgramResult result = run_faultline({"rate", file, "--pairs"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("|   1 | A      |"), HasSubstr("|   3 | C      |"),
                                HasSubstr("- Worth of the first move, chess: "),
                                HasSubstr("- Without a result:               1 (left out)"),
                                HasSubstr("- Test of fit:"), HasSubstr("## Pairings\n"),
                                HasSubstr("## Pairings and the ratings\n")));
}

TEST(Rate, ReadsStandardInputAndPrintsJson) {
  const ProgramResult result =
      run_faultline({"rate", "-", "--json", "--anchor", "B=1000"}, three_players());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(test::fact_in(json, "Figures", "Rated games"), 18);
  const auto& rows = test::section_of(json, "Ratings")["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0][1], "A");
  EXPECT_EQ(rows[1][2]["value"], 1000);
  EXPECT_LT(rows[0][2]["low"], rows[0][2]["value"]);
  const auto& cells = test::section_of(json, "Pairings")["cells"];
  EXPECT_NEAR(cells[0][1]["share"].get<double>() + cells[1][0]["share"].get<double>(), 1, 1e-5);
  EXPECT_EQ(cells[0][0], nullptr);
  EXPECT_EQ(test::section_of(json, "Pairings and the ratings")["rows"].size(), 3U);
}

TEST(Rate, WritesValidJsonForNamesThatAreNotUtf8) {
  const ProgramResult result =
      run_faultline({"rate", "-", "--json"}, game("J\xfcrgen", "B", "1-0"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << result.out;
  EXPECT_EQ(test::section_of(json, "Ratings")["rows"][0][1], "J\xef\xbf\xbdrgen");
}

TEST(Rate, NamesGroupsAndPlayersThatThePriorBounds) {
  const std::string text = game("A", "B", "1-0") + game("X", "Y", "1-0") + game("Y", "X", "1-0");
  const ProgramResult result = run_faultline({"rate", "-"}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("No games link these groups"), HasSubstr("A, B"),
                                HasSubstr("the prior of 1000 Elo")));
}

TEST(Rate, RefusesWhatIsNotValid) {
  struct Case {
    std::vector<std::string> arguments;
    std::string input;
    std::string message;
  };
  const TemporaryFolder folder;
  const std::vector<Case> cases = {
      {{"/none/x.pgn"}, "", "/none/x.pgn: cannot be opened"},
      {{folder.path().string()}, "", "is a folder"},
      {{"-"}, "", "there is no game with a result"},
      {{"-"}, game("A", "A", "1-0"), "1 of a player against itself"},
      {{"-"}, "[White \"A\n", "standard input:1"},
      {{"-", "-"}, three_players(), "'-' is given twice"},
      {{"-", "--anchor", "A"}, three_players(), "must be NAME=ELO"},
      {{"-", "--anchor", "A=x"}, three_players(), "must be NAME=ELO"},
      {{"-", "--anchor", "D=0"}, three_players(), "no player of these games has that name"},
      {{"-", "--anchor", "A=1e300"}, three_players(), "must be -100000 to 100000 Elo"},
      {{"-", "--anchor", "A=nan"}, three_players(), "must be -100000 to 100000 Elo"},
      {{"-", "--prior", "0"}, three_players(), "--prior"},
      {{}, "", "FILES"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"rate"};
    words.insert(words.end(), c.arguments.begin(), c.arguments.end());
    const ProgramResult result = run_faultline(words, c.input);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
}

std::vector<std::string> tournament_in(const std::filesystem::path& folder) {
  return {"tournament",
          "gardner",
          "uniform?visits=20",
          "alphabeta?depth=2",
          "base=random",
          "--games",
          "40",
          "--threads",
          "2",
          "--max-plies",
          "60",
          "--out",
          folder.string()};
}

/// Sorted blocks, one per game.
std::vector<std::string> games_of(const std::filesystem::path& folder) {
  const std::string text = test::read_text(folder / "games.pgn");
  std::vector<std::string> games;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find("[Event ", at + 1), text.size());
    games.push_back(text.substr(at, next - at));
    at = next;
  }
  std::ranges::sort(games);
  return games;
}

TEST(TournamentCommand, PlaysRatesAndHasNothingLeftToPlay) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "t";
  std::vector<std::string> words = tournament_in(out);
  words[6] = "4";
  const ProgramResult first = run_faultline(words);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, AllOf(HasSubstr("12 of 12 games"), HasSubstr("## Ratings"),
                               HasSubstr("base"), Not(HasSubstr("Continuing"))));
  EXPECT_EQ(games_of(out).size(), 12U);

  const ProgramResult again = run_faultline({"tournament", "--out", out.string()});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Continuing after 12 of 12 games."));
  EXPECT_EQ(games_of(out).size(), 12U);

  const ProgramResult rated = run_faultline({"rate", (out / "games.pgn").string()});
  EXPECT_EQ(rated.exit_code, 0) << rated.err;
  EXPECT_THAT(first.out, HasSubstr(rated.out.substr(rated.out.find("## "))));

  words[6] = "6";
  const ProgramResult other = run_faultline(words);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("games = 4, not 6"));
}

TEST(TournamentCommand, KilledAtAnyMomentItContinuesToTheSameGames) {
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole";
  const auto part = folder.path() / "part";
  ASSERT_EQ(run_faultline(tournament_in(whole)).exit_code, 0);

  const KilledRuns runs = kill_until_done(tournament_in(part), 60ms, 40ms);
  EXPECT_EQ(runs.exit_code, 0);
  EXPECT_GT(runs.killed, 0);
  EXPECT_EQ(games_of(part), games_of(whole));
}

TEST(TournamentCommand, RefusesWhatIsNotValid) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "t").string();
  const std::string config =
      folder.write("config.json", "{\"variant\": \"escher\", \"playrs\": []}");
  const std::string negative = folder.write(
      "negative.json",
      "{\"variant\": \"gardner\", \"players\": [\"uniform\", \"random\"], \"nodes\": -7}");
  const std::vector<Case> cases = {
      {{negative, "--out", out}, "negative.json: key 'nodes' is '-7'"},
      {{"escher", "uniform", "random", "--alpha", "0.1", "--out", out},
       "--alpha: needs --schedule sequential"},
      {{"escher", "uniform", "random", "--challengers", "3", "--out", out},
       "--challengers: needs --schedule gauntlet"},
      {{"--out", out}, "who plays?"},
      {{"escher", "uniform", "random"}, "--out is required"},
      {{"esher", "uniform", "random", "--out", out}, "did you mean 'escher'?"},
      {{"uniform", "random", "--out", out}, "which variant?"},
      {{"escher", "uniform", "random", "--schedule", "swiss", "--out", out}, "swiss"},
      {{config, "--out", out}, "players"},
      {{"escher", "uniform", "random", "--out", config}, config + ": cannot be created"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"tournament"};
    words.insert(words.end(), c.arguments.begin(), c.arguments.end());
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(out)) << c.message;
  }
}

}  // namespace
}  // namespace faultline
