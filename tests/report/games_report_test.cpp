// Reports of files of games.
#include <cstddef>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/elo.h"
#include "report/report.h"
#include "tests/report/report_parts.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::section;
using test::TemporaryFolder;
using test::titles;
using testing::Contains;
using testing::HasSubstr;

TEST(GamesReport, ShowsAFewGamesInTheirOrderAndNothingElse) {
  const TemporaryFolder folder;
  const auto game = [](const std::string& variant, const std::string& tags) {
    return "[Event \"Two openings\"]\n" + tags + "[Variant \"" + variant +
           "\"]\n[Result \"*\"]\n\n1. b2b3 *\n\n";
  };
  const std::string file = folder.write(
      "my-games.pgn", game("gardner", "[White \"a\"]\n[Black \"b\"]\n") + game("gardner", ""));
  const ReportJson report = report_json(find_report_folder(file), {});
  EXPECT_EQ(report["kind"], "games");
  EXPECT_EQ(report["title"], "Two openings");
  EXPECT_EQ(report["subtitle"], "2 games of gardner");
  EXPECT_THAT(titles(report), testing::ElementsAre("Games"));
  const ReportJson& shown = section(report, "Games")["games"];
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0]["label"], "game 1: a – b");
  EXPECT_EQ(shown[1]["label"], "game 2");
}

TEST(GamesReport, ChoosesAmongManyGamesOfEachVariant) {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string variant : {"gardner", "chess", "gardner", "gardner"})
    text += "[Event \"" + std::to_string(text.size()) + "\"]\n[Variant \"" + variant +
            "\"]\n[Result \"1/2-1/2\"]\n\n1. b2b3 1/2-1/2\n\n";
  const ReportJson report =
      report_json(folder.write("several.pgn", text + "[Event \"torn"), {.games = 2});
  EXPECT_EQ(report["title"], "several");
  EXPECT_EQ(report["subtitle"], "4 games of 2 variants");
  EXPECT_EQ(section(report, "Games: gardner")["games"].size(), 2U);
  EXPECT_EQ(section(report, "Length of games: gardner")["series"][0]["total"], 3);
  EXPECT_EQ(section(report, "Games: chess")["games"].size(), 1U);
}

TEST(GamesReport, RefusesAFileWithoutGames) {
  const TemporaryFolder folder;
  for (const char* const text : {"", "not a game\n", "[Event \"e\"]\n\n1. e9 *\n"})
    try {
      report_json(folder.write("notes.txt", text), {});
      ADD_FAILURE() << text;
    } catch (const ReportError& error) {
      EXPECT_THAT(error.what(), HasSubstr("notes.txt: has no game that can be read"));
    }
}

/// A game of gardner that A or B won, or that was drawn.
std::string match_game(int number, const std::string& result) {
  const bool first_is_white = number % 2 == 0;
  return "[Event \"a match\"]\n[Round \"" + std::to_string(number / 2 + 1) + "." +
         std::to_string(number % 2 + 1) + "\"]\n[White \"" + (first_is_white ? "A" : "B") +
         "\"]\n[Black \"" + (first_is_white ? "B" : "A") +
         "\"]\n[Variant \"gardner\"]\n[Result \"" + result + "\"]\n\n1. b2b3 " + result + "\n\n";
}

TEST(GamesReport, HasTheResultOfAMatchWithItsInterval) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 12; ++i)
    text += match_game(i, i % 4 == 3 ? "1/2-1/2" : i % 2 == 0 ? "1-0" : "0-1");
  const ReportJson report = report_json(folder.write("match.pgn", text), {});
  const ReportJson& rows = section(report, "Score")["rows"];
  ASSERT_EQ(rows.size(), 2U);
  const PairTally expected{.pairs = {0, 0, 0, 3, 3}};
  const Estimate e = estimate(expected);
  EXPECT_EQ(rows[0][1], 12);
  EXPECT_EQ(rows[0][2], 9);
  EXPECT_EQ(rows[0][5], "+6 =0 -0");
  EXPECT_EQ(rows[0][6], "+3 =3 -0");
  EXPECT_EQ(rows[0][8]["text"], elo_cell(e.elo, e.elo_95.low, e.elo_95.high).text);
  EXPECT_EQ(rows[1][4], 9);
  EXPECT_THAT(rows[1][8]["text"].get<std::string>(), HasSubstr("-338 ("));
}

TEST(GamesReport, HasRatingsOfSeveralPlayersThatTheirGamesLink) {
  const TemporaryFolder folder;
  const auto game = [](const std::string& white, const std::string& black) {
    return "[Event \"e\"]\n[White \"" + white + "\"]\n[Black \"" + black +
           "\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
  };
  const std::string linked = game("A", "B") + game("B", "C") + game("C", "A") + game("A", "C");
  EXPECT_THAT(titles(report_json(folder.write("linked.pgn", linked), {})),
              testing::IsSupersetOf({"Ratings", "Pairings"}));
  const std::string apart = game("A", "B") + game("C", "D") + game("A", "B") + game("D", "C");
  EXPECT_THAT(titles(report_json(folder.write("apart.pgn", apart), {})),
              testing::ElementsAre("Games"));
}

TEST(GamesReport, GivesEachGameATitleOfItsOwn) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += match_game(i, "1-0");
  for (const std::size_t games : {std::size_t{8}, std::size_t{30}}) {
    const ReportJson report = report_json(folder.write("match.pgn", text), {.games = games});
    std::set<std::string> labels;
    for (const auto& game : section(report, "Games")["games"])
      labels.insert(game["label"]);
    EXPECT_EQ(labels.size(), games);
    EXPECT_THAT(labels, Contains(HasSubstr("A – B")));
  }
}

}  // namespace
}  // namespace faultline
