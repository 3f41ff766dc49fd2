// Piece values from simulated games whose truth is known.
#include "survey/piece_values.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

constexpr double kFirstMove = 0.2;
constexpr double kPawn = 0.5;
constexpr double kKnight = 1.4;
constexpr double kRook = 2.2;

const std::vector<std::string> kRegions = {"own half", "enemy half"};

std::size_t feature(std::size_t region, PieceType type) {
  return region * kMostPieceTypes + static_cast<std::size_t>(index(type));
}

/// Games with two samples each, in which the same differences of material lead to results with the
/// log odds above. `enemy_half`: what a knight is worth more there.
std::vector<GameFacts> simulated(int count, std::uint64_t seed, double enemy_half = 0) {
  std::mt19937_64 rng(seed);
  std::vector<GameFacts> games;
  for (int i = 0; i < count; ++i) {
    MaterialSample sample{.first_to_move = false, .difference = {}};
    sample.difference.resize(2 * kMostPieceTypes);
    double odds = kFirstMove;
    const auto add = [&](PieceType type, double value, int most) {
      for (std::size_t region = 0; region < 2; ++region) {
        const int difference = std::uniform_int_distribution<int>(-most, most)(rng);
        sample.difference[feature(region, type)] = static_cast<std::int8_t>(difference);
        odds += value * difference;
        if (type == PieceType::Knight && region == 1) odds += enemy_half * difference;
      }
    };
    add(PieceType::Pawn, kPawn, 2);
    add(PieceType::Knight, kKnight, 1);
    add(PieceType::Rook, kRook, 1);
    GameFacts game;
    game.winner = std::bernoulli_distribution(1 / (1 + std::exp(-odds)))(rng) ? 0 : 1;
    game.outcome = game.winner == 0 ? Outcome::WhiteWins : Outcome::BlackWins;
    game.samples = {sample, sample};
    game.samples[1].first_to_move = true;
    games.push_back(game);
  }
  return games;
}

PieceValues values_of(const std::vector<GameFacts>& games) {
  std::vector<int> clusters(games.size());
  std::iota(clusters.begin(), clusters.end(), 0);
  return piece_values(games, clusters, kRegions, compiled_piece_kinds());
}

const PieceWorth& worth_of(const std::vector<PieceWorth>& worths, const std::string& piece,
                           const std::string& region = "") {
  const auto found = std::ranges::find_if(worths, [&](const PieceWorth& worth) {
    return worth.piece == piece && worth.region == region;
  });
  if (found == worths.end()) throw std::out_of_range(piece + " " + region);
  return *found;
}

bool covers(const Interval& interval, double value) {
  return interval.low <= value && value <= interval.high;
}

TEST(PieceValues, OfManyGamesAreTheTrueOnes) {
  const PieceValues values = values_of(simulated(4000, 1));
  EXPECT_EQ(values.missing, "");
  EXPECT_EQ(values.games, 4000);
  EXPECT_EQ(values.positions, 8000);
  const PieceWorth& knight = worth_of(values.whole_board, "knight");
  EXPECT_TRUE(covers(knight.value_95, kKnight)) << knight.value;
  EXPECT_NEAR(knight.pawns.value(), kKnight / kPawn, 0.3);
  EXPECT_TRUE(covers(knight.pawns_95.value(), kKnight / kPawn));
  EXPECT_LT(knight.pawns_95->high - knight.pawns_95->low, 1);
  EXPECT_TRUE(covers(worth_of(values.whole_board, "rook").pawns_95.value(), kRook / kPawn));
  EXPECT_TRUE(covers(values.first_move_95, kFirstMove));
  EXPECT_TRUE(covers(values.tempo_95, 0)) << "both samples of a game have the same material";
}

TEST(PieceValues, HaveIntervalsThatCoverTheTruth) {
  constexpr int kSurveys = 60;
  int covered = 0;
  for (int survey = 0; survey < kSurveys; ++survey) {
    const PieceValues values = values_of(simulated(200, 100 + static_cast<std::uint64_t>(survey)));
    covered += covers(worth_of(values.whole_board, "pawn").value_95, kPawn) ? 1 : 0;
    covered += covers(worth_of(values.whole_board, "knight").value_95, kKnight) ? 1 : 0;
    covered += covers(worth_of(values.whole_board, "rook").value_95, kRook) ? 1 : 0;
  }
  // 171 of 180 are expected, with a standard deviation of 3. Were the two samples of a game taken
  // for independent ones, 150 would be.
  EXPECT_GE(covered, 162);
}

TEST(PieceValues, DifferByRegionWhereThePiecesDo) {
  const PieceValues values = values_of(simulated(4000, 2, 1.5));
  const PieceWorth& at_home = worth_of(values.by_region, "knight", "own half");
  const PieceWorth& abroad = worth_of(values.by_region, "knight", "enemy half");
  EXPECT_TRUE(covers(at_home.value_95, kKnight)) << at_home.value;
  EXPECT_TRUE(covers(abroad.value_95, kKnight + 1.5)) << abroad.value;
  EXPECT_GT(abroad.value_95.low, at_home.value_95.high);
  const PieceWorth& rook = worth_of(values.by_region, "rook", "enemy half");
  EXPECT_TRUE(covers(rook.value_95, kRook)) << rook.value;
  EXPECT_TRUE(worth_of(values.whole_board, "rook").pawns) << "the games tell what a pawn is worth";
  for (const PieceWorth& worth : values.by_region)
    EXPECT_FALSE(worth.pawns) << worth.piece << " is in log odds only";
}

TEST(PieceValues, SayWhyThereAreNone) {
  EXPECT_EQ(values_of(simulated(19, 1)).missing,
            "19 games with a result and a quiet position; 20 are needed");
  std::vector<GameFacts> draws = simulated(30, 1);
  for (GameFacts& game : draws) {
    game.winner = -1;
    game.outcome = Outcome::Repetition;
  }
  EXPECT_EQ(values_of(draws).missing, "every game was a draw");
}

TEST(PieceValues, LeaveOutGamesThatWereCutAndPiecesThatSeldomDiffer) {
  std::vector<GameFacts> games = simulated(100, 3);
  games[0].winner = -1;
  games[0].outcome = Outcome::Ongoing;
  games[1].samples[0].difference[feature(0, PieceType::Queen)] = 1;
  const PieceValues values = values_of(games);
  EXPECT_EQ(values.games, 99);
  EXPECT_EQ(values.rare, (std::vector<std::string>{"queen"}));
  EXPECT_TRUE(std::ranges::none_of(values.whole_board, [](const PieceWorth& worth) {
    return worth.piece == "queen" || worth.piece == "bishop";
  }));
}

TEST(RatioInterval, IsFiellersAndUnboundedWhereTheDenominatorMayBeZero) {
  // An exact denominator of 2: the numerator's interval, halved.
  const auto exact = ratio_interval(6, 2, 0.25, 0, 0, 2);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->low, 2.5, 1e-12);
  EXPECT_NEAR(exact->high, 3.5, 1e-12);
  // The ends r solve (6 - 2 r)^2 = 4 (0.25 + 0.09 r^2).
  const auto both = ratio_interval(6, 2, 0.25, 0.09, 0, 2);
  ASSERT_TRUE(both);
  for (const double r : {both->low, both->high})
    EXPECT_NEAR(std::pow(6 - 2 * r, 2), 4 * (0.25 + 0.09 * r * r), 1e-9);
  EXPECT_FALSE(ratio_interval(6, 2, 0.25, 1.1, 0, 2));
}

}  // namespace
}  // namespace faultline
