// Random games of shifting against the reference rules, and seen from the other side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/shifting.h"

namespace faultline::test {
namespace {

struct ShiftingGame {
  using Position = ShiftingPosition;
  static constexpr bool kOneKingEach = true;
  static reference::ShiftingState reference_state(const ShiftingVariant&, const std::string& fen) {
    return reference::ShiftingState(fen);
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const ShiftingVariant& v,
                                                              const Position& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
};

TEST(ShiftingGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240701);
  Seen seen;
  for (const std::string& name : option_sets<ShiftingPosition>())
    play_from_the_start<ShiftingGame>(name, 1, 80, rng, seen);
  EXPECT_GT(seen.plies, 1800);
  EXPECT_GT(seen.board_movements, 1500);
  EXPECT_GT(seen.castlings, 5);
}

TEST(ShiftingGames, AgreeWithTheSlowRulesWhereverTheGapsAre) {
  Random rng(20240702);
  Seen seen;
  play_from_sparse_boards<ShiftingGame>("shifting", 500, 12, rng, seen);
  EXPECT_GT(seen.plies, 5000);
  EXPECT_GT(seen.checks, 150);
  EXPECT_GT(seen.en_passant, 25);
  EXPECT_GT(seen.castlings, 75);
  EXPECT_GT(seen.promotions, 500);
  EXPECT_GT(seen.board_movements, 2000);
}

}  // namespace
}  // namespace faultline::test
