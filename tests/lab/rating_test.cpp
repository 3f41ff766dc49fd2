// Ratings against hand-computed values and an independent maximiser; what has no maximum, and what
// the games do not compare.
#include "lab/rating.h"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

constexpr double kElo = 400 / 2.302585092994046;

void add(RatingGames& games, const std::string& white, const std::string& black, int wins,
         int draws, int losses, const std::string& variant = "chess") {
  const std::array<std::pair<GameResult, int>, 3> counts = {
      {{GameResult::WhiteWins, wins}, {GameResult::Draw, draws}, {GameResult::BlackWins, losses}}};
  for (const auto& [result, count] : counts)
    for (int i = 0; i < count; ++i)
      games.add({.white = white, .black = black, .result = result, .variant = variant});
}

const PlayerRating& player(const Ratings& ratings, const std::string& name) {
  for (const PlayerRating& rating : ratings.players)
    if (rating.name == name) return rating;
  throw std::out_of_range(name);
}

TEST(Rating, OfTwoPlayersIsTheLogOfTheOddsOfWinning) {
  // With colours balanced, wins to losses are 300 : 100 = exp(difference): 190.8 Elo.
  RatingGames games;
  add(games, "A", "B", 150, 100, 50);
  add(games, "B", "A", 50, 100, 150);
  const Ratings ratings = rate(games, {.prior_elo = 10'000});
  ASSERT_EQ(ratings.players.size(), 2U);
  EXPECT_EQ(ratings.players[0].name, "A");
  EXPECT_NEAR(ratings.players[0].elo, 190.8485 / 2, 0.01);
  EXPECT_NEAR(ratings.players[1].elo, -190.8485 / 2, 0.01);
  // The draw parameter: draws² : (wins · losses) = ν², and ν : 2 + ν are drawn between equals.
  const double nu = 200 / std::sqrt(300.0 * 100.0);
  EXPECT_NEAR(ratings.variants[0].draw_share, nu / (2 + nu), 1e-3);
  EXPECT_NEAR(ratings.variants[0].advantage_elo, 0, 1e-6);
  // 600 games with variance w·l + d·(w + l) / 4 of the points: standard error of the difference.
  const double information = 600 * (1.0 / 12 + 1.0 / 18);
  const double covariance = 600 * (1.0 / 3) * (1.0 / 6 - 0.5) / 2;
  const double draw_information = 600 * (1.0 / 3) * (2.0 / 3);
  const double variance = 1 / (information - covariance * covariance / draw_information);
  EXPECT_NEAR(ratings.difference_deviation(0, 1), kElo * std::sqrt(variance), 0.05);
  EXPECT_NEAR(ratings.players[0].deviation, kElo * std::sqrt(variance) / 2, 0.03);
}

TEST(Rating, SeparatesTheFirstMoveFromStrength) {
  // Equal players: White wins three times as often as Black.
  RatingGames games;
  add(games, "A", "B", 60, 40, 20);
  add(games, "B", "A", 60, 40, 20);
  const Ratings ratings = rate(games);
  EXPECT_NEAR(ratings.players[0].elo, 0, 1e-6);
  EXPECT_NEAR(ratings.variants[0].advantage_elo, 190.85, 5);
}

TEST(Rating, AdvantagesAndDrawsBelongToTheirVariant) {
  RatingGames games;
  add(games, "A", "B", 90, 0, 30, "escher");
  add(games, "B", "A", 90, 0, 30, "escher");
  add(games, "A", "B", 20, 80, 20, "chess");
  add(games, "B", "A", 20, 80, 20, "chess");
  const Ratings ratings = rate(games);
  ASSERT_EQ(ratings.variants.size(), 2U);
  EXPECT_EQ(ratings.variants[0].variant, "escher");
  EXPECT_EQ(ratings.variants[0].games, 240);
  EXPECT_GT(ratings.variants[0].advantage_elo, 150);
  EXPECT_LT(ratings.variants[0].draw_share, 0.02);
  EXPECT_NEAR(ratings.variants[1].advantage_elo, 0, 1e-6);
  EXPECT_NEAR(ratings.variants[1].draw_share, 2.0 / 3, 0.01);
}

/// Maximises the log-posterior by coordinate search: no derivatives, and none of rating.cpp's code.
class CoordinateSearch {
 public:
  struct Game {
    std::size_t white, black;
    int twice_points;
  };
  CoordinateSearch(std::vector<Game> games, std::size_t players, double prior_elo)
      : games_(std::move(games)), at_(players + 2), prior_(kElo / prior_elo) {}

  std::vector<double> maximise() {
    for (double step = 1; step > 1e-9; step /= 2)
      for (bool moved = true; moved;) {
        moved = false;
        for (double& x : at_)
          for (const double sign : {-1.0, 1.0}) {
            const double before = value();
            x += sign * step;
            if (value() > before)
              moved = true;
            else
              x -= sign * step;
          }
      }
    return at_;
  }

 private:
  double value() const {
    const double advantage = at_[at_.size() - 2];
    const double nu = std::exp(at_.back());
    double sum = 0;
    for (const Game& game : games_) {
      // Davidson and Beaver's form: worths, not differences of strengths.
      const double white = std::exp(at_[game.white] + advantage);
      const double black = std::exp(at_[game.black]);
      const double draw = nu * std::sqrt(white * black);
      const double part = game.twice_points == 2 ? white : game.twice_points == 1 ? draw : black;
      sum += std::log(part / (white + draw + black));
    }
    for (std::size_t i = 0; i + 2 < at_.size(); ++i)
      sum -= std::pow(at_[i] * prior_, 2) / 2;
    return sum - std::pow(advantage * kElo / 400, 2) / 2 - std::pow(at_.back() / 3, 2) / 2;
  }

  std::vector<Game> games_;
  std::vector<double> at_;
  double prior_;
};

TEST(Rating, FindsTheSameMaximumAsASearchWithoutDerivatives) {
  const std::array<GameResult, 3> results = {GameResult::BlackWins, GameResult::Draw,
                                             GameResult::WhiteWins};
  std::mt19937_64 rng(3);
  for (int round = 0; round < 12; ++round) {
    const std::size_t players = 2 + rng() % 3;
    std::vector<CoordinateSearch::Game> plain;
    RatingGames games;
    for (std::size_t i = 0; i < players; ++i)
      games.add_player(std::string(1, static_cast<char>('A' + i)));
    for (std::size_t n = 1 + rng() % 20; n > 0; --n) {
      const std::size_t white = rng() % players;
      const std::size_t black = (white + 1 + rng() % (players - 1)) % players;
      const auto points = static_cast<int>(rng() % 3);
      plain.push_back({white, black, points});
      games.add({.white = games.players()[white],
                 .black = games.players()[black],
                 .result = results[static_cast<std::size_t>(points)],
                 .variant = "chess"});
    }
    const double prior = 300;
    const std::vector<double> expected = CoordinateSearch(plain, players, prior).maximise();
    const Ratings ratings = rate(games, {.prior_elo = prior});
    for (std::size_t i = 0; i < players; ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_NEAR(
            player(ratings, games.players()[i]).elo - player(ratings, games.players()[j]).elo,
            kElo * (expected[i] - expected[j]), ratings.groups > 1 ? 1e9 : 1e-3)
            << "round " << round;
    EXPECT_NEAR(ratings.variants[0].advantage_elo, kElo * expected[players], 1e-3);
  }
}

TEST(Rating, TheCovarianceIsThatOfTheCurvature) {
  // Moving a player by h along the profile of the posterior lowers it by h² / (2 · variance): here
  // checked for two players by the exact profile, with the other parameters fixed by many games.
  RatingGames games;
  add(games, "A", "B", 12, 6, 7);
  add(games, "B", "A", 9, 6, 10);
  const Ratings all = rate(games, {.prior_elo = 10'000});
  // Rating the games five times over divides the variance by five.
  RatingGames more;
  for (int i = 0; i < 5; ++i) {
    add(more, "A", "B", 12, 6, 7);
    add(more, "B", "A", 9, 6, 10);
  }
  const Ratings five = rate(more, {.prior_elo = 10'000});
  EXPECT_NEAR(all.difference_deviation(0, 1) / five.difference_deviation(0, 1), std::sqrt(5), 0.02);
}

TEST(Rating, AnAnchorShiftsTheScaleAndHasNoInterval) {
  RatingGames games;
  add(games, "A", "B", 30, 10, 10);
  add(games, "B", "C", 30, 10, 10);
  add(games, "C", "A", 10, 10, 30);
  const Ratings free = rate(games);
  const Ratings anchored = rate(games, {.anchor = std::pair("C", 1500.0)});
  EXPECT_DOUBLE_EQ(player(anchored, "C").elo, 1500);
  EXPECT_NEAR(player(anchored, "C").deviation, 0, 1e-9);
  EXPECT_NEAR(player(anchored, "A").elo - 1500, player(free, "A").elo - player(free, "C").elo,
              1e-9);
  EXPECT_NEAR(player(anchored, "A").deviation, free.difference_deviation(0, 2), 1e-9);
  EXPECT_NEAR(free.players[0].elo + free.players[1].elo + free.players[2].elo, 0, 1e-9);
  EXPECT_LT(player(free, "A").deviation, player(anchored, "A").deviation);
}

TEST(Rating, AnUnknownAnchorIsRefusedWithTheNearestName) {
  RatingGames games;
  add(games, "strong", "weak", 3, 0, 1);
  try {
    rate(games, {.anchor = std::pair("strog", 0.0)});
    FAIL() << "nothing was thrown";
  } catch (const RatingError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'strong'?"), std::string::npos);
  }
}

TEST(Rating, RefusesAnAnchorBeyondAnyScale) {
  RatingGames games;
  add(games, "A", "B", 1, 0, 0);
  for (const double elo : {1e300, -100'001.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(rate(games, {.anchor = std::pair("A", elo)}), RatingError) << elo;
  EXPECT_EQ(player(rate(games, {.anchor = std::pair("A", -100'000.0)}), "A").elo, -100'000);
}

TEST(Rating, SuperiorityAgreesWithTheIntervalAlsoForFewOpenings) {
  // B has the anchor, so that A's interval is that of their difference.
  int above = 0, below = 0;
  for (int swept = 3; swept <= 30; swept += 3)
    for (int split = 1; split <= 6; ++split) {
      RatingGames games;
      for (int i = 0; i < swept + split; ++i) {
        const std::string opening = std::to_string(i);
        games.add(
            {.white = "A", .black = "B", .result = GameResult::WhiteWins, .opening = opening});
        games.add({.white = "B",
                   .black = "A",
                   .result = i < swept ? GameResult::BlackWins : GameResult::WhiteWins,
                   .opening = opening});
      }
      const Ratings ratings = rate(games, {.anchor = std::pair("B", 0.0)});
      ASSERT_EQ(ratings.players[0].name, "A");
      // One pairing: a degree of freedom per opening, minus one for its mean, plus the prior's.
      EXPECT_EQ(ratings.freedom, swept + split);
      EXPECT_NEAR(ratings.players[0].elo_95.high - ratings.players[0].elo,
                  ratings.quantile_95 * ratings.difference_deviation(0, 1), 1e-6);
      const double superiority = *ratings.superiority(0, 1);
      EXPECT_EQ(superiority > 0.975, ratings.players[0].elo_95.low > 0) << swept << ' ' << split;
      (superiority > 0.975 ? above : below) += 1;
    }
  EXPECT_GT(above, 5);
  EXPECT_GT(below, 5);
}

TEST(Rating, IndependentGamesUseTheNormalDistribution) {
  RatingGames games;
  add(games, "A", "B", 3, 1, 1);
  const Ratings ratings = rate(games);
  EXPECT_EQ(ratings.freedom, HUGE_VAL);
  EXPECT_NEAR(ratings.quantile_95, 1.959963985, 1e-9);
}

TEST(Rating, RefusesAPriorThatIsNone) {
  RatingGames games;
  add(games, "A", "B", 1, 0, 0);
  for (const double prior : {0.0, -5.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(rate(games, {.prior_elo = prior}), RatingError) << prior;
}

TEST(Rating, APlayerWithNothingButWinsIsFiniteAndSaysSo) {
  RatingGames games;
  add(games, "best", "A", 10, 0, 0);
  add(games, "A", "best", 0, 0, 10);
  add(games, "A", "B", 5, 3, 4);
  add(games, "worst", "B", 0, 0, 10);
  const Ratings ratings = rate(games);
  EXPECT_EQ(ratings.players.front().name, "best");
  EXPECT_EQ(ratings.players.back().name, "worst");
  EXPECT_TRUE(player(ratings, "best").needs_prior);
  EXPECT_TRUE(player(ratings, "worst").needs_prior);
  EXPECT_FALSE(player(ratings, "A").needs_prior);
  EXPECT_FALSE(player(ratings, "B").needs_prior);
  EXPECT_GT(player(ratings, "best").elo - player(ratings, "A").elo, 300);
  EXPECT_LT(player(ratings, "best").elo, 3000);
  EXPECT_GT(*ratings.superiority(0, 1), 0.95);
  // The prior is what bounds it.
  EXPECT_LT(player(rate(games, {.prior_elo = 200}), "best").elo, player(ratings, "best").elo);
}

TEST(Rating, WhereNoPlayersAreLinkedBothWaysThePriorBoundsAll) {
  RatingGames games;
  add(games, "A", "B", 3, 0, 0);
  add(games, "B", "C", 3, 0, 0);
  for (const PlayerRating& rating : rate(games).players)
    EXPECT_TRUE(rating.needs_prior) << rating.name;
}

TEST(Rating, NothingButDrawsGivesEqualPlayers) {
  RatingGames games;
  add(games, "A", "B", 0, 20, 0);
  add(games, "B", "C", 0, 20, 0);
  const Ratings ratings = rate(games);
  for (const PlayerRating& rating : ratings.players) {
    EXPECT_NEAR(rating.elo, 0, 1e-6);
    EXPECT_GT(rating.deviation, 0);
    EXPECT_FALSE(rating.needs_prior);
  }
  EXPECT_NEAR(*ratings.superiority(0, 1), 0.5, 1e-9);
  EXPECT_GT(ratings.variants[0].draw_share, 0.8);
}

TEST(Rating, GroupsThatNeverMetAreNotCompared) {
  RatingGames games;
  add(games, "A", "B", 8, 2, 4);
  add(games, "B", "A", 4, 2, 8);
  add(games, "X", "Y", 3, 1, 8);
  add(games, "Y", "Z", 3, 1, 8);
  const Ratings ratings = rate(games);
  EXPECT_EQ(ratings.groups, 2);
  EXPECT_EQ(player(ratings, "A").group, player(ratings, "B").group);
  EXPECT_NE(player(ratings, "A").group, player(ratings, "Z").group);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_EQ(ratings.superiority(i, j).has_value(),
                i != j && ratings.players[i].group == ratings.players[j].group);
  // Each group has its own mean, and intervals as if it were alone.
  EXPECT_NEAR(player(ratings, "A").elo + player(ratings, "B").elo, 0, 1e-9);
  RatingGames alone;
  add(alone, "A", "B", 8, 2, 4);
  add(alone, "B", "A", 4, 2, 8);
  EXPECT_NEAR(player(ratings, "A").deviation, player(rate(alone), "A").deviation, 2);
}

TEST(Rating, GamesWithoutAnOpponentOrAResultAreCountedOnly) {
  RatingGames games;
  games.add({.white = "A", .black = "A", .result = GameResult::WhiteWins});
  games.add({.white = "A", .black = "B", .result = GameResult::None});
  EXPECT_TRUE(games.players().empty());
  EXPECT_EQ(games.against_itself(), 1);
  EXPECT_EQ(games.without_result(), 1);
  const Ratings none = rate(games);
  EXPECT_TRUE(none.players.empty());
  EXPECT_EQ(none.games, 0);
  games.add_player("C");
  const Ratings one = rate(games);
  ASSERT_EQ(one.players.size(), 1U);
  EXPECT_DOUBLE_EQ(one.players[0].elo, 0);
  EXPECT_EQ(one.players[0].games(), 0);
}

TEST(Rating, TheOrderOfTheGamesDoesNotMatter) {
  RatingGames forward, backward;
  add(forward, "A", "B", 5, 2, 3);
  add(forward, "C", "A", 4, 1, 6);
  add(forward, "B", "C", 2, 2, 2);
  add(backward, "B", "C", 2, 2, 2);
  add(backward, "C", "A", 4, 1, 6);
  add(backward, "A", "B", 5, 2, 3);
  const Ratings a = rate(forward), b = rate(backward);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a.players[i].name, b.players[i].name);
    EXPECT_NEAR(a.players[i].elo, b.players[i].elo, 1e-9);
    EXPECT_NEAR(a.players[i].deviation, b.players[i].deviation, 1e-9);
  }
  EXPECT_NEAR(a.fit.chi_square, b.fit.chi_square, 1e-9);
}

TEST(Rating, ConvergesWithManyPlayersFarApart) {
  RatingGames games;
  for (int i = 0; i < 60; ++i)
    add(games, std::to_string(i), std::to_string(i + 1), 40, 0, i % 3);
  const Ratings ratings = rate(games);
  EXPECT_EQ(ratings.players.size(), 61U);
  EXPECT_LT(ratings.iterations, 60);
  for (std::size_t i = 0; i + 1 < ratings.players.size(); ++i)
    EXPECT_GT(ratings.players[i].elo, ratings.players[i + 1].elo);
}

TEST(Rating, RockPaperScissorsDoesNotFit) {
  RatingGames games;
  for (const auto& [winner, loser] : {std::pair("rock", "scissors"), std::pair("scissors", "paper"),
                                      std::pair("paper", "rock")}) {
    add(games, winner, loser, 14, 4, 2);
    add(games, loser, winner, 2, 4, 14);
  }
  const Ratings ratings = rate(games);
  for (const PlayerRating& rating : ratings.players)
    EXPECT_NEAR(rating.elo, 0, 1e-6);
  EXPECT_EQ(ratings.fit.freedom, 1);
  EXPECT_LT(ratings.fit.p, 1e-4);
  ASSERT_EQ(ratings.pairs.size(), 3U);
  for (const PairResult& pair : ratings.pairs) {
    EXPECT_GT(std::abs(pair.residual), 3);
    EXPECT_EQ(pair.residual > 0, pair.points > pair.expected);
  }
}

TEST(Rating, PairingsWithoutACycleLeaveNothingToTest) {
  RatingGames games;
  add(games, "A", "B", 7, 2, 3);
  add(games, "B", "C", 7, 2, 3);
  const Ratings ratings = rate(games);
  EXPECT_EQ(ratings.fit.freedom, 0);
  EXPECT_EQ(ratings.fit.p, 1);
}

TEST(Rating, ChancesFollowTheModel) {
  const ResultChances even = result_chances(0, 0.4);
  EXPECT_NEAR(even.draw, 0.4, 1e-12);
  EXPECT_NEAR(even.win, 0.3, 1e-12);
  const ResultChances strong = result_chances(400, 0.4);
  EXPECT_NEAR(strong.win / strong.loss, 10, 1e-9);
  EXPECT_NEAR(strong.draw * strong.draw / (strong.win * strong.loss),
              even.draw * even.draw / (even.win * even.loss), 1e-9);
  EXPECT_NEAR(result_chances(200, 0).score(), score_of_elo(200), 1e-12);
}

}  // namespace
}  // namespace faultline
