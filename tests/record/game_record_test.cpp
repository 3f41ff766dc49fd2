// Serialisation of games: records round-trip, anything else is refused.
#include "record/game_record.h"

#include <gtest/gtest.h>

#include "tests/record/games.h"

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
          EXPECT_EQ(ply.policy.size(), ply.target ? moves.size() : 0U);
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

/// A game with positions off its line after every third ply.
GameRecord game_with_asides() {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 60);
  std::size_t i = 0;
  replay_game<ChessPosition>(
      chess(), GameRecord(game), [&](const auto&, const auto& moves, const PlyRecord&) {
        if (i++ % 3 != 0) return;
        for (std::uint16_t n = 1; n <= 2; ++n)
          game.plies[i - 1].asides.push_back({.moves = {moves[n % moves.size()]},
                                              .win = static_cast<std::uint16_t>(20'000 * n),
                                              .draw = n});
      });
  return game;
}

TEST(GameRecord, AsidesRoundTripAndAreTrainingPositions) {
  const GameRecord game = game_with_asides();
  GameRecord plain = game;
  for (PlyRecord& ply : plain.plies)
    ply.asides.clear();
  EXPECT_EQ(game.target_count(), plain.target_count() + 2 * ((game.plies.size() + 2) / 3));
  const std::vector<std::byte> bytes = encode_game(game);
  EXPECT_EQ(decode_game(bytes), game);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decode_game(std::span(bytes).first(size)), ReplayError);
  const std::vector<std::byte> older = encode_game(plain);  // but for the count of asides, 0
  EXPECT_EQ(decode_game(std::span(older).first(older.size() - 1), 3), plain);
}

TEST(GameRecord, AGameFromAnotherStartPositionKeepsIt) {
  const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const GameRecord game = random_game<ChessPosition>(chess(), 5, 30, fen);
  const GameRecord back = decode_game(encode_game(game));
  EXPECT_EQ(back.start_fen, fen);
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), back, [](auto&&...) {}));
}

TEST(GameRecord, AGameFromAnotherStartIsReplayedFromThere) {
  const std::string fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
  GameRecord game;
  game.start_fen = fen;
  const Move promotion = *ChessPosition::from_fen(chess(), fen).parse_move("a7a8q");
  game.plies.push_back({.move = promotion});
  game.outcome = Outcome::Adjudicated;
  const auto history = replay_game<ChessPosition>(
      chess(), game,
      [&](const auto& before, auto&&...) { EXPECT_EQ(before.position().fen(), fen); });
  EXPECT_EQ(history.position().fen(), "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1");
  game.start_fen.clear();  // the promotion is illegal from the variant's own start
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
}

TEST(GameRecord, AnInvalidStartPositionIsRefusedWithGameAndField) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  game.start_fen = "4k3/8/8/8/8/8/4P3/4K3 x - - 0 1";
  try {
    replay_game<ChessPosition>(chess(), game, [](auto&&...) {});
    FAIL() << "accepted";
  } catch (const ReplayError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("game 3: start position: FEN field ", 0), 0U)
        << error.what();
  }
}

TEST(GameRecord, PliesAfterTheEndOfTheGameAreRefused) {
  GameRecord game;
  PositionHistory<ChessPosition> history(ChessPosition::start(chess()));
  for (int round = 0; round < 3; ++round)
    for (const char* text : {"g1f3", "g8f6", "f3g1", "f6g8"}) {
      game.plies.push_back({.move = *history.position().parse_move(text)});
      history.play(game.plies.back().move);
    }
  game.outcome = history.outcome();
  ASSERT_EQ(game.outcome, Outcome::Repetition);  // but it was one four plies before as well
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
  game.plies.resize(8);
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}));
}

TEST(GameRecord, EverySearchedPlyKeepsItsRootValueAndRandomPliesHaveNone) {
  GameRecord game = random_game<ChessPosition>(chess(), 1, 40);
  game.plies[0] = {.move = game.plies[0].move};
  game.plies[1] = {.move = game.plies[1].move, .searched = true, .win = 40000, .draw = 25535};
  const GameRecord back = decode_game(encode_game(game));
  EXPECT_FALSE(back.plies[0].searched);
  EXPECT_TRUE(back.plies[1].searched);
  EXPECT_FALSE(back.plies[1].target);
  EXPECT_EQ(back.plies[1].win, 40000);
  EXPECT_EQ(back.plies[1].draw, 25535);
}

TEST(GameRecord, DataThatNoSearchCanProduceIsRefused) {
  const auto refused = [](auto&& change) {
    GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
    game.plies[2].searched = game.plies[2].target = true;
    game.plies[2].policy.assign(20, 1);
    change(game.plies[2]);
    EXPECT_THROW(decode_game(encode_game(game)), ReplayError);
  };
  refused([](PlyRecord& ply) { ply.searched = false; });
  refused([](PlyRecord& ply) { ply.win = ply.draw = 40000; });
  refused([](PlyRecord& ply) { ply.policy.assign(20, 0); });
  refused([](PlyRecord& ply) { ply.policy.clear(); });
}

TEST(GameRecord, AnUnknownVersionIsRefused) {
  const std::vector<std::byte> bytes = encode_game(random_game<ChessPosition>(chess(), 3, 20));
  EXPECT_THROW(decode_game(bytes, kRecordVersion + 1), ReplayError);
  EXPECT_THROW(decode_game(bytes, 0), ReplayError);
}

TEST(GameRecord, ATruncatedRecordIsRefusedAtEveryLength) {
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

TEST(GameRecord, PolicyWeightsThatDoNotFitTheMovesAreRefused) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  game.plies[0].searched = game.plies[0].target = true;
  game.plies[0].policy.assign(21, 1);  // the start position has 20 moves
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
}

TEST(GameRecord, AnOutcomeThatTheBoardDoesNotShowIsRefused) {
  GameRecord game = random_game<ChessPosition>(chess(), 3, 20);
  ASSERT_EQ(game.outcome, Outcome::Adjudicated);
  game.outcome = Outcome::WhiteWins;
  EXPECT_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}), ReplayError);
  game.resigned = true;  // resigned, so the board does not show the outcome
  EXPECT_NO_THROW(replay_game<ChessPosition>(chess(), game, [](auto&&...) {}));
}

TEST(GameRecord, ProbabilitiesKeepFourDigits) {
  for (const float p : {0.0F, 0.25F, 0.3333F, 1.0F})
    EXPECT_NEAR(unpack_probability(pack_probability(p)), p, 1e-5F);
}

TEST(GameRecord, SurprisesKeepThousandthsOfNatsAndAreBounded) {
  for (const float nats : {0.0F, 0.001F, 0.62F, 13.8F})
    EXPECT_NEAR(unpack_surprise(pack_surprise(nats)), nats, 0.5F * kSurpriseUnit);
  EXPECT_NEAR(unpack_surprise(pack_surprise(1000)), 64, 0.001F);
  EXPECT_EQ(pack_surprise(-1), 0);
}

}  // namespace
}  // namespace faultline
