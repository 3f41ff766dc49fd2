// `analyse` as a command: positions, many positions, games, bad input; with the golden networks and
// without one.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "play/game_text.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kMateInOne = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

std::string golden(const std::string& name) {
  return (std::filesystem::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden" / name).string();
}

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    found.push_back(json::parse(line));
  return found;
}

/// The golden outputs of a family's network that were computed by LibTorch.
std::vector<json> golden_answers(const std::string& family) {
  return json_lines(test::read_text(golden(family + ".jsonl")));
}

TEST(Analyse, PrintsTheBestLinesOfAPosition) {
  const ProgramResult result =
      run_faultline({"analyse", kMateInOne, "--variant", "chess", "--net", "material", "--visits",
                     "200", "--lines", "2", "--threads", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith(std::string(kMateInOne) + "\nwhite to move: win "),
                                HasSubstr("\n  1  Ra8# "), HasSubstr("(mates in 1 ply)"),
                                HasSubstr("\n  2  ")));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("\n  3  ")));
}

TEST(Analyse, RefusesInputWithoutPositionsOrGames) {
  const TemporaryFolder folder;
  const std::string pgn = (folder.path() / "annotated.pgn").string();
  for (const char* text : {"", "\n# only a remark\n", "; only a comment\n", "{\"game\": 1}\n"}) {
    const std::string file = folder.write("input.txt", text);
    for (const auto& more : {std::vector<std::string>{}, {"--pgn", pgn}}) {
      std::vector<std::string> words = {"analyse", file, "--variant", "chess", "--visits", "2"};
      words.insert(words.end(), more.begin(), more.end());
      const ProgramResult result = run_faultline(words);
      EXPECT_EQ(result.exit_code, 2) << text;
      EXPECT_NE(result.err, "") << text;
      EXPECT_FALSE(std::filesystem::exists(pgn)) << text;
    }
  }
  EXPECT_EQ(run_faultline({"analyse", "", "--variant", "chess"}).exit_code, 2);
  const ProgramResult unwritable =
      run_faultline({"analyse", folder.write("games.pgn", "[Variant \"chess\"]\n\n1. e4 *\n"),
                     "--pgn", (folder.path() / "missing/a.pgn").string()});
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_EQ(unwritable.out, "") << "before anything is analysed";
  EXPECT_THAT(unwritable.err, HasSubstr("missing/a.pgn: cannot be opened for writing"));
  EXPECT_THAT(run_faultline({"analyse", "-", "--variant", "chess"}).err,
              HasSubstr("standard input: has no position or game that can be read"));
}

TEST(Analyse, PrintsAPositionAsJson) {
  const ProgramResult result = run_faultline(
      {"analyse", "startpos", "--variant", "gardner", "--visits", "100", "--json", "--lines", "0"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_EQ(found.at("variant"), "gardner");
  EXPECT_EQ(found.at("side"), "white");
  EXPECT_GE(found.at("visits"), 100);
  EXPECT_NEAR(found.at("win").get<double>() + found.at("draw").get<double>() +
                  found.at("loss").get<double>(),
              1, 1e-3);
  ASSERT_EQ(found.at("lines").size(), 7U);
  double shares = 0;
  for (const json& line : found.at("lines")) {
    shares += line.at("share").get<double>();
    EXPECT_EQ(line.at("line").at(0), line.at("move"));
  }
  EXPECT_NEAR(shares, 1, 0.02);
}

TEST(Analyse, GivesTheNetworksOwnOutputsWithoutVisits) {
  for (const char* family : {"chess", "inferno"}) {
    std::string fens;
    std::vector<json> expected;
    for (const json& answer : golden_answers(family)) {
      if (answer.at("repetitions") != 0) continue;
      fens += answer.at("fen").get<std::string>() + "\n";
      expected.push_back(answer);
    }
    ASSERT_GE(expected.size(), 5U);
    const ProgramResult result = run_faultline(
        {"analyse", "-", "--net", golden(std::string(family) + ".pt"), "--visits", "0", "--json",
         "--lines", "0", "--threads", "3", "--device", "cpu", "--precision", "fp32"},
        fens);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::vector<json> found = json_lines(result.out);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].at("line"), i + 1);
      EXPECT_EQ(found[i].at("fen"), expected[i].at("fen"));
      EXPECT_NEAR(found[i].at("win"), expected[i].at("wdl").at(0).get<double>(), 2e-4);
      EXPECT_NEAR(found[i].at("loss"), expected[i].at("wdl").at(2).get<double>(), 2e-4);
      const json& priors = expected[i].at("priors");
      ASSERT_EQ(found[i].at("lines").size(), priors.size());
      double last = 1;
      for (const json& line : found[i].at("lines")) {
        const double prior = line.at("prior");
        EXPECT_NEAR(prior, priors.at(line.at("move").get<std::string>()).get<double>(), 2e-4);
        EXPECT_LE(prior, last);
        last = prior;
      }
    }
  }
}

TEST(Analyse, SearchesWithThePolicyTemperatureThatTheNetsRunHasInMatches) {
  const TemporaryFolder run;
  std::filesystem::create_directories(run.path() / "nets");
  std::filesystem::copy_file(golden("chess.pt"), run.path() / "nets/000100.pt");
  const auto highest_prior = [&] {
    const ProgramResult result = run_faultline({"analyse", "startpos", "--net", run.path().string(),
                                                "--visits", "50", "--lines", "0", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json found = json::parse(result.out);
    double highest = 0;
    for (const json& line : found.at("lines"))
      highest = std::max(highest, line.at("prior").get<double>());
    return highest;
  };
  const double own = highest_prior();
  test::write_text(run.path() / "config.toml", "[search]\nmatch_policy_temperature = 10\n");
  EXPECT_LT(highest_prior(), own);
}

TEST(Analyse, KeepsTheOrderOfManyPositionsAndSkipsBadLines) {
  std::string input = "# a comment\n\nstartpos\nnot a position\n";
  for (int i = 0; i < 300; ++i)
    input += i % 2 == 0 ? "startpos moves e2e4 e7e5\n" : "e4 e5\n";
  input += "startpos moves e2e5\nstartpos moves f2f3 e7e5 g2g4 d8h4\n";
  const ProgramResult result =
      run_faultline({"analyse", "-", "--variant", "chess", "--visits", "0", "--json"}, input);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("faultline analyse: standard input:4: FEN field "),
                                HasSubstr("standard input:305: 'e2e5' is not legal in ")));
  const std::vector<json> found = json_lines(result.out);
  ASSERT_EQ(found.size(), 302U);
  EXPECT_EQ(found.front().at("line"), 3);
  for (std::size_t i = 1; i < found.size() - 1; ++i)
    EXPECT_EQ(found[i].at("line"), i + 4);
  EXPECT_EQ(found.back().at("outcome"), "black");
}

TEST(Analyse, ReadsPositionsAndGamesThatBeginWithAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  const TemporaryFolder folder;
  const auto lines_of = [&](const std::string& text) {
    const std::string file = folder.write("input.txt", text);
    const ProgramResult result =
        run_faultline({"analyse", file, "--variant", "chess", "--visits", "0", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out);
  };
  const std::vector<json> positions =
      lines_of(mark + "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nstartpos\n");
  ASSERT_EQ(positions.size(), 2U);
  EXPECT_EQ(positions[0].at("fen"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  EXPECT_EQ(positions[1].at("line"), 2);
  EXPECT_EQ(lines_of(mark + "# a comment\nstartpos\n").size(), 1U);
  const std::vector<json> games = lines_of(mark + "[White \"A\"]\n\n1. e4 e5 *\n");
  ASSERT_EQ(games.size(), 4U);  // two moves, the final position, the summary
  EXPECT_EQ(games[0].at("played"), "e2e4");
}

TEST(Analyse, MarksTheMistakesOfAGame) {
  const TemporaryFolder folder;
  const std::string games = folder.write(
      "games.pgn",
      "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n"
      "1. f3 e5 2. g4 {careless} Qh4# 0-1\n\n1. e4 e4 *\n\n[White \"C\"]\n\n1. e4 *\n");
  const std::string written = (folder.path() / "written.pgn").string();
  const ProgramResult result =
      run_faultline({"analyse", games, "--net", "material", "--visits", "300", "--pgn", written});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(games + ":7: 'e4' is not a legal move"));
  EXPECT_THAT(result.out, AllOf(StartsWith("A - B, chess, 0-1\n"), HasSubstr("  ??\n"),
                                HasSubstr("white (A): 2 moves, mean loss "),
                                HasSubstr(", 0 ?!, 0 ?, 0 ??, 1 the best\n\nC - ?, chess, *\n")));

  std::ifstream in(written);
  GameReader reader(in, written);
  const auto game = reader.next();
  ASSERT_TRUE(game);
  ASSERT_EQ(game->comments.size(), 4U);
  EXPECT_EQ(game->comments[2].glyph, 4);
  EXPECT_THAT(game->comments[2].text, StartsWith("careless; loses "));
  EXPECT_TRUE(game->comments[2].value);
  EXPECT_EQ(game->comments[3].glyph, 0);
}

TEST(Analyse, PrintsGamesAsJson) {
  const ProgramResult result =
      run_faultline({"analyse", "-", "--visits", "50", "--json", "--net", "material"},
                    "[OpeningPlies \"2\"]\n[Variant \"gardner\"]\n\n1. b3 axb3 2. axb3 Rxa1 *\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<json> found = json_lines(result.out);
  ASSERT_EQ(found.size(), 6U);  // four moves, the final position, the summary
  EXPECT_EQ(found[0].at("played"), "b2b3");
  EXPECT_EQ(found[0].at("opening"), true);
  EXPECT_EQ(found[3].at("played"), "a5a1");
  EXPECT_EQ(found[3].at("ply"), 4);
  EXPECT_FALSE(found[4].contains("played"));
  for (std::size_t i = 0; i < 4; ++i) {
    const json& ply = found[i];
    const double lost =
        ply.at("played") == ply.at("best")
            ? 0
            : std::max(0.0, ply.at("before").get<double>() - ply.at("after").get<double>());
    EXPECT_NEAR(ply.at("score_loss"), lost, 2e-4);
    EXPECT_NEAR(ply.at("before"), ply.at("win").get<double>() + ply.at("draw").get<double>() / 2,
                2e-4);
  }
  EXPECT_EQ(found[5].at("summary").at("white").at("moves"), 1);
  EXPECT_EQ(found[5].at("summary").at("variant"), "gardner");
}

TEST(Analyse, SearchesByAlphaBeta) {
  const ProgramResult text = run_faultline({"analyse", kMateInOne, "--variant", "chess", "--net",
                                            "alphabeta", "--visits", "2000", "--lines", "2"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out,
              AllOf(StartsWith(std::string(kMateInOne) + "\nwhite to move: win "),
                    HasSubstr(" positions, depth "), HasSubstr("\n  1  Ra8# "),
                    HasSubstr("(mates in 1 ply)"), HasSubstr("\n  2  "), Not(HasSubstr("prior"))));

  const ProgramResult result =
      run_faultline({"analyse", "-", "--visits", "500", "--json", "--net", "alphabeta", "--lines",
                     "3", "--threads", "2"},
                    "[Variant \"gardner\"]\n\n1. b3 axb3 2. axb3 Rxa1 *\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<json> found = json_lines(result.out);
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[1].at("lines").size(), 3U);
  EXPECT_GE(found[1].at("nodes"), 100);
  EXPECT_LE(found[1].at("nodes"), 1000);
  EXPECT_GE(found[1].at("depth"), 1);
  EXPECT_FALSE(found[1].contains("visits"));
  EXPECT_FALSE(found[1].at("lines")[0].contains("prior"));
  EXPECT_EQ(found[5].at("summary").at("black").at("moves"), 2);
}

TEST(Analyse, ByAlphaBetaOfAGameThatIsOverSaysSo) {
  const ProgramResult result =
      run_faultline({"analyse", "-", "--visits", "300", "--json", "--net", "alphabeta"},
                    "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_lines(result.out).at(4).at("outcome"), "black");
}

TEST(Analyse, RefusesWhatItCannotAnalyse) {
  const auto error = [](const std::vector<std::string>& arguments) {
    const ProgramResult result = run_faultline(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error({"analyse", "startpos"}), HasSubstr("which variant? Give --variant"));
  EXPECT_THAT(error({"analyse", "startpos", "--variant", "chess", "--net", "random"}),
              HasSubstr("'random' cannot analyse; --net takes a net"));
  EXPECT_THAT(error({"analyse", "startpos", "--variant", "chess", "--net", "alphabeta?mobility=1"}),
              HasSubstr("no settings but eval; leave out 'mobility=1'"));
  EXPECT_THAT(
      error({"analyse", "startpos", "--variant", "chess", "--net", "alphabeta", "--visits", "0"}),
      HasSubstr("--visits 0: 'alphabeta' has no policy"));
  EXPECT_THAT(error({"analyse", "startpos", "--net", "alphabeta?eval=" + golden("chess.pt")}),
              HasSubstr("has no fast network"));
  EXPECT_THAT(error({"analyse", "no.pgn"}), HasSubstr("no.pgn: there is no such file"));
  for (const std::string name : {"nosuch.txt", "no/such/file", "two words.fen"})
    EXPECT_THAT(error({"analyse", name, "--variant", "chess"}),
                AllOf(HasSubstr(name + ": there is no such file. A position is startpos"),
                      Not(HasSubstr("FEN field"))));
  EXPECT_THAT(error({"analyse", "/tmp", "--variant", "chess"}), HasSubstr("/tmp: is a folder"));
  EXPECT_THAT(error({"analyse", "8/8 w", "--variant", "chess"}), HasSubstr("FEN field"));
  EXPECT_THAT(error({"analyse", "startpos", "--variant", "escher", "--net", golden("chess.pt"),
                     "--device", "cpu", "--precision", "fp32"}),
              HasSubstr("chess"));
  EXPECT_THAT(error({"analyse", "startpos", "--variant", "chess", "--pgn", "/dev/null"}),
              HasSubstr("--pgn writes games"));
}

TEST(Analyse, NeverWritesOverItsInput) {
  const TemporaryFolder folder;
  const std::string game = "[Result \"*\"]\n\n1. e4 *\n";
  const std::string file = folder.write("g.pgn", game);
  const ProgramResult same = run_faultline({"analyse", file, "--visits", "1", "--pgn", file});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("is the input"));
  const ProgramResult position =
      run_faultline({"analyse", "startpos", "--variant", "chess", "--pgn", file});
  EXPECT_EQ(position.exit_code, 2);
  EXPECT_EQ(test::read_text(file), game);
}
TEST(Analyse, NoVisitsAndATimeContradictEachOther) {
  const ProgramResult result = run_faultline(
      {"analyse", "startpos", "--variant", "chess", "--visits", "0", "--time-ms", "50"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--visits 0"));
}

}  // namespace
}  // namespace faultline
