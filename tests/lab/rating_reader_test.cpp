// Results and openings from the tags of games.
#include "lab/rating_reader.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

std::string game(const std::string& white, const std::string& black, const std::string& result,
                 const std::string& round) {
  return "[Event \"e\"]\n[Round \"" + round + "\"]\n[White \"" + white + "\"]\n[Black \"" + black +
         "\"]\n[Result \"" + result + "\"]\n\n1. e4 e5 " + result + "\n\n";
}

RatingGames read(const std::string& text) {
  std::istringstream in(text);
  RatingGames games;
  Refusals refused;
  read_rating_games(in, "test", games, refused);
  return games;
}

TEST(RatingReader, CountsResultsByPlayersAndColour) {
  const RatingGames games = read(game("A", "B", "1-0", "-") + game("B", "A", "1/2-1/2", "-") +
                                 game("A", "B", "0-1", "-") + game("A", "B", "*", "-"));
  ASSERT_EQ(games.counts().size(), 2U);
  EXPECT_EQ(games.counts()[0].results, (std::array<int, 3>{1, 0, 1}));
  EXPECT_EQ(games.counts()[1].results, (std::array<int, 3>{0, 1, 0}));
  EXPECT_EQ(games.without_result(), 1);
  EXPECT_EQ(games.variants(), (std::vector<std::string>{"chess"}));
  EXPECT_FALSE(games.has_pairs());
}

TEST(RatingReader, LeavesOutAndCountsWhatIsNoGame) {
  std::istringstream in("[White A]\n\n1. e4 1-0\n\n" + game("A", "B", "1-0", "-"));
  RatingGames games;
  Refusals refused;
  read_rating_games(in, "test", games, refused);
  EXPECT_EQ(games.games().size(), 1U);
  EXPECT_EQ(refused.count(), 1U);
  EXPECT_EQ(refused.first(), "test:1: a tag must look like [Name \"value\"]");
}

TEST(RatingReader, GamesOfOneRoundAndPlayersShareAnOpening) {
  const RatingGames games = read(game("A", "B", "1-0", "1.1") + game("B", "A", "1-0", "1.2") +
                                 game("A", "B", "1-0", "2.1") + game("C", "B", "1-0", "1.1"));
  EXPECT_TRUE(games.has_pairs());
  EXPECT_EQ(games.clusters(), 3U);
  EXPECT_EQ(games.games()[0].cluster, games.games()[1].cluster);
  EXPECT_NE(games.games()[0].cluster, games.games()[2].cluster);
  EXPECT_NE(games.games()[0].cluster, games.games()[3].cluster);
}

TEST(RatingReader, RoundsOfOtherFormsShareNothing) {
  const RatingGames games =
      read(game("A", "B", "1-0", "1") + game("B", "A", "1-0", "1") + game("A", "B", "1-0", "?") +
           game("B", "A", "1-0", "?") + game("A", "B", "1-0", ".1") + game("B", "A", "1-0", ".1"));
  EXPECT_EQ(games.clusters(), 6U);
}

}  // namespace
}  // namespace faultline
