// Gardner's minichess against published perft numbers, and what perft does not cover.
#include "rules/families/gardner.h"

#include <string>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "rules/perft.h"

namespace faultline {
namespace {

GardnerPosition gardner(const std::string& fen) {
  return GardnerPosition::from_fen({}, fen);
}

struct PerftCase {
  const char* name;
  const char* fen;
  int depth;
  std::uint64_t nodes;
};

// Fairy-Stockfish's counts (UCI_Variant gardner, `go perft`), as published in the tests of the
// chess library mcr. The second position has promotions, with and without captures.
class GardnerPerft : public testing::TestWithParam<PerftCase> {};

TEST_P(GardnerPerft, MatchesThePublishedNumber) {
  EXPECT_EQ(perft(gardner(GetParam().fen), GetParam().depth), GetParam().nodes);
}

constexpr const char* kStart = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";
constexpr const char* kMiddlegame = "1nbqk/rPp1p/2p2/P2PP/RNBQK w - - 0 5";

INSTANTIATE_TEST_SUITE_P(
    Published, GardnerPerft,
    testing::Values(PerftCase{"Start1", kStart, 1, 7}, PerftCase{"Start2", kStart, 2, 53},
                    PerftCase{"Start3", kStart, 3, 506}, PerftCase{"Start4", kStart, 4, 4775},
                    PerftCase{"Start5", kStart, 5, 52512}, PerftCase{"Start6", kStart, 6, 572874},
                    PerftCase{"Middlegame1", kMiddlegame, 1, 15},
                    PerftCase{"Middlegame2", kMiddlegame, 2, 212},
                    PerftCase{"Middlegame3", kMiddlegame, 3, 3152},
                    PerftCase{"Middlegame4", kMiddlegame, 4, 39955},
                    PerftCase{"Middlegame5", kMiddlegame, 5, 615631}),
    [](const auto& perft_case) { return std::string(perft_case.param.name); });

TEST(Gardner, RefusesWhatTheBoardCannotHold) {
  for (const std::string bad : {
           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",  // eight ranks
           "rnbqk/ppppp/6/PPPPP/RNBQK w - - 0 1",                       // a rank too long
           "rnbqk/ppppp/5/PPPPP/RNBQK w K - 0 1",                       // castling
           "rnbqk/ppppp/5/PPPPP/RNBQK w - a3 0 1",                      // en passant
           "Pnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",                       // a pawn past its last step
           "rnbqk/ppppp/5/PPPPP/RNBQP w - - 0 1",                       // no white king
           "4k/5/5/5/K3R w - - 0 1",                                    // Black is in check
       })
    EXPECT_THROW(gardner(bad), FenError) << bad;
}

TEST(Gardner, MateStalemateAndRepetition) {
  EXPECT_EQ(gardner("k3R/5/K4/5/5 b - - 0 1").outcome(false), Outcome::WhiteWins);
  const auto stalemate = gardner("k4/2Q2/K4/5/5 b - - 0 1");
  EXPECT_EQ(stalemate.outcome(stalemate.count_legal_moves() > 0), Outcome::Stalemate);

  PositionHistory<GardnerPosition> history(gardner("r3k/5/5/5/R3K w - - 0 1"));
  for (int times = 0; times < 2; ++times)
    for (const char* move : {"a1b1", "a5b5", "b1a1", "b5a5"}) {
      EXPECT_EQ(history.outcome(), Outcome::Ongoing) << history.plies();
      history.play(*history.position().parse_move(move));
    }
  EXPECT_EQ(history.outcome(), Outcome::Repetition);
}

}  // namespace
}  // namespace faultline
