// Searches that go by proofs of wins and losses (SearchParams::solver), in every family.
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/search.h"
#include "search/searcher.h"
#include "tests/effort.h"
#include "tests/families.h"
#include "tests/family_traits.h"
#include "tests/search/mate_solver.h"
#include "tests/search/run_visits.h"

namespace faultline {
namespace {

SearchParams with_solver() {
  SearchParams params;
  params.solver = true;
  return params;
}

template <class P>
class SolverOf : public testing::Test {};
TYPED_TEST_SUITE(SolverOf, test::EveryFamily);

/// Calls `look(position, result)` with searches of sparse positions until it returns true.
template <Position P, class Look>
void search_sparse_positions(const SearchParams& params, const SearchLimits& limits, Look&& look) {
  test::Random rng(5);
  std::mt19937_64 search_rng(1);
  const typename P::Variant& variant = P::variant({P::info().name, {}});
  HashEvaluator<P> evaluator;
  EvalBatch<P> batch;
  const auto searcher = make_puct_searcher<P>(params);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    const PositionHistory<P> history(test::sparse_position<P>(variant, rng));
    if (is_over(history.outcome())) continue;
    const SearchResult result =
        run_search<P>(*searcher, &evaluator, batch, history, limits, search_rng);
    if (look(history.position(), result)) return;
  }
  FAIL() << "too few positions were found that test anything";
}

TYPED_TEST(SolverOf, ClaimsOnlyMatesThatAreForced) {
  using P = TypeParam;
  int wins = 0, longer_wins = 0, losses = 0;
  search_sparse_positions<P>(
      with_solver(), {.visits = 800}, [&](const P& position, const SearchResult& result) {
        if (!result.mate_plies) return false;
        const int mate = *result.mate_plies;
        EXPECT_FLOAT_EQ(result.value.value(), mate > 0 ? 1.0F : -1.0F);
        EXPECT_FLOAT_EQ(result.value.moves_left, static_cast<float>(std::abs(mate)));
        EXPECT_TRUE(mate < 0 || result.visits < 800U) << "nothing was left to find out";
        if (std::abs(mate) > 4) return false;
        P next = position;
        next.play(result.move);
        test::MateSolver solver;
        EXPECT_TRUE(mate > 0 ? solver.is_mated_within(next, mate - 1)
                             : solver.is_mated_within(position, -mate))
            << position.fen() << " " << position.move_text(result.move) << " " << mate;
        ++(mate > 0 ? wins : losses);
        if (mate > 1) ++longer_wins;
        return wins >= test::effort(20) && longer_wins >= test::effort(5) &&
               losses >= test::effort(3);
      });
}

TYPED_TEST(SolverOf, TeachesNoMovesThatThrowTheResultAway) {
  using P = TypeParam;
  for (const bool gumbel : {false, true}) {
    SearchParams params = with_solver();
    params.gumbel.enabled = gumbel;
    int wins = 0, losing_moves = 0;
    search_sparse_positions<P>(
        params, {.visits = 300, .root_noise = gumbel}, [&](const P&, const SearchResult& result) {
          bool any = false;
          for (std::size_t i = 0; i < result.policy.size(); ++i) {
            const RootMove& move = result.root_moves[i];
            any = any || result.policy[i] > 0;
            if (result.policy[i] == 0) {
              losing_moves += move.loses() && move.visits > 0 ? 1 : 0;
              continue;
            }
            const int mate = result.mate_plies.value_or(0);
            EXPECT_TRUE(mate < 0 || !move.loses());
            EXPECT_TRUE(mate <= 0 || move.wins());
          }
          EXPECT_TRUE(any);
          if (result.mate_plies.value_or(0) > 0) ++wins;
          return wins >= test::effort(10) && losing_moves >= test::effort(10);
        });
  }
}

TYPED_TEST(SolverOf, SelectsNoMoveThatIsProvenToLose) {
  using P = TypeParam;
  test::Random rng(7);
  const typename P::Variant& variant = P::variant({P::info().name, {}});
  HashEvaluator<P> evaluator;
  constexpr int kLosing = test::effort(20);
  int losing = 0;
  for (int i = 0; i < 3000 && losing < kLosing; ++i) {
    const PositionHistory<P> history(test::sparse_position<P>(variant, rng));
    if (is_over(history.outcome())) continue;
    Search<P> search(with_solver(), history);
    test::run_visits(search, evaluator, 300);
    if (search.is_solved()) continue;
    const std::vector<RootMove> before = search.root_moves();
    test::run_visits(search, evaluator, 600);
    const std::vector<RootMove> after = search.root_moves();
    for (std::size_t move = 0; move < before.size(); ++move) {
      if (!before[move].loses()) continue;
      if (search.is_solved()) continue;  // all moves were found to lose
      EXPECT_EQ(before[move].visits, after[move].visits) << history.position().fen();
      EXPECT_EQ(after[move].value, -1);
      ++losing;
    }
  }
  EXPECT_GE(losing, kLosing);
}

TEST(Solver, IsOffByDefault) {
  EXPECT_FALSE(SearchParams{}.solver);
  // Mate in one: a search without proofs makes all its visits.
  std::mt19937_64 rng(1);
  HashEvaluator<ChessPosition> evaluator;
  EvalBatch<ChessPosition> batch;
  const PositionHistory<ChessPosition> history(
      ChessPosition::from_fen({}, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
  const auto searcher = make_puct_searcher<ChessPosition>(SearchParams{});
  const SearchResult result =
      run_search<ChessPosition>(*searcher, &evaluator, batch, history, {.visits = 2000}, rng);
  EXPECT_EQ(result.visits, 2000U);
  const auto solving = make_puct_searcher<ChessPosition>(with_solver());
  const SearchResult solved =
      run_search<ChessPosition>(*solving, &evaluator, batch, history, {.visits = 2000}, rng);
  EXPECT_EQ(solved.mate_plies, 1);
  EXPECT_LT(solved.visits, 2000U);
}

}  // namespace
}  // namespace faultline
