// A game's bytes: what goes in comes out, what is not a record is refused.
#include "selfplay/game_record.h"

#include <gtest/gtest.h>

#include "tests/selfplay/games.h"

namespace faultline {
namespace {

using test::chess;
using test::escher;
using test::random_game;

template <Position P>
void expect_round_trips(const typename P::Variant& variant) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const GameRecord game = random_game<P>(variant, number, 200);
    const GameRecord back = decode_game(encode_game(game));
    EXPECT_EQ(back, game);
    std::size_t plies = 0;
    const PositionHistory<P> history =
        replay_game<P>(variant, back, [&](const auto& before, const auto& moves, const auto& ply) {
          EXPECT_EQ(static_cast<std::size_t>(before.plies()), plies++);
          EXPECT_EQ(ply.visits.size(), ply.target ? moves.size() : 0U);
        });
    EXPECT_EQ(plies, game.plies.size());
    EXPECT_EQ(static_cast<std::size_t>(history.plies()), game.plies.size());
  }
}

TEST(GameRecord, ChessGamesRoundTripAndReplay) {
  expect_round_trips<ChessPosition>(chess());
}
TEST(GameRecord, EscherGamesRoundTripAndReplay) {
  expect_round_trips<EscherPosition>(escher());
}

TEST(GameRecord, AGameFromAnotherStartKeepsIt) {
  const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const GameRecord game = random_game<ChessPosition>(chess(), 5, 30, fen);
  const GameRecord back = decode_game(encode_game(game));
  EXPECT_EQ(back.start_fen, fen);
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), back, [](auto&&...) {}));
}

TEST(GameRecord, ACutShortRecordIsRefusedAtEveryLength) {
  const std::vector<std::byte> bytes = encode_game(random_game<ChessPosition>(chess(), 3, 20));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(decode_game(std::span(bytes).first(length)), ReplayError) << length;
}

TEST(GameRecord, BytesAfterTheRecordAreRefused) {
  std::vector<std::byte> bytes = encode_game(random_game<ChessPosition>(chess(), 3, 20));
  bytes.push_back(std::byte{0});
  EXPECT_THROW(decode_game(bytes), ReplayError);
}

TEST(GameRecord, AnIllegalMoveIsRefused) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  game.plies[4].move = Move(0, 63);
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
}

TEST(GameRecord, VisitCountsThatDoNotFitTheMovesAreRefused) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  game.plies[0].target = true;
  game.plies[0].visits.assign(21, 1);  // the start position has 20 moves
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
}

TEST(GameRecord, AnOutcomeThatTheBoardDoesNotShowIsRefused) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  ASSERT_EQ(game.outcome, Outcome::Adjudicated);
  game.outcome = Outcome::WhiteWins;
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
  game.resigned = true;  // given up, so nothing to see on the board
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}));
}

TEST(GameRecord, ProbabilitiesKeepFourDigits) {
  for (const float p : {0.0F, 0.25F, 0.3333F, 1.0F})
    EXPECT_NEAR(unpack_probability(pack_probability(p)), p, 1e-5F);
}

}  // namespace
}  // namespace faultline
