// Schedules: who plays whom.
#include "lab/pairings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace faultline {
namespace {

void add(RatingGames& games, const std::string& white, const std::string& black, int wins,
         int draws, int losses) {
  for (const auto& [result, count] :
       {std::pair(GameResult::WhiteWins, wins), std::pair(GameResult::Draw, draws),
        std::pair(GameResult::BlackWins, losses)})
    for (int i = 0; i < count; ++i)
      games.add({.white = white, .black = black, .result = result, .variant = "chess"});
}

RatingGames players(int count) {
  RatingGames games;
  for (int i = 0; i < count; ++i)
    games.add_player(std::string(1, static_cast<char>('A' + i)));
  return games;
}

TEST(Pairings, ARoundRobinHasEveryPairingOnce) {
  for (const int count : {2, 3, 4, 7, 10}) {
    std::set<std::pair<int, int>> seen;
    for (const Pairing& pairing : round_robin(count)) {
      EXPECT_LT(pairing.first, pairing.second);
      EXPECT_LT(pairing.second, count);
      seen.insert({pairing.first, pairing.second});
    }
    EXPECT_EQ(static_cast<int>(seen.size()), count * (count - 1) / 2);
    EXPECT_EQ(seen.size(), round_robin(count).size());
  }
}

TEST(Pairings, ARoundOfARoundRobinHasEachPlayerOnce) {
  const auto pairings = round_robin(8);
  for (std::size_t row = 0; row < pairings.size(); row += 4) {
    std::set<int> seen;
    for (std::size_t i = row; i < row + 4; ++i)
      seen.insert({pairings[i].first, pairings[i].second});
    EXPECT_EQ(seen.size(), 8U);
  }
}

TEST(Pairings, AGauntletIsTheChallengersAgainstAll) {
  EXPECT_EQ(gauntlet(4, 1), (std::vector<Pairing>{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(gauntlet(4, 2), (std::vector<Pairing>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
}

TEST(Pairings, WithoutGamesInformationLinksEveryoneFirst) {
  const auto chosen = most_informative(players(6), 3, 2);
  std::set<int> seen;
  for (const Pairing& pairing : chosen)
    seen.insert({pairing.first, pairing.second});
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Pairings, InformationPrefersUncertainAndEvenPairings) {
  // A and B are well known and equal, C is far stronger than both, D is new and about as strong.
  RatingGames games = players(4);
  add(games, "A", "B", 100, 100, 100);
  add(games, "B", "A", 100, 100, 100);
  add(games, "C", "A", 100, 2, 0);
  add(games, "A", "C", 0, 2, 100);
  add(games, "D", "A", 1, 1, 1);
  const Pairing chosen = most_informative(games, 1, 2).front();
  EXPECT_EQ(chosen.second, 3);  // D…
  EXPECT_NE(chosen.first, 2);   // …but not against C
}

TEST(Pairings, InformationIsTheFallOfThePosteriorsEntropy) {
  // The expected log determinant falls most for the pairing chosen, computed by refitting with the
  // games' results in their expected proportions, many times over to make them whole.
  RatingGames games = players(3);
  add(games, "A", "B", 30, 30, 10);
  add(games, "B", "A", 10, 30, 30);
  add(games, "B", "C", 8, 5, 3);
  add(games, "C", "B", 3, 5, 8);
  const auto variance = [](const RatingGames& results, int i, int j) {
    const Ratings ratings = rate(results);
    std::map<std::string, std::size_t> at;
    for (std::size_t k = 0; k < ratings.players.size(); ++k)
      at[ratings.players[k].name] = k;
    return std::pow(
        ratings.difference_deviation(at.at(results.players()[static_cast<std::size_t>(i)]),
                                     at.at(results.players()[static_cast<std::size_t>(j)])),
        2);
  };
  // Determinant of the covariance of (A - B, B - C), by the three variances of differences.
  const auto determinant = [&](const RatingGames& results) {
    const double ab = variance(results, 0, 1), bc = variance(results, 1, 2),
                 ac = variance(results, 0, 2);
    const double covariance = (ac - ab - bc) / 2;
    return ab * bc - covariance * covariance;
  };
  const Ratings now = rate(games);
  const auto elo = [&](int i) {
    for (const PlayerRating& player : now.players)
      if (player.name == games.players()[static_cast<std::size_t>(i)]) return player.elo;
    return 0.0;
  };
  Pairing best;
  double lowest = determinant(games);
  for (const Pairing pairing : {Pairing{0, 1}, Pairing{0, 2}, Pairing{1, 2}}) {
    RatingGames more = games;
    const ResultChances chances =
        result_chances(elo(pairing.first) - elo(pairing.second), now.variants[0].draw_share);
    const std::string& first = games.players()[static_cast<std::size_t>(pairing.first)];
    const std::string& second = games.players()[static_cast<std::size_t>(pairing.second)];
    const auto share = [](double chance) { return static_cast<int>(std::lround(20 * chance)); };
    add(more, first, second, share(chances.win), share(chances.draw), share(chances.loss));
    add(more, second, first, share(chances.loss), share(chances.draw), share(chances.win));
    if (determinant(more) < lowest) {
      lowest = determinant(more);
      best = pairing;
    }
  }
  EXPECT_EQ(most_informative(games, 1, 40).front(), best);
}

TEST(Pairings, InformationSpreadsItsChoicesOverUncertainPlayers) {
  RatingGames games = players(4);
  add(games, "A", "B", 3, 2, 3);
  add(games, "C", "D", 3, 2, 3);
  // The first game links the groups; no second game of the same pairing says as much.
  const auto chosen = most_informative(games, 3, 2);
  EXPECT_LT(chosen[0].first, 2);
  EXPECT_GE(chosen[0].second, 2);
  EXPECT_FALSE(chosen[1] == chosen[0]);
}

}  // namespace
}  // namespace faultline
