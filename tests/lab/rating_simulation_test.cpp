// Ratings of simulated tournaments between players of known strength.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/rating.h"

namespace faultline {
namespace {

/// What the results are drawn from.
struct World {
  std::vector<double> elo;
  double advantage = 40;
  double draw_share = 0.35;
  /// Standard deviation of the openings' advantages for White around that, in Elo: dependence
  /// between the two games of an opening.
  double openings = 0;
};

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : rng_(seed) {}

  std::vector<double> strengths(std::size_t players, double deviation) {
    std::vector<double> elo(players);
    for (double& x : elo)
      x = deviation * normal();
    return elo;
  }

  /// Plays openings twice, with colours swapped.
  void play(const World& world, std::size_t i, std::size_t j, int openings, RatingGames& games) {
    for (int n = 0; n < openings; ++n) {
      const double advantage = world.advantage + world.openings * normal();
      const std::string opening = std::to_string(next_opening_++);
      for (const auto& [white, black] : {std::pair(i, j), std::pair(j, i)})
        games.add(
            {.white = std::to_string(white),
             .black = std::to_string(black),
             .result = result(world.elo[white] - world.elo[black] + advantage, world.draw_share),
             .variant = "chess",
             .opening = opening});
    }
  }

  void round_robin(const World& world, int openings, RatingGames& games) {
    for (std::size_t i = 0; i < world.elo.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        play(world, i, j, openings, games);
  }

  double chance() { return static_cast<double>(rng_() >> 11) * 0x1p-53; }
  /// Box and Muller's transformation: the library's distributions differ between platforms.
  double normal() {
    return std::sqrt(-2 * std::log(1 - chance())) * std::cos(6.283185307179586 * chance());
  }

 private:
  GameResult result(double elo, double draw_share) {
    const ResultChances chances = result_chances(elo, draw_share);
    const double u = chance();
    if (u < chances.loss) return GameResult::BlackWins;
    return u < chances.loss + chances.draw ? GameResult::Draw : GameResult::WhiteWins;
  }

  std::mt19937_64 rng_;
  int next_opening_ = 0;
};

/// Counts how often intervals contain the truth.
struct Coverage {
  int inside = 0;
  int all = 0;

  void add(const Ratings& ratings, const World& world) {
    double mean = 0;
    for (const double elo : world.elo)
      mean += elo / static_cast<double>(world.elo.size());
    for (const PlayerRating& player : ratings.players) {
      const double truth = world.elo.at(std::stoul(player.name)) - mean;
      if (player.elo_95.low <= truth && truth <= player.elo_95.high) ++inside;
      ++all;
    }
  }
  double share() const { return static_cast<double>(inside) / all; }
};

TEST(RatingSimulation, IntervalsCoverTheTruthInRoundRobins) {
  Simulation simulation(1);
  Coverage coverage;
  for (int tournament = 0; tournament < 300; ++tournament) {
    const World world{.elo = simulation.strengths(8, 200)};
    RatingGames games;
    simulation.round_robin(world, 5, games);
    coverage.add(rate(games), world);
  }
  EXPECT_GT(coverage.share(), 0.92);
  EXPECT_LT(coverage.share(), 0.98);
}

TEST(RatingSimulation, IntervalsCoverTheTruthInSparseSchedules) {
  // A ring with a few chords: most pairings never meet.
  Simulation simulation(2);
  Coverage coverage;
  for (int tournament = 0; tournament < 250; ++tournament) {
    const World world{.elo = simulation.strengths(12, 150), .draw_share = 0.6};
    RatingGames games;
    for (std::size_t i = 0; i < 12; ++i)
      simulation.play(world, i, (i + 1) % 12, 10, games);
    for (std::size_t i = 0; i < 12; i += 4)
      simulation.play(world, i, (i + 6) % 12, 3, games);
    coverage.add(rate(games), world);
  }
  EXPECT_GT(coverage.share(), 0.92);
  EXPECT_LT(coverage.share(), 0.98);
}

TEST(RatingSimulation, IntervalsCoverTheTruthWithoutDrawsAndWithFewGames) {
  Simulation simulation(3);
  Coverage coverage;
  for (int tournament = 0; tournament < 300; ++tournament) {
    const World world{.elo = simulation.strengths(5, 150), .advantage = 150, .draw_share = 1e-9};
    RatingGames games;
    simulation.round_robin(world, 4, games);
    coverage.add(rate(games, {.observation = Observation::Game}), world);
  }
  EXPECT_GT(coverage.share(), 0.92);
  EXPECT_LT(coverage.share(), 0.98);
}

TEST(RatingSimulation, OpeningsThatFavourAColourAreAllowedFor) {
  // In sharp openings the points of a pair of games vary less than those of two games.
  Simulation simulation(4);
  const World world{.elo = {-180, -90, 20, 30, 80, 140}, .openings = 500};
  // The model does not know such openings: what its ratings converge to is not the strengths.
  World limit = world;
  RatingGames many;
  simulation.round_robin(world, 4000, many);
  for (const PlayerRating& player : rate(many).players)
    limit.elo.at(std::stoul(player.name)) = player.elo;

  Coverage by_opening, by_game;
  double width_by_opening = 0, width_by_game = 0;
  for (int tournament = 0; tournament < 400; ++tournament) {
    RatingGames games;
    simulation.round_robin(world, 10, games);
    const Ratings opening = rate(games);
    const Ratings game = rate(games, {.observation = Observation::Game});
    EXPECT_EQ(opening.observation, Observation::Opening);
    by_opening.add(opening, limit);
    by_game.add(game, limit);
    for (std::size_t i = 0; i < world.elo.size(); ++i) {
      width_by_opening += opening.players[i].deviation;
      width_by_game += game.players[i].deviation;
    }
  }
  EXPECT_LT(width_by_opening, 0.9 * width_by_game);
  EXPECT_GT(by_opening.share(), 0.92);
  EXPECT_LT(by_opening.share(), 0.98);
  EXPECT_GT(by_game.share(), by_opening.share());
}

TEST(RatingSimulation, LikelihoodsOfSuperiorityAreCalibrated) {
  // Of the pairs called 80 % to 90 % likely, about 85 % are in the true order, and so on. Strengths
  // are drawn from the prior, so that the posterior is exact up to its normal approximation.
  Simulation simulation(5);
  std::array<int, 5> in_order{}, all{};
  std::array<double, 5> claimed{};
  for (int tournament = 0; tournament < 1500; ++tournament) {
    const World world{.elo = simulation.strengths(6, 100)};
    RatingGames games;
    simulation.round_robin(world, 4, games);
    const Ratings ratings = rate(games, {.prior_elo = 100});
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = i + 1; j < 6; ++j) {
        const double superiority = *ratings.superiority(i, j);
        ASSERT_GT(superiority, 0.5 - 1e-9);
        if (superiority < 0.5 + 1e-9) continue;  // equal points: their order is chance
        const auto bin = std::min<std::size_t>(4, static_cast<std::size_t>(10 * superiority - 5));
        ++all.at(bin);
        claimed.at(bin) += superiority;
        if (world.elo.at(std::stoul(ratings.players[i].name)) >
            world.elo.at(std::stoul(ratings.players[j].name)))
          ++in_order.at(bin);
      }
  }
  for (std::size_t bin = 0; bin < 5; ++bin) {
    ASSERT_GT(all.at(bin), 1000);
    EXPECT_NEAR(static_cast<double>(in_order.at(bin)) / all.at(bin), claimed.at(bin) / all.at(bin),
                0.03)
        << "bin " << bin;
  }
}

TEST(RatingSimulation, RecoversTheAdvantageAndTheShareOfDraws) {
  Simulation simulation(6);
  int advantage_inside = 0, draws_inside = 0;
  constexpr int kTournaments = 200;
  for (int tournament = 0; tournament < kTournaments; ++tournament) {
    const World world{.elo = simulation.strengths(6, 200), .advantage = 60, .draw_share = 0.45};
    RatingGames games;
    simulation.round_robin(world, 6, games);
    const VariantFit fit = rate(games).variants.at(0);
    if (std::abs(fit.advantage_elo - 60) < 1.96 * fit.advantage_deviation) ++advantage_inside;
    if (fit.draw_share_95.low < 0.45 && 0.45 < fit.draw_share_95.high) ++draws_inside;
  }
  for (const int inside : {advantage_inside, draws_inside}) {
    EXPECT_GT(inside, 0.91 * kTournaments);
    EXPECT_LT(inside, 0.99 * kTournaments);
  }
  const World world{.elo = simulation.strengths(10, 200), .advantage = 60, .draw_share = 0.45};
  RatingGames many;
  simulation.round_robin(world, 200, many);
  const VariantFit fit = rate(many).variants.at(0);
  EXPECT_NEAR(fit.advantage_elo, 60, 10);
  EXPECT_NEAR(fit.draw_share, 0.45, 0.02);
}

TEST(RatingSimulation, TransitiveResultsPassTheTestOfFitAndOthersDoNot) {
  Simulation simulation(7);
  constexpr int kTournaments = 200;
  int rejected = 0, found = 0, named = 0;
  double squares = 0;
  int pairs = 0;
  for (int tournament = 0; tournament < kTournaments; ++tournament) {
    const World world{.elo = simulation.strengths(7, 150)};
    RatingGames games;
    simulation.round_robin(world, 8, games);
    const Ratings ratings = rate(games);
    if (ratings.fit.p < 0.05) ++rejected;
    for (const PairResult& pair : ratings.pairs) {
      squares += pair.residual * pair.residual;
      ++pairs;
    }
    // The same with one pairing in which the weaker player has a recipe worth 400 Elo.
    RatingGames bent;
    World recipe = world;
    recipe.elo[3] += 400;
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < i; ++j)
        simulation.play(i == 5 && j == 3 ? recipe : world, i, j, 25, bent);
    const Ratings misfit = rate(bent);
    if (misfit.fit.p < 0.05) ++found;
    const PairResult worst = *std::ranges::max_element(
        misfit.pairs, {}, [](const PairResult& pair) { return std::abs(pair.residual); });
    const auto& [first, second] =
        std::minmax(misfit.players[worst.first].name, misfit.players[worst.second].name);
    if (first == "3" && second == "5") ++named;
  }
  EXPECT_LT(rejected, 0.1 * kTournaments);
  EXPECT_GT(rejected, 0.01 * kTournaments);
  EXPECT_GT(found, 0.7 * kTournaments);
  EXPECT_GT(named, 0.7 * kTournaments);
  EXPECT_NEAR(squares / pairs, 1, 0.08);  // standardised residuals have variance 1
}

}  // namespace
}  // namespace faultline
