// The value at which self-play resigns follows the games that were played out.
#include "selfplay/resign_threshold.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "base/seeds.h"

namespace faultline {
namespace {

SelfPlayConfig adaptive() {
  SelfPlayConfig config;
  config.resign_below = -0.5;
  config.resign_plies = 2;
  config.resign_false_positives = 0.1;
  return config;
}

/// White's root value is `white` at two consecutive moves, and 0 at all others; Black's is 0.
GameRecord game_with(float white, Outcome outcome) {
  GameRecord game;
  game.outcome = outcome;
  for (int i = 0; i < 12; ++i) {
    const float value = i == 4 || i == 6 ? white : 0.0F;
    game.plies.push_back({.searched = true, .win = pack_probability((value + 1) / 2)});
  }
  return game;
}

TEST(ResignThreshold, NobodyResignsBeforeEnoughIsKnown) {
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  EXPECT_EQ(threshold.value(), 0.0F);
  for (int i = 0; i < 99; ++i)
    threshold.add(game_with(-0.9F, Outcome::BlackWins));
  EXPECT_EQ(threshold.value(), 0.0F);
  threshold.add(game_with(-0.9F, Outcome::BlackWins));
  EXPECT_NEAR(threshold.value(), -0.9F, 1e-3);
}

TEST(ResignThreshold, IsAsHighAsTheErrorsAllow) {
  // White's lowest values are spread over -1 … 0; of those at v, a share of 1 + v does not lose, so
  // that of all below t half as large a share, (1 + t) / 2, is wrong: a tenth at -0.8.
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int i = 0; i < 1'000; ++i) {
    const float value = -unit(rng);
    threshold.add(
        game_with(value, unit(rng) < 1 + value ? Outcome::Repetition : Outcome::BlackWins));
  }
  EXPECT_NEAR(threshold.value(), -0.8F, 0.12);
}

TEST(ResignThreshold, IsNeverAboveTheHighestAllowed) {
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  for (int i = 0; i < 500; ++i)
    threshold.add(game_with(-0.002F * static_cast<float>(i), Outcome::BlackWins));
  EXPECT_LE(threshold.value(), -0.5F);
  EXPECT_GT(threshold.value(), -0.51F);
}

TEST(ResignThreshold, RisesAgainWhenValuesBecomeReliable) {
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  for (int i = 0; i < 1'000; ++i)
    threshold.add(game_with(-0.95F, i % 2 == 0 ? Outcome::WhiteWins : Outcome::BlackWins));
  EXPECT_EQ(threshold.value(), 0.0F) << "half of the resignations would have been wrong";
  for (int i = 0; i < 1'000; ++i)
    threshold.add(game_with(-0.95F, Outcome::BlackWins));
  EXPECT_NEAR(threshold.value(), -0.95F, 1e-3);
}

TEST(ResignThreshold, GamesThatWereCutTellNothing) {
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  for (int i = 0; i < 300; ++i)
    threshold.add(game_with(-0.9F, Outcome::Adjudicated));
  EXPECT_EQ(threshold.value(), 0.0F);
}

TEST(ResignThreshold, KnowsWhoMovesFirst) {
  const SelfPlayConfig config = adaptive();
  ResignThreshold threshold(config);
  GameRecord game = game_with(-0.9F, Outcome::WhiteWins);  // the values are Black's
  game.start_fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
  for (int i = 0; i < 100; ++i)
    threshold.add(game);
  EXPECT_NEAR(threshold.value(), -0.9F, 1e-3);
}

TEST(ResignThreshold, CanBeFixed) {
  SelfPlayConfig config = adaptive();
  config.resign_false_positives = 0;
  ResignThreshold threshold(config);
  EXPECT_EQ(threshold.value(), -0.5F);
  threshold.add(game_with(-0.9F, Outcome::WhiteWins));
  EXPECT_EQ(threshold.value(), -0.5F);
}

TEST(ResignThreshold, IsFixedWhereNoGameIsPlayedOut) {
  SelfPlayConfig config = adaptive();
  config.resign_playthrough = 0;
  EXPECT_EQ(ResignThreshold(config).value(), -0.5F);
}

TEST(PlayedOut, IsIndependentOfTheGamesOwnChoices) {
  // The first number of a game's own generator decides the number of random plies.
  Config config;
  config.selfplay.resign_playthrough = 0.3;
  double sum = 0;
  int count = 0;
  for (std::uint64_t number = 0; number < 3'000; ++number) {
    if (!is_played_out(config, number)) continue;
    std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config.run.seed), number));
    sum += std::uniform_real_distribution<double>(0, 1)(rng);
    ++count;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.05);
}

TEST(PlayedOut, AreAShareOfTheGamesByTheirNumber) {
  Config config;
  config.selfplay.resign_playthrough = 0.1;
  int played_out = 0;
  for (std::uint64_t number = 0; number < 5'000; ++number)
    played_out += is_played_out(config, number) ? 1 : 0;
  EXPECT_NEAR(played_out, 500, 100);
  EXPECT_EQ(is_played_out(config, 7), is_played_out(config, 7));
}

}  // namespace
}  // namespace faultline
