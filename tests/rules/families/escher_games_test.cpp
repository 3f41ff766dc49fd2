// Random games of escher against the reference rules, and seen from the other side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/escher.h"

namespace faultline::test {
namespace {

struct EscherGame {
  using Position = EscherPosition;
  static constexpr bool kOneKingEach = true;
  static reference::EscherState reference_state(const EscherVariant&, const std::string& fen) {
    return reference::EscherState(fen);
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const EscherVariant& v,
                                                              const Position& p) {
    return {seen_elsewhere(v, p, reference::half_turn, reference::half_turn_of_move)};
  }
};

TEST(EscherGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240609);
  Seen seen;
  play_from_the_start<EscherGame>("escher", 30, 120, rng, seen);
  EXPECT_GT(seen.plies, 2500);
  EXPECT_GT(seen.checks, 50);
  EXPECT_GT(seen.en_passant, 5);
}

TEST(EscherGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240610);
  Seen seen;
  play_from_sparse_boards<EscherGame>("escher", 500, 12, rng, seen);
  EXPECT_GT(seen.plies, 5000);
  EXPECT_GT(seen.checks, 200);
  EXPECT_GT(seen.en_passant, 20);
  EXPECT_GT(seen.promotions, 500);
}

}  // namespace
}  // namespace faultline::test
