// Random games of chess against the reference rules, and seen from the other side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/chess.h"

namespace faultline::test {
namespace {

struct ChessGame {
  using Position = ChessPosition;
  static constexpr bool kOneKingEach = true;
  static reference::ChessState reference_state(const ChessVariant&, const std::string& fen) {
    return reference::ChessState(fen);
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const ChessVariant& v,
                                                              const Position& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
};

TEST(ChessGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240607);
  Seen seen;
  play_from_the_start<ChessGame>("chess", 30, 120, rng, seen);
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.castlings, 20);
  EXPECT_GT(seen.promotions, 50);
}

TEST(ChessGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240608);
  Seen seen;
  play_from_sparse_boards<ChessGame>("chess", 500, 12, rng, seen);
  EXPECT_GT(seen.plies, 5000);
  EXPECT_GT(seen.checks, 200);
  EXPECT_GT(seen.en_passant, 40);
  EXPECT_GT(seen.castlings, 150);
  EXPECT_GT(seen.promotions, 500);
}

}  // namespace
}  // namespace faultline::test
