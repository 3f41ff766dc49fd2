// Mates in one to four in every family: that they are what the table says, and that the
// alpha-beta search finds them.
#include "tests/search/mates.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "search/searcher.h"
#include "tests/families.h"
#include "tests/search/mate_solver.h"

namespace faultline::test {
namespace {

/// Calls `f(position, plies)` for the table's positions of a family.
template <Position P, class F>
void for_each_mate(F&& f) {
  for (const MatePosition& mate : kMatePositions) {
    const VariantName name = parse_variant_name(mate.variant);
    if (name.family != P::info().name) continue;
    SCOPED_TRACE(std::string(mate.variant) + " " + std::string(mate.fen));
    f(P::from_fen(P::variant(name), mate.fen), mate.plies);
  }
}

template <class P>
class MatesInEveryFamily : public testing::Test {};
TYPED_TEST_SUITE(MatesInEveryFamily, EveryFamily);

TYPED_TEST(MatesInEveryFamily, AreThereInOneToFourMoves) {
  std::map<int, int> found;
  for_each_mate<TypeParam>([&](const TypeParam&, int plies) { ++found[plies]; });
  for (const int plies : {1, 3, 5, 7})
    EXPECT_GE(found[plies], 2) << plies;
}

TYPED_TEST(MatesInEveryFamily, AreProvenByTryingEveryMove) {
  for_each_mate<TypeParam>([](const TypeParam& position, int plies) {
    EXPECT_TRUE(MateSolver().mates_within(position, plies));
    EXPECT_FALSE(MateSolver().mates_within(position, plies - 2)) << "there is a shorter one";
  });
}

TYPED_TEST(MatesInEveryFamily, AreFoundByTheAlphaBetaSearch) {
  using P = TypeParam;
  auto searcher = make_alpha_beta_searcher<P>({.table_mb = 1});
  UniformEvaluator<P> unused;
  EvalBatch<P> batch;
  Random rng(1);
  for_each_mate<P>([&](const P& position, int plies) {
    const SearchResult result = run_search<P>(
        *searcher, &unused, batch, PositionHistory<P>(position), {.depth = plies + 5}, rng);
    EXPECT_EQ(result.mate_plies, plies);
    EXPECT_EQ(result.value.win, 1);
    EXPECT_EQ(result.value.moves_left, static_cast<float>(plies));
    EXPECT_EQ(result.variation.size(), static_cast<std::size_t>(plies));
    P after = position;
    for (const Move move : result.variation)
      after.play(move);
    EXPECT_EQ(after.outcome(after.count_legal_moves() > 0), win_for(position.side_to_move()));
    // The best reply to the first move is mated two plies sooner.
    if (plies == 1) return;
    P reply = position;
    reply.play(result.move);
    const SearchResult mated = run_search<P>(*searcher, &unused, batch, PositionHistory<P>(reply),
                                             {.depth = plies + 5}, rng);
    EXPECT_EQ(mated.mate_plies, 1 - plies);
    EXPECT_EQ(mated.value.loss, 1);
  });
}

}  // namespace
}  // namespace faultline::test
