// Gardner's minichess: what its vectors do not cover. Their counts are Fairy-Stockfish's
// (UCI_Variant gardner, `go perft`), as published in the tests of the chess library mcr.
#include "rules/families/gardner.h"

#include <string>

#include <gtest/gtest.h>

#include "rules/history.h"

namespace faultline {
namespace {

GardnerPosition gardner(const std::string& fen) {
  return GardnerPosition::from_fen({}, fen);
}

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
