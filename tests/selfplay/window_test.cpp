// The sliding window: contents, eviction and sampling.
#include "selfplay/window.h"

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "tests/record/games.h"

namespace faultline {
namespace {

using test::chess;
using test::escher;
using test::random_game;

/// 1. f3 e5 2. g4 Qh4 mate, all plies targets with the played move's weight at 3 and its
/// neighbour's at 1.
GameRecord fools_mate() {
  GameRecord game;
  PositionHistory<ChessPosition> history(ChessPosition::start(chess()));
  for (const char* text : {"f2f3", "e7e5", "g2g4", "d8h4"}) {
    ChessPosition::MoveList moves;
    history.position().legal_moves(moves);
    PlyRecord ply{.move = *history.position().parse_move(text), .searched = true, .target = true};
    ply.win = pack_probability(0.5F);
    ply.draw = pack_probability(0.25F);
    ply.policy.assign(moves.size(), 0);
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i] == ply.move) {
        ply.policy[i] = 3;
        ply.policy[(i + 1) % moves.size()] = 1;
      }
    history.play(ply.move);
    game.plies.push_back(ply);
  }
  game.outcome = history.outcome();
  EXPECT_EQ(game.outcome, Outcome::BlackWins);
  return game;
}

GameSamples samples_of(const GameRecord& game, const ValueTargets& targets = {}) {
  return GameDecoder("chess", targets).decode(game);
}

TEST(GameSamples, ValuesAreForTheSideToMove) {
  const GameSamples samples = samples_of(fools_mate());
  ASSERT_EQ(samples.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool black = i % 2 == 1;
    const std::array<float, 3> expected =
        black ? std::array{1.0F, 0.0F, 0.0F} : std::array{0.0F, 0.0F, 1.0F};
    EXPECT_EQ(samples[i].wdl, expected);
    EXPECT_EQ(samples[i].moves_left, static_cast<float>(4 - i));
    EXPECT_EQ(samples[i].repetitions, 0);
  }
}

TEST(GameSamples, PositionsOffTheLineHaveTheValueThatWasFoundThere) {
  GameRecord game = fools_mate();
  const Move other = *ChessPosition::start(chess()).parse_move("e2e4");
  game.plies[0].asides.push_back(
      {.moves = {other}, .win = pack_probability(0.6F), .draw = pack_probability(0.1F)});
  const GameSamples samples = samples_of(game);
  ASSERT_EQ(samples.size(), 5U);
  EXPECT_NEAR(samples[1].wdl[0], 0.6, 1e-4);  // for Black, who is to move there
  EXPECT_NEAR(samples[1].wdl[2], 0.3, 1e-4);
  EXPECT_LT(samples[1].moves_left, 0);
  EXPECT_TRUE(samples[1].policy.empty());
  EXPECT_EQ(samples[2].moves_left, 3);
  TrainBatch batch;
  add_sample(samples[1], &Encoder<ChessPosition>::info(chess()), batch);
  EXPECT_EQ(std::set(batch.policy.begin(), batch.policy.end()), std::set{0.0F});
  add_sample(samples[1], nullptr, batch);
  EXPECT_EQ(batch.fast.count(), 1U);
  EXPECT_EQ(batch.fast.of(0, 0).size(), 32U);
  EXPECT_NEAR(batch.fast.expected[0], 0.65, 1e-4);
  game.plies[0].asides[0].moves[0] = *ChessPosition::start(chess()).parse_move("d2d4");
  game.plies[1].asides = game.plies[0].asides;  // not legal there
  EXPECT_THROW(samples_of(game), ReplayError);
}

TEST(GameSamples, TheRootValueCanHaveAShareOfTheTarget) {
  const GameSamples samples = samples_of(fools_mate(), {.root_value_share = 0.5F});
  EXPECT_NEAR(samples[0].wdl[0], 0.25, 1e-4);
  EXPECT_NEAR(samples[0].wdl[1], 0.125, 1e-4);
  EXPECT_NEAR(samples[0].wdl[2], 0.625, 1e-4);
}

TEST(GameSamples, TheLambdaReturnLiesBetweenResultAndRootValues) {
  GameRecord game = fools_mate();
  const GameSamples half = samples_of(game, {.lambda = 0.5F});
  // White, who loses, expects a win by 1/2 and a loss by 1/4 when to move; Black the same.
  const float last = 0.5F * 1 + 0.5F * 0.5F;  // Black's win, at the last ply
  EXPECT_NEAR(half[3].wdl[0], last, 1e-4);
  const float before = 0.5F * last + 0.5F * 0.25F;  // Black's win at White's last ply
  EXPECT_NEAR(half[2].wdl[2], before, 1e-4);
  EXPECT_NEAR(half[1].wdl[0], 0.5F * before + 0.5F * 0.5F, 1e-4);
  const GameSamples own = samples_of(game, {.lambda = 0});
  for (std::size_t i = 0; i < own.size(); ++i)
    EXPECT_NEAR(own[i].wdl[0], 0.5, 1e-4);
  for (std::size_t i = 0; i < half.size(); ++i)
    EXPECT_NEAR(half[i].wdl[0] + half[i].wdl[1] + half[i].wdl[2], 1, 1e-4);
}

TEST(GameSamples, ThePolicyKeepsTheVisitedMoves) {
  const GameRecord game = fools_mate();
  const GameSamples samples = samples_of(game);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_EQ(samples[i].policy.size(), 2U);
    for (const PolicyWeight& entry : samples[i].policy)
      EXPECT_EQ(entry.weight, game.plies[i].policy[entry.move]);
  }
}

TEST(GameSamples, HugeVisitCountsKeepTheirShares) {
  GameRecord game = fools_mate();
  for (auto& weight : game.plies[0].policy)
    weight *= 100'000;
  const GameSamples samples = samples_of(game);
  double total = 0;
  double most = 0;
  for (const PolicyWeight& entry : samples[0].policy) {
    total += entry.weight;
    most = std::max<double>(most, entry.weight);
  }
  EXPECT_NEAR(most / total, 0.75, 1e-3);
}

TEST(GameSamples, PliesThatAreNotTargetsAreOmitted) {
  GameRecord game = fools_mate();
  game.plies[1] = {.move = game.plies[1].move};
  const GameSamples samples = samples_of(game);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[1].moves_left, 2.0F);
}

GameRecord cut_game() {
  GameRecord game = fools_mate();
  game.plies.pop_back();
  game.outcome = Outcome::Adjudicated;
  return game;
}

TEST(GameSamples, TheResultOfACutGameIsWhatItsLastSearchesExpected) {
  const GameSamples samples = samples_of(cut_game());
  // The mover expects to win by 1/2, to draw by 1/4; White moves twice of three times.
  EXPECT_NEAR(samples[0].wdl[0], (0.5 + 0.25 + 0.5) / 3, 1e-4);
  EXPECT_NEAR(samples[0].wdl[1], 0.25, 1e-4);
  EXPECT_NEAR(samples[0].wdl[2], (0.25 + 0.5 + 0.25) / 3, 1e-4);
  EXPECT_EQ(samples[1].wdl[0], samples[0].wdl[2]) << "for the side to move";
  EXPECT_LT(samples[0].moves_left, 0.0F);
}

TEST(GameSamples, OnlyTheLastSearchesOfACutGameCount) {
  GameRecord game = cut_game();
  game.plies[0].win = 65535;
  game.plies[0].draw = 0;
  PositionHistory<ChessPosition> history(ChessPosition::start(chess()));
  GameRecord longer = game;
  for (const PlyRecord& ply : game.plies)
    history.play(ply.move);
  for (const char* text : {"a7a6", "a2a3"}) {
    PlyRecord ply = game.plies[1];
    ply.move = *history.position().parse_move(text);
    ply.target = false;
    ply.policy.clear();
    history.play(ply.move);
    longer.plies.push_back(ply);
  }
  const float before = samples_of(game)[0].wdl[0];
  const GameSamples after = samples_of(longer);
  EXPECT_GT(before, 0.5F);
  EXPECT_NEAR(after[0].wdl[0], (0.25 + 0.5 + 0.25 + 0.5) / 4, 1e-4) << "the first ply is too old";
}

TEST(GameSamples, CutGamesCanCountAsDraws) {
  const GameSamples samples = samples_of(cut_game(), {.cut_as_draws = true});
  EXPECT_EQ(samples[0].wdl, (std::array{0.0F, 1.0F, 0.0F}));
  EXPECT_LT(samples[0].moves_left, 0.0F);
}

TEST(GameSamples, RepetitionsAreCounted) {
  GameRecord game;
  PositionHistory<ChessPosition> history(ChessPosition::start(chess()));
  for (int round = 0; round < 2; ++round)
    for (const char* text : {"g1f3", "g8f6", "f3g1", "f6g8"}) {
      ChessPosition::MoveList moves;
      history.position().legal_moves(moves);
      PlyRecord ply{.move = *history.position().parse_move(text), .searched = true, .target = true};
      ply.policy.assign(moves.size(), 1);
      history.play(ply.move);
      game.plies.push_back(ply);
    }
  game.outcome = history.outcome();
  ASSERT_EQ(game.outcome, Outcome::Repetition);
  const GameSamples samples = samples_of(game);
  EXPECT_EQ(samples[0].repetitions, 0);
  EXPECT_EQ(samples[3].repetitions, 0);
  EXPECT_EQ(samples[4].repetitions, 1);
  EXPECT_EQ(samples[7].repetitions, 1);
}

TEST(GameSamples, EscherGamesDecode) {
  const GameRecord game = random_game<EscherPosition>(escher(), 4, 120);
  const GameSamples samples = GameDecoder("escher", {}).decode(game);
  EXPECT_EQ(samples.size(), game.target_count());
}

TEST(Window, DropsTheOldestGames) {
  Window window;
  window.set_capacity(9);
  for (int i = 0; i < 5; ++i)
    window.add(samples_of(fools_mate()));
  EXPECT_EQ(window.games(), 3U);  // 12 positions; without the oldest game only 8
  EXPECT_EQ(window.size(), 12U);
  window.set_capacity(4);
  EXPECT_EQ(window.size(), 4U);
}

TEST(Window, ListsItsPositionsFromOldestToNewest) {
  const EncodingInfo& encoding = Encoder<ChessPosition>::info(chess());
  Window window;
  TrainBatch expected;
  for (std::uint64_t number = 0; number < 6; ++number) {
    const GameSamples samples = samples_of(random_game<ChessPosition>(chess(), number, 30));
    for (std::size_t i = 0; i < samples.size(); ++i)
      add_sample(samples[i], &encoding, expected);
    window.add(samples);
  }
  ASSERT_EQ(window.size(), expected.count);
  TrainBatch listed;
  for (std::size_t i = 0; i < window.size(); ++i)
    add_sample(window[i], &encoding, listed);
  EXPECT_EQ(listed.planes, expected.planes);
}

TEST(Window, DrawsEveryPositionEquallyOften) {
  Window window;
  for (int i = 0; i < 3; ++i)
    window.add(samples_of(fools_mate()));
  std::mt19937_64 rng(7);
  std::map<const PolicyWeight*, int> drawn;
  constexpr int kDraws = 12'000;
  for (int i = 0; i < kDraws; ++i)
    ++drawn[window.draw(rng).policy.data()];
  EXPECT_EQ(drawn.size(), 12U);
  for (const auto& [position, count] : drawn)
    EXPECT_NEAR(count, kDraws / 12, 200);  // 6 standard deviations
}

TEST(Window, GrowsWithTheRunBetweenItsLimits) {
  EXPECT_EQ(window_size(0, 100, 1000, 0.5), 100U);
  EXPECT_EQ(window_size(600, 100, 1000, 0.5), 300U);
  EXPECT_EQ(window_size(5000, 100, 1000, 0.5), 1000U);
}

}  // namespace
}  // namespace faultline
