// Search on positions whose best move is known, with a trivial evaluator.
#include "search/search.h"

#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "tests/search/run_visits.h"

namespace faultline {
namespace {

using test::run_visits;

template <class P>
PositionHistory<P> history_of(const std::string& fen, const std::vector<std::string>& moves = {}) {
  PositionHistory<P> history(P::from_fen({}, fen));
  for (const auto& text : moves) {
    const auto move = history.position().parse_move(text);
    EXPECT_TRUE(move) << text;
    history.play(*move);
  }
  return history;
}

template <class P>
std::string searched(const PositionHistory<P>& history, std::uint32_t visits,
                     std::size_t leaves = 1) {
  Search<P> search(SearchParams{}, history);
  UniformEvaluator<P> uniform;
  run_visits(search, uniform, visits, leaves);
  EXPECT_FALSE(search.has_pending());
  return history.position().move_text(search.best_move());
}

/// Evaluates by material, so that searches have a goal.
template <class P>
class MaterialEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    UniformEvaluator<P> uniform;
    uniform.evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const P& p = batch.position(i);
      const Colour us = p.side_to_move();
      constexpr std::array kWorth = {1.0F, 3.0F, 3.0F, 5.0F, 9.0F};
      float lead = 0;
      for (std::size_t t = 0; t < kWorth.size(); ++t)
        lead += kWorth[t] * static_cast<float>(count(p.pieces(us, static_cast<PieceType>(t))) -
                                               count(p.pieces(~us, static_cast<PieceType>(t))));
      const float value = std::tanh(lead / 6);
      batch.evaluation(i) = {
          .win = (1 + value) / 2, .draw = 0, .loss = (1 - value) / 2, .moves_left = 40};
    }
  }
  void wait(EvalBatch<P>&) override {}
};

template <class P>
std::string searched_by_material(const PositionHistory<P>& history, std::uint32_t visits) {
  Search<P> search(SearchParams{}, history);
  MaterialEvaluator<P> material;
  run_visits(search, material, visits);
  return history.position().move_text(search.best_move());
}

TEST(Search, FindsMateInOne) {
  EXPECT_EQ(searched(history_of<ChessPosition>("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), 200), "a1a8");
  EXPECT_EQ(searched(history_of<ChessPosition>("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1"), 200), "a8a1");
}

TEST(Search, FindsMateInTwo) {
  // 1 Ra6 bxa6 2 b7#, a zugzwang (Morphy).
  EXPECT_EQ(searched(history_of<ChessPosition>("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), 4000), "a1a6");
}

TEST(Search, FindsMateInOneOnTheStaircases) {
  const auto history = history_of<EscherPosition>("6k1/R7/6K1/8/8/8/8/8 w - - 0 1");
  EscherPosition::MoveList moves;
  history.position().legal_moves(moves);
  std::vector<std::string> mates;
  for (const Move m : moves) {
    EscherPosition next = history.position();
    next.play(m);
    if (next.count_legal_moves() == 0 && next.in_check())
      mates.push_back(history.position().move_text(m));
  }
  ASSERT_FALSE(mates.empty());
  const std::string best = searched(history, 2000);
  EXPECT_NE(std::find(mates.begin(), mates.end(), best), mates.end()) << best;
}

TEST(Search, ValuesAForcedMateAsWon) {
  Search<ChessPosition> search(SearchParams{},
                               history_of<ChessPosition>("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
  UniformEvaluator<ChessPosition> uniform;
  run_visits(search, uniform, 2000);
  EXPECT_GT(search.root_evaluation().win, 0.8F);
  EXPECT_NEAR(
      search.root_evaluation().win + search.root_evaluation().draw + search.root_evaluation().loss,
      1.0F, 1e-4F);
}

TEST(Search, AvoidsStalematingAWonGame) {
  const auto history = history_of<ChessPosition>("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1");
  ChessPosition next = history.position();
  next.play(*next.parse_move(searched_by_material(history, 2000)));
  EXPECT_NE(next.outcome(next.count_legal_moves() > 0), Outcome::Stalemate);
}

TEST(Search, TakesADrawByRepetitionWhenLosing) {
  // White, far behind, has checked from d8 and f6 in turn; continuing repeats the position,
  // anything else loses.
  const auto history = history_of<ChessPosition>("6k1/5p1p/5Qp1/8/8/qq6/1r6/7K w - - 0 1",
                                                 {"f6d8", "g8g7", "d8f6", "g7g8", "f6d8", "g8g7"});
  EXPECT_EQ(searched_by_material(history, 3000), "d8f6");
}

TEST(Search, AvoidsADrawByRepetitionWhenWinning) {
  const auto history = history_of<ChessPosition>("7k/8/8/8/8/8/1R6/K7 w - - 0 1",
                                                 {"b2c2", "h8g8", "c2b2", "g8h8", "b2c2", "h8g8"});
  const std::string best = searched_by_material(history, 2000);
  EXPECT_NE(best, "c2b2") << "it allows the third occurrence";
}

TEST(Search, ScoresARepetitionInsideTheTreeAsADraw) {
  // Two passes repeat an escher position immediately: it must not be searched as if it were new.
  const auto history = history_of<EscherPosition>("1r4k1/8/8/8/8/R7/8/6K1 w - - 0 1");
  SearchParams params;
  Search<EscherPosition> search(params, history);
  UniformEvaluator<EscherPosition> uniform;
  run_visits(search, uniform, 4000);
  params.two_fold_draws = false;
  Search<EscherPosition> strict(params, history);
  run_visits(strict, uniform, 4000);
  EXPECT_LT(search.node_count(), strict.node_count());
}

TEST(Search, DoesNotPlayAPieceThatIsStuck) {
  // The queen on c3 would win the rook on h8, but b3 and c4 would collide on c3.
  const auto stuck = history_of<EscherPosition>("k6r/8/8/8/2P5/1PQ5/8/6K1 w - - 0 1");
  EXPECT_NE(searched_by_material(stuck, 1000).substr(0, 2), "c3");
  const auto free = history_of<EscherPosition>("k6r/8/8/8/8/1PQ5/8/6K1 w - - 0 1");
  EXPECT_EQ(searched_by_material(free, 1000), "c3h8");
}

TEST(Search, PassesWhereMovingWouldLoseMore) {
  // Black's king may go to c7, or step back to c8, from where row 8 carries it to d8 again: a pass.
  const auto history = history_of<EscherPosition>("3k4/3N4/4K3/8/8/P1P5/8/2P5 b - - 4 68");
  ASSERT_EQ(history.position().count_legal_moves(), 2U);
  EXPECT_EQ(searched_by_material(history, 600), "d8c8");
  EscherPosition next = history.position();
  next.play(*next.parse_move("d8c8"));
  EXPECT_EQ(next.fen(), "3k4/3N4/4K3/8/8/P1P5/8/2P5 w - - 5 69");
}

TEST(Search, MakesExactlyTheRequestedVisits) {
  for (const std::size_t leaves : {1U, 4U, 16U}) {
    Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
    UniformEvaluator<ChessPosition> uniform;
    run_visits(search, uniform, 500, leaves);
    EXPECT_EQ(search.root_visits(), 500U) << leaves;
    const auto moves = search.root_moves();
    EXPECT_EQ(std::accumulate(moves.begin(), moves.end(), 0U,
                              [](unsigned n, const RootMove& m) { return n + m.visits; }),
              499U)
        << "all but the root's own";
    EXPECT_EQ(moves.size(), 20U);
  }
}

TEST(Search, GathersSeveralDifferentLeavesFromOneTree) {
  Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
  UniformEvaluator<ChessPosition> uniform;
  run_visits(search, uniform, 1);
  EvalBatch<ChessPosition> batch;
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(search.gather(batch), Search<ChessPosition>::Gathered::Leaf);
  std::set<std::uint64_t> keys;
  for (std::size_t i = 0; i < batch.size(); ++i)
    keys.insert(batch.position(i).key());
  EXPECT_EQ(keys.size(), 8U) << "virtual loss sends each descent elsewhere";
  uniform.evaluate(batch);
  search.apply(batch);
  EXPECT_EQ(search.root_visits(), 9U);
}

TEST(Search, AddsNoLeafWhileEveryPathWaits) {
  Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
  EvalBatch<ChessPosition> batch;
  EXPECT_EQ(search.gather(batch), Search<ChessPosition>::Gathered::Leaf);
  EXPECT_EQ(search.gather(batch), Search<ChessPosition>::Gathered::Nothing);
  EXPECT_EQ(batch.size(), 1U);
}

TEST(Search, KeepsTheSubtreeOfTheMovePlayed) {
  Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
  MaterialEvaluator<ChessPosition> material;
  run_visits(search, material, 2000);
  const Move best = search.best_move();
  const auto before = search.root_moves();
  const auto it =
      std::find_if(before.begin(), before.end(), [&](const RootMove& m) { return m.move == best; });
  const float value = it->value;
  search.advance(best);
  EXPECT_EQ(search.root_visits(), it->visits);
  EXPECT_NEAR(search.root_evaluation().value(), -value, 1e-4F);
  EXPECT_EQ(search.history().plies(), 1);
  run_visits(search, material, search.root_visits() + 100);
  EXPECT_EQ(search.root_visits(), it->visits + 100);
}

TEST(Search, StartsAfreshAfterAnUnvisitedMove) {
  Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
  UniformEvaluator<ChessPosition> uniform;
  run_visits(search, uniform, 1);
  search.advance(*search.history().position().parse_move("a2a4"));
  EXPECT_EQ(search.root_visits(), 0U);
  run_visits(search, uniform, 50);
  EXPECT_EQ(search.root_visits(), 50U);
}

/// Plays a game on one tree; calls `check(search, visits)` after each move, `visits` being those of
/// the move's child before it was played.
template <class P, class Check>
int play_on_one_tree(const SearchParams& params, std::uint32_t visits, int plies, Check&& check) {
  HashEvaluator<P> evaluator;
  Search<P> search(params, PositionHistory<P>(P::start({})));
  std::mt19937_64 rng(5);
  for (int ply = 0; ply < plies; ++ply) {
    run_visits(search, evaluator, search.root_visits() + visits, 1);
    const auto moves = search.root_moves();
    // Mostly the best move, whose subtree is large; occasionally any.
    const RootMove& played = rng() % 4 == 0
                                 ? moves[rng() % moves.size()]
                                 : *std::ranges::max_element(moves, {}, &RootMove::visits);
    search.advance(played.move);
    if (is_over(search.history().outcome())) break;
    check(search, played.visits);
    if (testing::Test::HasFatalFailure()) break;
  }
  return search.history().plies();
}

TEST(Search, ReusedTreesMatchNewOnesThroughWholeGames) {
  // The search below a move does not depend on what is above it, if the special rules at the root
  // are off: a new search with as many visits gives bit-identical results.
  SearchParams params;
  params.fpu_root = params.fpu_reduction;
  params.two_fold_draws = false;
  std::uint64_t compared = 0;
  const int plies = play_on_one_tree<EscherPosition>(
      params, 150, 60, [&](const Search<EscherPosition>& kept, std::uint32_t visits) {
        ASSERT_EQ(kept.root_visits(), visits);
        Search<EscherPosition> fresh(params, kept.history());
        HashEvaluator<EscherPosition> evaluator;
        run_visits(fresh, evaluator, kept.root_visits());
        ASSERT_EQ(fresh.root_evaluation().value(), kept.root_evaluation().value());
        if (visits == 0) return;
        const auto expected = fresh.root_moves();
        const auto found = kept.root_moves();
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_EQ(found[i].move, expected[i].move);
          ASSERT_EQ(found[i].visits, expected[i].visits);
          ASSERT_EQ(found[i].prior, expected[i].prior);
          ASSERT_EQ(found[i].value, expected[i].value);
          ASSERT_EQ(found[i].draw, expected[i].draw);
        }
        compared += kept.root_visits();
      });
  EXPECT_GT(plies, 20);
  EXPECT_GT(compared, 1000U);
}

TEST(Search, TwofoldDrawsThatNoLongerCountAreSubtractedFromTheirAncestors) {
  // Two passes repeat a position of escher inside the tree. Once the first of them is played, the
  // repetition may no longer be a draw: neither its visits nor its value may stay in the sums.
  std::uint32_t taken_back = 0;
  play_on_one_tree<EscherPosition>(
      {}, 3000, 12, [&](const Search<EscherPosition>& kept, std::uint32_t visits) {
        ASSERT_LE(kept.root_visits(), visits);
        taken_back += visits - kept.root_visits();
        if (kept.root_visits() == 0) return;
        std::uint32_t below = 0;
        double draws = 0, value = 0;
        for (const RootMove& move : kept.root_moves()) {
          below += move.visits;
          draws += move.visits * static_cast<double>(move.draw);
          value += move.visits * static_cast<double>(move.value);
        }
        ASSERT_EQ(below + 1, kept.root_visits()) << "the root's own evaluation is one visit";
        // The root itself contributes a probability and a value from HashEvaluator.
        const Evaluation root = kept.root_evaluation();
        const double own_draw = static_cast<double>(root.draw) * kept.root_visits() - draws;
        const double own_value = static_cast<double>(root.value()) * kept.root_visits() - value;
        const double rounding = 1e-4 * visits;
        ASSERT_GT(own_draw, -rounding);
        ASSERT_LT(own_draw, 0.5 + rounding);
        ASSERT_LT(std::abs(own_value), 1 + rounding);
      });
  EXPECT_GT(taken_back, 0U) << "no twofold repetition occurred: the test is void";
}

TEST(Search, NoiseAndBatchedLeavesKeepPriorsAndVisitsConsistentThroughWholeGames) {
  std::mt19937_64 rng(5);
  UniformEvaluator<EscherPosition> uniform;
  Search<EscherPosition> search(SearchParams{}, PositionHistory(EscherPosition::start({})));
  for (int ply = 0; ply < 150; ++ply) {
    run_visits(search, uniform, search.root_visits() + 60, 3);
    search.add_root_noise(rng);
    run_visits(search, uniform, search.root_visits() + 60, 3);
    const auto moves = search.root_moves();
    ASSERT_EQ(moves.size(), search.history().position().count_legal_moves());
    float priors = 0;
    std::vector<std::uint32_t> visits;
    for (const RootMove& m : moves) {
      priors += m.prior;
      visits.push_back(m.visits);
    }
    ASSERT_NEAR(priors, 1.0F, 0.01F);
    search.advance(moves[pick_index(visits, 1.0F, rng).value()].move);
    if (is_over(search.history().outcome())) break;
  }
  EXPECT_GT(search.history().plies(), 20);
}

TEST(Search, RootNoiseSpreadsVisits) {
  SearchParams params;
  params.dirichlet_weight = 0.9F;
  params.dirichlet_alpha = 0.05F;
  const auto most_visited = [&](std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    Search<ChessPosition> search(params, PositionHistory(ChessPosition::start({})));
    UniformEvaluator<ChessPosition> uniform;
    run_visits(search, uniform, 1);
    search.add_root_noise(rng);
    run_visits(search, uniform, 200);
    return search.best_move().bits();
  };
  std::set<std::uint32_t> favourites;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    favourites.insert(most_visited(seed));
  EXPECT_GT(favourites.size(), 3U);
  EXPECT_EQ(most_visited(4), most_visited(4)) << "the same seed gives the same search";
}

std::size_t visited_root_moves(const SearchParams& params, std::uint32_t visits,
                               bool explores = true) {
  Search<ChessPosition> search(params, PositionHistory(ChessPosition::start({})));
  search.explore_root(explores);
  HashEvaluator<ChessPosition> evaluator;
  run_visits(search, evaluator, visits);
  const auto moves = search.root_moves();
  return static_cast<std::size_t>(
      std::ranges::count_if(moves, [](const RootMove& m) { return m.visits > 0; }));
}

TEST(Search, FpuAtTheRootDecidesHowManyRootMovesAreTried) {
  SearchParams params;
  params.fpu_root = 2;
  const std::size_t few = visited_root_moves(params, 40);
  params.fpu_root = 0;
  const std::size_t many = visited_root_moves(params, 40);
  EXPECT_LT(few, many);
  params.fpu_reduction = 2;
  EXPECT_EQ(visited_root_moves(params, 40, /*explores=*/false), few)
      << "searches that do not explore treat the root like other nodes";
}

TEST(Search, FpuReductionBelowTheRootSearchesDeeper) {
  const auto depth = [](float reduction) {
    SearchParams params;
    params.fpu_reduction = reduction;
    Search<ChessPosition> search(params, PositionHistory(ChessPosition::start({})));
    HashEvaluator<ChessPosition> evaluator;
    run_visits(search, evaluator, 1500);
    return search.principal_variation(search.best_move(), 50).size();
  };
  EXPECT_GT(depth(1.5F), depth(0));
}

TEST(Search, MoreVirtualLossSpreadsBatchedLeaves) {
  const auto spread = [](int virtual_loss) {
    SearchParams params;
    params.virtual_loss = virtual_loss;
    Search<ChessPosition> search(params, PositionHistory(ChessPosition::start({})));
    HashEvaluator<ChessPosition> evaluator;
    run_visits(search, evaluator, 200);
    const auto before = search.root_moves();
    EvalBatch<ChessPosition> batch;
    for (int i = 0; i < 16; ++i)
      search.gather(batch);
    EXPECT_GT(batch.size(), 1U);
    evaluator.evaluate(batch);
    search.apply(batch);
    const auto after = search.root_moves();
    std::size_t moves = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      moves += after[i].visits > before[i].visits ? 1 : 0;
    // No virtual losses remain: the search continues one leaf at a time.
    const std::uint32_t visits = search.root_visits();
    run_visits(search, evaluator, visits + 50);
    EXPECT_EQ(search.root_visits(), visits + 50);
    EXPECT_LE(std::abs(search.root_evaluation().value()), 1.0F);
    return moves;
  };
  EXPECT_GT(spread(20), spread(1));
}

TEST(Search, PolicyTemperatureSoftensPriors) {
  const auto priors = [](float temperature) {
    SearchParams params;
    params.policy_temperature = temperature;
    Search<ChessPosition> search(params, PositionHistory(ChessPosition::start({})));
    HashEvaluator<ChessPosition> evaluator;
    run_visits(search, evaluator, 1);
    std::vector<float> result;
    for (const RootMove& m : search.root_moves())
      result.push_back(m.prior);
    return result;
  };
  const auto plain = priors(1);
  const auto soft = priors(2);
  float total = 0;
  for (const float p : plain)
    total += std::sqrt(p);
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_NEAR(soft[i], std::sqrt(plain[i]) / total, 1e-3F);
  EXPECT_NE(plain, soft);
}

TEST(Search, MemoryStaysWithinItsBudgetPerVisit) {
  Search<ChessPosition> search(SearchParams{}, PositionHistory(ChessPosition::start({})));
  UniformEvaluator<ChessPosition> uniform;
  run_visits(search, uniform, 800);
  EXPECT_LE(search.memory_bytes() / 800, 200U);
}

}  // namespace
}  // namespace faultline
