// `match` and `play` as commands: output, files, messages and exit codes.
#include <filesystem>
#include <fstream>
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

TEST(Match, PrintsTheScoreWithItsInterval) {
  const ProgramResult result =
      run_faultline({"match", "escher", "uniform", "random", "--games", "10", "--visits", "30"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("# escher\n\n10 games from 5 random openings of 6 plies"),
                                HasSubstr("| A   | uniform | 30 visits "),
                                HasSubstr("| B   | random  | - "), HasSubstr("score (95 %)"),
                                HasSubstr("Elo difference"), HasSubstr("- Endings:")));
}

TEST(Match, PrintsOneJsonObjectAndRecordsTheGames) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "games.jsonl").string();
  const ProgramResult result =
      run_faultline({"match", "chess", "random", "uniform", "--games", "6", "--visits", "2",
                     "--max-plies", "40", "--cut", "draws", "--json", "--record", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["title"], "chess");
  EXPECT_EQ(test::fact_in(json, "Result", "Games"), 6);

  std::ifstream games(file);
  int count = 0;
  double points = 0;
  for (std::string line; std::getline(games, line); ++count) {
    const auto game = nlohmann::json::parse(line);
    EXPECT_EQ(game["opening"].size(), 6U);
    EXPECT_LE(game["plies"], 40);
    EXPECT_EQ(game[game["first_player"].get<std::string>()], "random");
    points += game["first_player_points"].get<double>();
  }
  EXPECT_EQ(count, 6);
  const auto row = json["sections"][1]["rows"][0];
  EXPECT_EQ(row[1], 6);
  EXPECT_EQ(row[2].get<double>() + row[3].get<double>() / 2, points);
}

TEST(Match, ThatCannotBeginLeavesFilesAsTheyAre) {
  const TemporaryFolder folder;
  const std::string record = folder.write("games.jsonl", "{}\n");
  const std::string pgn = (folder.path() / "games.pgn").string();
  const ProgramResult result =
      run_faultline({"match", "gardner", "uniform", "uci:no-such-engine?nodes=3", "--games", "2",
                     "--visits", "3", "--record", record, "--pgn", pgn});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no-such-engine"));
  EXPECT_EQ(test::read_text(record), "{}\n");
  EXPECT_FALSE(std::filesystem::exists(pgn));
  const ProgramResult unwritable =
      run_faultline({"match", "gardner", "random", "random", "--games", "2", "--record",
                     (folder.path() / "missing" / "games.jsonl").string()});
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_THAT(unwritable.err, HasSubstr("cannot be opened for writing"));
}

TEST(Match, ReadsNumbersInDecimal) {
  EXPECT_THAT(run_faultline({"match", "gardner", "random", "random", "--games", "010"}).out,
              HasSubstr("# gardner\n\n10 games from 5 random openings"));
}

TEST(Match, CountsGamesThatAreCutApart) {
  const ProgramResult result = run_faultline(
      {"match", "chess", "random", "random", "--games", "4", "--max-plies", "10", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(test::fact_in(json, "Result", "Endings"), "4 cut at the ply limit and not counted");
  EXPECT_EQ(test::fact_in(json, "Result", "Games"), 4);
  EXPECT_EQ(json["notices"][0], "No game had a result: all were cut at the ply limit.");
  EXPECT_EQ(test::fact_in(json, "Settings", "Games are cut"), "at 10 plies");
}

TEST(Match, WritesTheSameGamesAsPgnAtAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const auto games = [&](const std::string& threads) {
    const std::string file = (folder.path() / (threads + ".pgn")).string();
    const ProgramResult result = run_faultline(
        {"match", "gardner", "uniform?visits=30", "alphabeta?depth=2", "--games", "12", "--pgn",
         file, "--threads", threads, "--openings", "balanced:6,depth=1"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("| A   | uniform?visits=30 | 30 visits "),
                                  HasSubstr("| B   | alphabeta?depth=2 | depth 2 "),
                                  HasSubstr("balanced random openings of 6 plies")));
    return test::read_text(file);
  };
  const std::string base = games("1");
  EXPECT_THAT(base, AllOf(HasSubstr("[Round \"6.2\"]"), HasSubstr("alphabeta?depth=2")));
  EXPECT_EQ(games("3"), base);
  // A second match is appended.
  EXPECT_EQ(games("1"), base + base);
}

TEST(Match, StopsWhenTheSequentialTestIsDecided) {
  const ProgramResult result =
      run_faultline({"match", "gardner", "alphabeta?depth=2", "random", "--sprt",
                     "elo0=0,elo1=100,model=normalised", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(test::fact_in(json, "Result", "SPRT"), "elo1 is accepted");
  EXPECT_LT(test::fact_in(json, "Result", "Games"), 1000);
  EXPECT_EQ(json["notices"], nlohmann::json::array());
}

TEST(Match, StatesLimitsAndSettings) {
  const ProgramResult result =
      run_faultline({"match", "chess", "uniform", "material?cpuct=3", "--games", "2", "--max-plies",
                     "12", "--evaluations", "20", "--nodes-b", "10", "--set",
                     "search.fpu_root=0.25", "--adjudicate-draw", "moves=1,after=8", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(test::section_of(json, "Players")["rows"], nlohmann::json::parse(R"([
    ["A", "uniform", "20 evaluations", "default settings, fpu_root=0.25"],
    ["B", "material?cpuct=3", "10 nodes", "default settings, fpu_root=0.25, cpuct=3"]])"));
  EXPECT_EQ(test::fact_in(json, "Settings", "Openings"), "random:6");
  EXPECT_EQ(test::fact_in(json, "Settings", "Adjudication"),
            "drawn within 5 % of even for 1 move from ply 8");
}

TEST(Match, WarnsAboutRepeatedOpenings) {
  const ProgramResult result = run_faultline(
      {"match", "chess", "uniform", "uniform", "--games", "4", "--visits", "1", "--openings", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Only 1 of 2 openings are different"));
}

TEST(Match, AShortageOfTheMachineIsNoResult) {
  const TemporaryFolder folder;
  const std::string out = folder.path() / "out", err = folder.path() / "err";
  const std::string program = FAULTLINE_PROGRAM;
  const std::string few_files = "ulimit -n 48; " + program + " match chess 'uci:" + program +
                                " uci --evaluator material?nodes=1' random --games 100 "
                                "--threads 16 > " +
                                out + " 2> " + err;
  EXPECT_NE(std::system(few_files.c_str()), 0);
  EXPECT_EQ(test::read_text(out), "");
  EXPECT_THAT(test::read_text(err), AllOf(HasSubstr("--threads"), HasSubstr("ulimit -n")));
  const ProgramResult no_space = run_faultline({"match", "chess", "random", "random", "--games",
                                                "2", "--max-plies", "10", "--record", "/dev/full"});
  EXPECT_EQ(no_space.exit_code, 1);
  EXPECT_THAT(no_space.err, HasSubstr("/dev/full: cannot be written: No space left on device"));
}

TEST(Match, RefusesInvalidArguments) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const TemporaryFolder folder;
  const std::string junk = folder.write("junk.pt", "no net");
  const std::string book = folder.write("book.txt", "e2e4\n");
  const std::vector<Case> cases = {
      {{"escher", "uniform", "random", "--games", "7"},
       "'--games' is '7', but must be a whole number, even"},
      {{"uniform", "random"}, "which variant?"},
      {{"escher", junk, "random"}, junk},
      {{"esher", "uniform", "random"}, "did you mean 'escher'?"},
      {{"escher", "uniform", "random", "--device", "abacus"}, "abacus"},
      {{"escher", "uniform", "random", "--record", "/none/x"}, "/none/x"},
      {{"escher", "uniform", "random", "--openings", book, "--record", book}, "is given twice"},
      {{"escher", "uniform", "random", "--temperature", "inf"}, "--temperature"},
      {{"escher", "uniform", "random", "--sprt", "elo0=0"}, "elo1 is missing"},
      {{"escher", "uniform", "random", "--openings", "policy:4"}, "no player is a net"},
      {{"escher", "uniform", "random", "--adjudicate-win", "score=7"}, "'score' is '7'"},
      {{"escher", "uniform", "random", "--adjudicate-win", ""}, "--adjudicate-win: must not be"},
      {{"escher", "uniform", "random", "--pgn", junk}, "does not begin as a file of games"},
      {{"escher", "", "random"}, "player '': there is no such file"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"match"};
    words.insert(words.end(), c.arguments.begin(), c.arguments.end());
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
}

TEST(PlayCommand, HoldsADialogueOverAPipe) {
  const ProgramResult result =
      run_faultline({"play", "uniform", "--variant", "escher", "--visits", "40"},
                    "moves e2\ne2e4\nundo\nfen\nquit\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("e2e3 e2e4\n"), HasSubstr("The program plays "),
                                HasSubstr("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
                                HasSubstr("Goodbye.")));
}

TEST(PlayCommand, PlaysByEveryPlayerButEngines) {
  for (const std::string player :
       {"uniform?visits=20", "material?visits=20", "alphabeta?depth=2", "alphabeta", "random",
        "policy:" FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt"}) {
    const ProgramResult result =
        run_faultline({"play", player, "--variant", "chess"}, "e4\nhint\nquit\n");
    EXPECT_EQ(result.exit_code, 0) << player << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr("The program plays ")) << player;
  }
  EXPECT_EQ(run_faultline({"play", "uci:engine", "--variant", "chess"}).exit_code, 2);
}

TEST(PlayCommand, QuitsAtTheEndOfTheInputAndPrintsHowToContinue) {
  const ProgramResult result =
      run_faultline({"play", "chess", "uniform", "--side", "black", "--visits", "20"}, "e7e5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("You play black"), HasSubstr("--fen \""),
                                HasSubstr(" b KQkq - 0 2"), HasSubstr("Goodbye.")));
}

TEST(PlayCommand, RefusesABadPosition) {
  const ProgramResult result =
      run_faultline({"play", "chess", "uniform", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("FEN field 'pieces'"));
}

}  // namespace
}  // namespace faultline
