// Distributions of games, and which games are shown.
#include "report/game_log.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline {
namespace {

using testing::HasSubstr;

GameLog some_games(int count) {
  GameLog log;
  for (int i = 0; i < count; ++i)
    log.add({.number = static_cast<std::uint64_t>(i),
             .plies = static_cast<std::uint32_t>(20 + i % 50),
             .ending = log.ending_number(i % 3 == 0 ? "draw by repetition" : "checkmate"),
             .result = i % 3 == 0   ? GameResult::Draw
                       : i % 3 == 1 ? GameResult::WhiteWins
                                    : GameResult::BlackWins,
             .lowest_hope = i == 1990 ? 0.1F : 0.6F});
  return log;
}

TEST(ChooseGames, TakesTheRemarkableOnesOfTheNewest) {
  GameLog log = some_games(2000);
  log.add({.number = 2000,
           .plies = 7,
           .ending = log.ending_number("checkmate"),
           .result = GameResult::WhiteWins});
  log.add({.number = 2001,
           .plies = 900,
           .ending = log.ending_number("cut at the ply limit"),
           .result = GameResult::None});
  log.add({.number = 2002,
           .plies = 30,
           .ending = log.ending_number("checkmate"),
           .result = GameResult::BlackWins});
  const std::vector<ChosenGame> chosen = choose_games(log, 8);
  ASSERT_EQ(chosen.size(), 8U);
  EXPECT_EQ(chosen[0].number, 2002U);
  EXPECT_EQ(chosen[0].label, "newest game decided by play");
  EXPECT_EQ(chosen[1].number, 2000U);
  EXPECT_EQ(chosen[1].label, "shortest game decided by play");
  EXPECT_EQ(chosen[2].number, 2001U);
  EXPECT_EQ(chosen[2].label, "longest");
  EXPECT_EQ(chosen[3].number, 1990U);
  EXPECT_EQ(chosen[3].label, "greatest turnaround");
  EXPECT_EQ(chosen[4].label, "newest draw");
  EXPECT_EQ(chosen[5].number, 0U);
  std::set<std::uint64_t> different;
  for (const ChosenGame& game : chosen)
    different.insert(game.number);
  EXPECT_EQ(different.size(), chosen.size());
}

TEST(ChooseGames, PassesOverGamesThatTheirRandomOpeningsDecided) {
  EXPECT_FALSE(decided_by_opening(0, 9, 0.99F)) << "the players chose every move";
  EXPECT_FALSE(decided_by_opening(6, 40, 0.5F));
  EXPECT_FALSE(decided_by_opening(6, 40, {})) << "nothing is known of the winner's hopes";
  EXPECT_TRUE(decided_by_opening(6, 40, 0.9F));
  EXPECT_TRUE(decided_by_opening(6, 6, {})) << "nobody chose a move";
  GameLog log = some_games(30);
  log.add({.number = 30,
           .plies = 4,
           .ending = log.ending_number("checkmate"),
           .result = GameResult::WhiteWins,
           .decided_by_opening = true});
  const std::vector<ChosenGame> chosen = choose_games(log, 2);
  EXPECT_EQ(chosen[0].number, 29U);
  EXPECT_NE(chosen[1].number, 30U) << "as the shortest win";
}

TEST(ChooseGames, TakesAllOfFewGamesAndNoneIfNoneIsWanted) {
  EXPECT_EQ(choose_games(some_games(3), 8).size(), 3U);
  EXPECT_TRUE(choose_games(some_games(30), 0).empty());
  EXPECT_TRUE(choose_games(GameLog(), 8).empty());
}

TEST(LengthSection, CountsEveryGameInOneBin) {
  const GameLog log = some_games(500);
  const ReportJson section = length_section({{"all games", log.games()}});
  std::uint64_t sum = 0;
  for (const auto& count : section["series"][0]["counts"])
    sum += count.get<std::uint64_t>();
  EXPECT_EQ(sum, 500U);
  EXPECT_EQ(section["series"][0]["counts"][0], 0) << "no game has fewer than 20 plies";
  EXPECT_THAT(section["note"].get<std::string>(), HasSubstr("20 to 69"));
}

TEST(LengthSection, PutsTheFewVeryLongGamesIntoTheLastBin) {
  GameLog log = some_games(500);
  log.add({.number = 500, .plies = 100'000});
  const ReportJson section = length_section({{"all games", log.games()}});
  EXPECT_LE(section["series"][0]["counts"].size(), 41U);
  EXPECT_LE(section["width"], 2);
  EXPECT_EQ(section["open"], true);
}

TEST(EndingSection, HasSharesOfResultsAndWaysToEnd) {
  const GameLog log = some_games(300);
  const ReportJson section = ending_section(log, {{"all games", log.games()}});
  ASSERT_EQ(section["bars"].size(), 5U) << "no bar for what never happened";
  EXPECT_EQ(section["bars"][0]["name"], "White wins");
  EXPECT_EQ(section["bars"][0]["counts"][0], 100);
  EXPECT_EQ(section["bars"][3]["name"], "checkmate") << "the most frequent first";
  EXPECT_EQ(section["bars"][3]["counts"][0], 200);
}

}  // namespace
}  // namespace faultline
