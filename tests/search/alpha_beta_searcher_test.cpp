// The alpha-beta searcher: limits, draws, and its promises in every family.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "search/searcher.h"
#include "tests/effort.h"
#include "tests/families.h"
#include "tests/search/mate_solver.h"

namespace faultline::test {
namespace {

using Chess = ChessPosition;

template <Position P>
SearchResult search(Searcher<P>& searcher, const PositionHistory<P>& history,
                    const SearchLimits& limits) {
  std::mt19937_64 rng(1);
  EvalBatch<P> batch;
  UniformEvaluator<P> unused;
  SearchResult result = run_search<P>(searcher, &unused, batch, history, limits, rng);
  EXPECT_TRUE(searcher.done());
  EXPECT_EQ(searcher.waiting(), 0U);
  return result;
}
template <Position P>
SearchResult search(const PositionHistory<P>& history, const SearchLimits& limits) {
  return search<P>(*make_alpha_beta_searcher<P>({.table_mb = 1}), history, limits);
}

PositionHistory<Chess> chess(const std::string& fen) {
  return PositionHistory<Chess>(Chess::from_fen({}, fen));
}
const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kMiddlegame =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

void play(PositionHistory<Chess>& history, const std::vector<std::string>& moves) {
  for (const std::string& text : moves)
    history.play(history.position().parse_move(text).value());
}
std::string best(const PositionHistory<Chess>& history, const SearchLimits& limits) {
  return history.position().move_text(search(history, limits).move);
}

/// The result's move and variation are legal, and its lists are those of the position.
template <Position P>
void expect_legal(const P& position, const SearchResult& result) {
  SCOPED_TRACE(position.fen());
  typename P::MoveList moves;
  position.legal_moves(moves);
  ASSERT_EQ(result.root_moves.size(), moves.size());
  ASSERT_EQ(result.policy.size(), moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    ASSERT_EQ(result.root_moves[i].move, moves[i]);
    ASSERT_EQ(result.policy[i], moves[i] == result.move ? 1U : 0U);
  }
  ASSERT_EQ(std::accumulate(result.policy.begin(), result.policy.end(), 0U), 1U);
  ASSERT_FALSE(result.variation.empty());
  ASSERT_EQ(result.variation.front(), result.move);
  P p = position;
  for (const Move move : result.variation) {
    p.legal_moves(moves);
    ASSERT_NE(std::ranges::find(moves, move), moves.end()) << p.fen();
    p.play(move);
  }
}

/// Positions that are not over, half of them sparse, half from random games.
template <Position P>
PositionHistory<P> some_game(Random& rng) {
  const auto names = option_sets<P>();
  const auto& v = variant<P>(names[rng() % names.size()]);
  while (true) {
    PositionHistory<P> history(by_chance(rng, 2) ? P::start(v) : sparse_position<P>(v, rng));
    for (int plies = below(rng, 40); plies > 0; --plies) {
      typename P::MoveList moves;
      history.position().legal_moves(moves);
      if (is_over(history.outcome(!moves.empty()))) break;
      history.play(random_move(moves, false, rng));
    }
    if (!is_over(history.outcome())) return history;
  }
}

TEST(AlphaBetaSearcher, TakesAQueenAndSavesOne) {
  EXPECT_EQ(best(chess("6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 w - - 0 1"), {.depth = 1}), "d2d5");
  const auto history = chess("r5k1/5ppp/8/4p3/3Q4/8/5PPP/6K1 w - - 0 1");
  const Move move = search(history, {.depth = 4}).move;
  Chess after = history.position();
  after.play(move);
  EXPECT_NE(history.position().move_text(move), "d4d8") << "the rook takes it there";
  EXPECT_FALSE(after.parse_move("e5d4"));
}

TEST(AlphaBetaSearcher, CompletesTheIterationsAskedFor) {
  for (const int depth : {1, 2, 5}) {
    const SearchResult result = search(chess(kMiddlegame), {.depth = depth});
    EXPECT_EQ(result.depth, depth);
    EXPECT_GE(result.selective_depth, depth);
    EXPECT_GT(result.nodes, 0U);
    EXPECT_GT(result.evaluations, 0U);
    EXPECT_FALSE(result.mate_plies);
  }
}

TEST(AlphaBetaSearcher, VisitsAsManyNodesAsAskedFor) {
  for (const std::uint64_t nodes : {2000U, 5001U, 40000U})
    EXPECT_EQ(search(chess(kMiddlegame), {.nodes = nodes}).nodes, nodes);
}

TEST(AlphaBetaSearcher, ComparesAllMovesHoweverFewNodesAreAllowed) {
  const auto history = chess("6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 w - - 0 1");
  const SearchResult result = search(history, {.nodes = 1});
  EXPECT_EQ(result.depth, 1);
  EXPECT_LE(result.nodes, 2 * history.position().count_legal_moves());
  EXPECT_EQ(history.position().move_text(result.move), "d2d5");
}

TEST(AlphaBetaSearcher, StopsAfterOneIterationIfTheFlagIsSetOrNoTimeIsLeft) {
  const std::atomic<bool> stop = true;
  EXPECT_EQ(search(chess(kMiddlegame), {.stop = &stop}).depth, 1);
  EXPECT_EQ(search(chess(kMiddlegame), {.time = std::chrono::steady_clock::duration::zero()}).depth,
            1);
}

TEST(AlphaBetaSearcher, SearchesUntilItIsStopped) {
  std::atomic<bool> stop = false;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  const SearchResult result = search(chess(kMiddlegame), {.stop = &stop});
  EXPECT_TRUE(stop);
  EXPECT_NE(result.move, Move::none());
  EXPECT_GT(result.seconds, 0);
}

TEST(AlphaBetaSearcher, EndsByItselfWhereNothingIsLeftToSearch) {
  const SearchResult result = search(chess("7k/8/8/8/8/8/8/KB6 w - - 98 80"), {});
  EXPECT_GT(result.depth, 2);
  EXPECT_EQ(result.selective_depth, 2) << "every line is drawn by the fifty-move rule";
  EXPECT_EQ(result.value.draw, result.root_moves.front().draw);
}

TEST(AlphaBetaSearcher, SearchesOnlyTheRequestedMoves) {
  auto history = chess("6k1/5ppp/8/3q4/8/8/3R1PPP/6K1 w - - 0 1");
  const Chess& position = history.position();
  const std::vector<Move> asked = {*position.parse_move("g1f1"), *position.parse_move("d2d5")};
  EXPECT_EQ(best(history, {.depth = 3, .search_moves = asked}), "d2d5");
  const std::vector<Move> worse = {*position.parse_move("g1f1"), *position.parse_move("h2h3")};
  const SearchResult result = search(history, {.depth = 3, .search_moves = worse});
  EXPECT_NE(position.move_text(result.move), "d2d5");
  for (const RootMove& move : result.root_moves)
    EXPECT_EQ(move.visits > 0, std::ranges::find(worse, move.move) != worse.end());
  EXPECT_LT(result.value.value(), 0);
}

TEST(AlphaBetaSearcher, ProvesTheMateOfTheRequestedMovesAlone) {
  const auto history = chess("7k/5K2/8/6Q1/8/8/8/6r1 b - - 0 1");
  const SearchLimits limits = {.depth = 4,
                               .search_moves = {*history.position().parse_move("h8h7")}};
  const SearchResult result = search(history, limits);
  EXPECT_EQ(result.value.loss, 1);
  EXPECT_EQ(result.mate_plies, -2);
  const SearchResult free = search(history, {.depth = 4});
  EXPECT_EQ(history.position().move_text(free.move), "g1g5");
  EXPECT_EQ(free.mate_plies, std::nullopt);
}

TEST(AlphaBetaSearcher, CountsARepetitionAsADraw) {
  auto history = chess("k7/8/8/8/8/8/8/K2Q4 w - - 0 1");
  for (int i = 0; i < 2; ++i)
    play(history, {"d1d2", "a8b8", "d2d1", "b8a8"});
  // d1d2 would now bring about its position for the third time.
  const Move repeating = *history.position().parse_move("d1d2");
  const SearchResult result = search(history, {.depth = 5, .search_moves = {repeating}});
  EXPECT_EQ(result.value.value(), 0);
  const SearchResult free = search(history, {.depth = 5});
  EXPECT_NE(free.move, repeating);
  EXPECT_GT(free.value.value(), 0.9F);
}

TEST(AlphaBetaSearcher, TakesADrawByPerpetualCheckWhenItIsLosing) {
  const auto history = chess("6k1/5p1p/6p1/8/8/5q2/5P1P/QR3RK1 b - - 0 1");
  const SearchResult result = search(history, {.depth = 8});
  EXPECT_EQ(history.position().move_text(result.move), "f3g4");
  EXPECT_EQ(result.value.value(), 0);
}

TEST(AlphaBetaSearcher, AvoidsTheFiftyMoveRuleWhenItIsWinning) {
  const auto history = chess("7k/8/8/8/8/8/P7/KQ6 w - - 99 80");
  const std::string move = best(history, {.depth = 4});
  EXPECT_EQ(move.substr(0, 2), "a2");
}

TEST(AlphaBetaSearcher, MatesOnTheHundredthPly) {
  const SearchResult result = search(chess("6k1/5ppp/8/8/8/8/8/KR6 w - - 99 80"), {.depth = 3});
  EXPECT_EQ(result.mate_plies, 1);
  EXPECT_EQ(result.value.win, 1);
}

TEST(AlphaBetaSearcher, ReusesItsTableWithinAGameOnly) {
  auto searcher = make_alpha_beta_searcher<Chess>({.table_mb = 1});
  auto history = chess(kStart);
  const SearchResult first = search<Chess>(*searcher, history, {.depth = 8});
  history.play(first.variation.at(0));
  history.play(first.variation.at(1));
  const auto nodes = [&](const PositionHistory<Chess>& of) {
    return search<Chess>(*searcher, of, {.depth = 4}).nodes;
  };
  const std::uint64_t continued = nodes(history);
  const PositionHistory<Chess> afresh(history.position());
  const std::uint64_t fresh = nodes(afresh);
  EXPECT_LT(continued, fresh);
  EXPECT_EQ(nodes(afresh), fresh) << "the same position again is a new game";
  EXPECT_GE(searcher->memory_bytes(), 1U << 20);
}

TEST(AlphaBetaSearcher, IsStrongerWithItsFeatures) {
  // Fewer nodes for the same depth is what reductions and pruning are for.
  const auto nodes = [](const AlphaBetaParams& params) {
    auto searcher = make_alpha_beta_searcher<Chess>(params);
    return search<Chess>(*searcher, chess(kMiddlegame), {.depth = 7}).nodes;
  };
  const std::uint64_t all = nodes({});
  EXPECT_LT(all, nodes({.late_move_reductions = false}));
  EXPECT_LT(all, nodes({.shallow_pruning = false}));
}

template <class P>
class AlphaBetaInEveryFamily : public testing::Test {};
TYPED_TEST_SUITE(AlphaBetaInEveryFamily, EveryFamily);

/// FAULTLINE_SOAK sets the number of searches in each family.
TYPED_TEST(AlphaBetaInEveryFamily, ReturnsLegalMovesOnly) {
  using P = TypeParam;
  const char* const wish = std::getenv("FAULTLINE_SOAK");
  const long count = wish != nullptr ? std::strtol(wish, nullptr, 10) : 300;
  Random rng(20250101);
  auto searcher = make_alpha_beta_searcher<P>({.table_mb = 1});
  for (long i = 0; i < count; ++i) {
    const auto history = some_game<P>(rng);
    const auto nodes = static_cast<std::uint64_t>(below(rng, 300) + 1);
    const int depth = below(rng, 5);
    expect_legal(history.position(),
                 search<P>(*searcher, history, {.nodes = nodes, .depth = depth}));
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(AlphaBetaInEveryFamily, IsDeterministicForADepthAndForANumberOfNodes) {
  using P = TypeParam;
  Random rng(20250102);
  auto used = make_alpha_beta_searcher<P>({.table_mb = 1});
  for (int i = 0; i < 6; ++i) {
    const auto history = some_game<P>(rng);
    for (const SearchLimits& limits : {SearchLimits{.depth = 3}, SearchLimits{.nodes = 4000}}) {
      const SearchResult fresh = search<P>(history, limits);
      const SearchResult again = search<P>(*used, history, limits);
      EXPECT_EQ(fresh.nodes, again.nodes) << "earlier games must not matter";
      EXPECT_EQ(fresh.variation, again.variation);
      EXPECT_EQ(fresh.value.win, again.value.win);
      EXPECT_EQ(fresh.depth, again.depth);
    }
  }
}

TYPED_TEST(AlphaBetaInEveryFamily, ReportsOnlyMatesThatExist) {
  using P = TypeParam;
  Random rng(20250103);
  auto searcher = make_alpha_beta_searcher<P>({.table_mb = 1});
  int mates = 0;
  int mated = 0;
  for (int i = 0; i < effort(400); ++i) {
    const auto& v = variant<P>(option_sets<P>()[rng() % option_sets<P>().size()]);
    const P position = sparse_position<P>(v, rng);
    if (is_over(position.outcome(position.count_legal_moves() > 0))) continue;
    const SearchResult result = search<P>(*searcher, PositionHistory<P>(position), {.nodes = 3000});
    if (!result.mate_plies) continue;
    const int plies = *result.mate_plies;
    SCOPED_TRACE(v.canonical_name() + " " + position.fen());
    EXPECT_LE(result.variation.size(), static_cast<std::size_t>(std::abs(plies)));
    try {
      MateSolver solver(30000);
      if (plies > 0 && plies <= 5) {
        EXPECT_TRUE(solver.mates_within(position, plies)) << plies;
        ++mates;
      } else if (plies < 0 && plies >= -4) {
        EXPECT_TRUE(solver.is_mated_within(position, -plies)) << plies;
        ++mated;
      }
    } catch (const MateSolver::BudgetSpent&) {
    }
  }
  EXPECT_GE(mates, effort(8) / 2);
  EXPECT_GE(mated, effort(2));
}

TYPED_TEST(AlphaBetaInEveryFamily, FindsTheShortestMates) {
  using P = TypeParam;
  Random rng(20250104);
  auto searcher = make_alpha_beta_searcher<P>({.table_mb = 1});
  constexpr int kMates = 12;
  int found = 0;
  for (int i = 0; i < 2000 && found < kMates; ++i) {
    const auto& v = variant<P>(option_sets<P>()[rng() % option_sets<P>().size()]);
    const P position = sparse_position<P>(v, rng);
    // With few moves, so that a search as deep as that is short.
    if (position.halfmove_clock() > 80 || position.count_legal_moves() > 50 ||
        is_over(position.outcome(position.count_legal_moves() > 0)))
      continue;
    SCOPED_TRACE(v.canonical_name() + " " + position.fen());
    try {
      MateSolver solver(20000);
      const int plies = solver.mates_within(position, 1)   ? 1
                        : solver.mates_within(position, 3) ? 3
                                                           : 0;
      if (plies == 0) continue;
      ++found;
      EXPECT_EQ(search<P>(*searcher, PositionHistory<P>(position), {.depth = 8}).mate_plies, plies);
    } catch (const MateSolver::BudgetSpent&) {
    }
  }
  EXPECT_EQ(found, kMates);
}

}  // namespace
}  // namespace faultline::test
