// Random games of Gardner's minichess against the reference rules, and seen from the other side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/gardner.h"

namespace faultline::test {
namespace {

struct GardnerGame {
  using Position = GardnerPosition;
  static constexpr bool kOneKingEach = true;
  static reference::GardnerState reference_state(const GardnerVariant&, const std::string& fen) {
    return reference::GardnerState(fen);
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const GardnerVariant& v,
                                                              const Position& p) {
    const auto mirrored_move = [](std::string text) {
      for (const std::size_t rank : {1, 3})
        text[rank] = static_cast<char>('1' + '5' - text[rank]);
      return text;
    };
    return {seen_elsewhere(v, p, reference::mirror_ranks, mirrored_move)};
  }
};

TEST(GardnerGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20241109);
  Seen seen;
  play_from_the_start<GardnerGame>("gardner", 60, 120, rng, seen);
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.checks, 100);
  EXPECT_GT(seen.promotions, 300);
}

TEST(GardnerGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20241110);
  Seen seen;
  play_from_sparse_boards<GardnerGame>("gardner", 500, 12, rng, seen);
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.checks, 200);
  EXPECT_GT(seen.promotions, 500);
}

}  // namespace
}  // namespace faultline::test
