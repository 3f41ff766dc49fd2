// Random games of inferno against the reference rules, and seen from the other side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/inferno.h"

namespace faultline::test {
namespace {

struct InfernoGame {
  using Position = InfernoPosition;
  static constexpr bool kOneKingEach = false;
  static reference::InfernoState reference_state(const InfernoVariant&, const std::string& fen) {
    return reference::InfernoState(fen);
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const InfernoVariant& v,
                                                              const Position& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
};

TEST(InfernoGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240703);
  Seen seen;
  for (const std::string& name : option_sets<InfernoPosition>()) {
    const int levels = variant<InfernoPosition>(name).levels;
    play_from_the_start<InfernoGame>(name, 3, levels == 1 ? 120 : 300 / (levels * levels), rng,
                                     seen);
  }
  EXPECT_GT(seen.plies, 700);
  EXPECT_GT(seen.castlings, 7);
}

TEST(InfernoGames, AgreeWithTheSlowRulesWhileLevelsAreWon) {
  Random rng(20240704);
  Seen seen;
  for (const std::string& name : option_sets<InfernoPosition>())
    play_from_sparse_boards<InfernoGame>(name, 80, 6, rng, seen);
  EXPECT_GT(seen.plies, 2000);
  EXPECT_GT(seen.checks, 150);
  EXPECT_GT(seen.en_passant, 10);
  EXPECT_GT(seen.castlings, 125);
  EXPECT_GT(seen.promotions, 500);
  EXPECT_GT(seen.levels_lost, 3000);
}

}  // namespace
}  // namespace faultline::test
