// Perft's growth and the size of the tree.
#include "survey/complexity.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Complexity, CountsPerftAsFarAsItsNodesAllow) {
  // Gardner's perft: 7, 53, 506, 4775, 52512 (tests/vectors/gardner.jsonl).
  const Complexity complexity =
      complexity_of(find_game("gardner"), {.perft_nodes = 5000, .playouts = 0});
  EXPECT_EQ(complexity.perft, (std::vector<std::uint64_t>{7, 53, 506, 4775}));
  EXPECT_NEAR(complexity.growth, std::cbrt(4775.0 / 7), 1e-9);
  EXPECT_EQ(complexity.playouts, 0);
}

TEST(Complexity, CountsTheFirstPlyWhateverItsNodes) {
  const Complexity complexity =
      complexity_of(find_game("chess"), {.perft_nodes = 1, .playouts = 0});
  EXPECT_EQ(complexity.perft, (std::vector<std::uint64_t>{20}));
  EXPECT_EQ(complexity.growth, 20);
}

TEST(Complexity, OfGamesThatAreCutEarlyIsPerft) {
  // No gardner game ends within four plies: the products' mean estimates perft(4).
  const Complexity complexity =
      complexity_of(find_game("gardner"), {.perft_nodes = 1, .playouts = 4000, .max_plies = 4});
  EXPECT_NEAR(std::pow(10, complexity.tree_log10), 4775, 4775 * 0.03);
  EXPECT_EQ(complexity.random_plies.value, 4);
  EXPECT_EQ(complexity.cut, 4000);
  EXPECT_FALSE(complexity.random_decided.known) << "no game has ended";
}

TEST(Complexity, OfTheTypicalLengthIsPerftThoughGamesGoOn) {
  const Complexity complexity =
      complexity_of(find_game("gardner"),
                    {.perft_nodes = 1, .playouts = 4000, .max_plies = 12, .typical_plies = 3});
  EXPECT_NEAR(std::pow(10, complexity.typical_log10), 506, 506 * 0.03);
  EXPECT_GT(complexity.tree_log10, complexity.typical_log10 + 5);
}

TEST(Complexity, IsTheSameForTheSameSeed) {
  const ComplexityLimits limits{.perft_nodes = 1, .playouts = 20, .seed = 5};
  const Complexity a = complexity_of(find_game("gardner"), limits);
  const Complexity b = complexity_of(find_game("gardner"), limits);
  EXPECT_EQ(a.tree_log10, b.tree_log10);
  EXPECT_GT(a.tree_log10, 10);
  ComplexityLimits other = limits;
  other.seed = 6;
  EXPECT_NE(complexity_of(find_game("gardner"), other).tree_log10, a.tree_log10);
}

TEST(Complexity, StopsWhenAsked) {
  int asked = 0;
  const Complexity complexity =
      complexity_of(find_game("gardner"), {.playouts = 100}, [&] { return ++asked > 3; });
  EXPECT_EQ(complexity.perft.size(), 3U);
  EXPECT_EQ(complexity.playouts, 0);
}

TEST(KnuthLog10, IsTheLogarithmOfAMeanTooLargeForANumber) {
  EXPECT_NEAR(knuth_log10({1, 2, 3}), std::log10((10 + 100 + 1000) / 3.0), 1e-12);
  EXPECT_NEAR(knuth_log10({400, 400}), 400, 1e-12);
}

}  // namespace
}  // namespace faultline
