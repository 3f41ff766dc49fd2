// Chess against the published perft numbers, and the rulings of docs/rules.md that perft does not
// cover.
#include "rules/families/chess.h"

#include <string>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "rules/perft.h"

namespace faultline {
namespace {

ChessPosition chess(const std::string& fen) {
  return ChessPosition::from_fen({}, fen);
}

struct PerftCase {
  const char* name;
  const char* fen;
  int depth;
  std::uint64_t nodes;
};

// https://www.chessprogramming.org/Perft_Results
class ChessPerft : public testing::TestWithParam<PerftCase> {};

TEST_P(ChessPerft, MatchesThePublishedNumber) {
  EXPECT_EQ(perft(chess(GetParam().fen), GetParam().depth), GetParam().nodes);
}

INSTANTIATE_TEST_SUITE_P(
    Published, ChessPerft,
    testing::Values(
        PerftCase{"Start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
        PerftCase{"Kiwipete",
                  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4,
                  4085603},
        PerftCase{"Position3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        PerftCase{"Position4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                  4, 422333},
        PerftCase{"Position5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4,
                  2103487},
        PerftCase{"Position6",
                  "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
                  3894594}),
    [](const auto& perft_case) { return std::string(perft_case.param.name); });

TEST(Chess, MateOnTheHundredthPlyIsMate) {
  ChessPosition p = chess("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
  p.play(*p.parse_move("a1a8"));
  EXPECT_EQ(p.halfmove_clock(), 100);
  EXPECT_EQ(p.outcome(p.count_legal_moves() > 0), Outcome::WhiteWins);
}

TEST(Chess, AHundredPliesWithoutProgressDraw) {
  ChessPosition p = chess("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
  p.play(*p.parse_move("a1a2"));
  EXPECT_EQ(p.outcome(p.count_legal_moves() > 0), Outcome::FiftyMoveRule);
}

TEST(Chess, StalemateComesBeforeTheHundredPlies) {
  const ChessPosition p = chess("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80");
  EXPECT_EQ(p.outcome(p.count_legal_moves() > 0), Outcome::Stalemate);
}

TEST(Chess, ADrawnPositionStillListsItsMoves) {
  const ChessPosition p = chess("7k/8/8/8/8/8/8/K7 w - - 0 1");
  EXPECT_EQ(p.outcome(true), Outcome::BareKings);
  EXPECT_EQ(p.count_legal_moves(), 3U);
}

TEST(Chess, ThirdOccurrenceOfAPositionDraws) {
  PositionHistory<ChessPosition> history(ChessPosition::start({}));
  const auto shuffle = [&] {
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
      history.play(*history.position().parse_move(move));
  };
  shuffle();
  EXPECT_EQ(history.outcome(), Outcome::Ongoing);
  EXPECT_EQ(history.repetitions(), 1);
  shuffle();
  EXPECT_EQ(history.outcome(), Outcome::Repetition);
}

TEST(Chess, LosingACastlingRightMakesADifferentPosition) {
  PositionHistory<ChessPosition> history(chess("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"));
  const auto shuffle = [&] {
    for (const char* move : {"e1e2", "a8b8", "e2e1", "b8a8"})
      history.play(*history.position().parse_move(move));
  };
  shuffle();
  EXPECT_EQ(history.repetitions(), 0);
  shuffle();
  EXPECT_EQ(history.repetitions(), 1);
}

TEST(Chess, AnEnPassantSquareThatNobodyAttacksIsDropped) {
  EXPECT_EQ(chess("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").fen(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  ChessPosition p = ChessPosition::start({});
  p.play(*p.parse_move("e2e4"));
  EXPECT_EQ(p.en_passant(), kNoSquare);
}

TEST(Chess, CapturingARookTakesItsRight) {
  ChessPosition p = chess("r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 0 1");
  p.play(*p.parse_move("g2h1"));
  EXPECT_EQ(p.fen(), "r3k2r/8/8/8/8/8/8/R3K2b w Qkq - 0 2");
}

TEST(Chess, MovesThatAreNotLegalAreNotParsed) {
  const ChessPosition p = ChessPosition::start({});
  for (const char* text : {"e2e5", "e7e5", "e2", "", "e2e4q", "E2E4", "e2e4 ", "0000"})
    EXPECT_FALSE(p.parse_move(text)) << text;
}

}  // namespace
}  // namespace faultline
