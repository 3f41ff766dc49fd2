// Searches of a side that follows a strategy: what it does to priors, to moves that are left out,
// and to selection, and what it must leave alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/search.h"
#include "search/searcher.h"
#include "tests/families.h"
#include "tests/family_traits.h"
#include "tests/search/mate_solver.h"
#include "tests/search/run_visits.h"
#include "tests/strategy/strategies.h"

namespace faultline {
namespace {

using Chess = ChessPosition;
using Bias = std::shared_ptr<const MoveBias<Chess>>;

constexpr const char* kNoPawns = "[[rules]]\nwhen = { piece = 'pawn' }\nforbid = true\n";

/// Everything that a search needs.
struct Bench {
  Bias bias = {};
  SearchParams params = {};
  std::shared_ptr<Evaluator<Chess>> evaluator = std::make_shared<HashEvaluator<Chess>>();
  PositionHistory<Chess> history = PositionHistory<Chess>(Chess::start({}));
  bool alpha_beta = false;
  int threads = 1;
  std::unique_ptr<Searcher<Chess>> searcher =
      alpha_beta
          ? make_alpha_beta_searcher<Chess>({.threads = threads, .table_mb = 1}, false, {}, bias)
      : bias ? make_biased_puct_searcher<Chess>(params, bias)
             : make_puct_searcher<Chess>(params);
  EvalBatch<Chess> batch = {};
  std::mt19937_64 rng = std::mt19937_64(1);

  SearchResult search(const SearchLimits& limits) {
    return run_search<Chess>(*searcher, evaluator.get(), batch, history, limits, rng);
  }
  Move move(const std::string& text) const { return history.position().parse_move(text).value(); }
};

Bias strategy(const std::string& toml) {
  return test::strategy<Chess>(toml, "chess");
}

const RootMove& find(const SearchResult& result, Move move) {
  return *std::ranges::find(result.root_moves, move, &RootMove::move);
}

bool moves_pawn(const Chess& position, Move move) {
  return position.piece_at(move.from()).type == PieceType::Pawn;
}

/// Says what another does, and checks that it is asked about the follower's positions alone.
class Witness final : public MoveBias<Chess> {
 public:
  Witness(Bias strategy, Colour follower) : strategy_(std::move(strategy)), follower_(follower) {}
  void judge(const Chess& position, const LineKeys& line, std::span<const Move> legal,
             std::vector<MoveVerdict>& verdicts) const override {
    EXPECT_EQ(position.side_to_move(), follower_);
    ++asked_;
    strategy_->judge(position, line, legal, verdicts);
  }
  int asked() const { return asked_; }

 private:
  Bias strategy_;
  Colour follower_;
  mutable int asked_ = 0;
};

TEST(BiasedSearch, AsksAboutTheFollowersNodesOnly) {
  for (const Colour follower : {Colour::White, Colour::Black}) {
    const auto witness = std::make_shared<Witness>(strategy(kNoPawns), follower);
    Bench b{.bias = witness};
    if (follower == Colour::Black) b.history.play(b.move("e2e4"));
    b.search({.visits = 300});
    EXPECT_GT(witness->asked(), 50);
  }
}

TEST(BiasedSearch, ReplacesItsTreeWhenTheOtherSideSearches) {
  Bench b{.bias = strategy(kNoPawns)};
  const SearchResult first = b.search({.visits = 200});
  b.history.play(first.move);
  const SearchResult second = b.search({.visits = 200});
  EXPECT_EQ(second.new_visits, 200U) << "the kept nodes know nothing of Black's strategy";
  EXPECT_FALSE(moves_pawn(b.history.position(), second.move));
  b.history.play(second.move);
  b.history.play(b.search({.visits = 200}).move);
}

TEST(BiasedSearch, NeverSearchesForbiddenMovesAtAnyNodeOfTheFollower) {
  const Bias bias = strategy(kNoPawns);
  for (const std::uint32_t leaves : {1U, 8U}) {
    Search<Chess, false, true> search(SearchParams{});
    search.set_bias(bias, Colour::White);
    search.set_position(PositionHistory<Chess>(Chess::start({})));
    HashEvaluator<Chess> evaluator;
    test::run_visits(search, evaluator, 3000, leaves);
    int followers = 0, others = 0, others_pawn_moves = 0;
    const auto walk = [&](auto&& self, Handle at, const Chess& position) -> void {
      for (std::size_t i = 0; i < search.tree().child_count(at); ++i) {
        const ChildEdge child = search.tree().child(at, i);
        const bool pawn = moves_pawn(position, child.move);
        if (position.side_to_move() == Colour::White) {
          ++followers;
          EXPECT_FALSE(pawn) << position.fen() << ' ' << position.move_text(child.move);
        } else {
          ++others;
          others_pawn_moves += pawn ? 1 : 0;
        }
        Chess next = position;
        next.play(child.move);
        self(self, child.node, next);
      }
    };
    walk(walk, search.root().node, Chess::start({}));
    EXPECT_GT(followers, 500);
    EXPECT_GT(others, 500);
    EXPECT_GT(others_pawn_moves, others / 4) << "the opponent's replies are free";
  }
}

TEST(BiasedSearch, GivesForbiddenMovesNoShareOfThePolicy) {
  for (const std::uint32_t visits : {1U, 2U, 100U}) {
    Bench b{.bias = strategy(kNoPawns)};
    const SearchResult result = b.search({.visits = visits});
    ASSERT_EQ(result.policy.size(), 20U);
    for (std::size_t i = 0; i < result.policy.size(); ++i) {
      const RootMove& move = result.root_moves[i];
      const bool pawn = moves_pawn(b.history.position(), move.move);
      EXPECT_EQ(move.excluded, pawn);
      if (pawn) {
        EXPECT_EQ(result.policy[i], 0U);
        EXPECT_EQ(move.prior, 0);
      } else {
        EXPECT_TRUE(visits > 2 || visits == 2 || result.policy[i] > 0);
      }
    }
    EXPECT_FALSE(moves_pawn(b.history.position(), result.move));
    EXPECT_FALSE(moves_pawn(b.history.position(), pick_move(result, 5.0F, b.rng)));
    EXPECT_FALSE(result.limits_lifted);
  }
}

TEST(BiasedSearch, MultipliesPriorsAndNormalisesThem) {
  const std::vector<RootMove> plain = Bench{}.search({.visits = 1}).root_moves;
  const Bias bias = strategy("[[rules]]\nwhen = { to = 'e4' }\nprior = 10\n" +
                             std::string("[[rules]]\nwhen = { to = 'a3' }\nforbid = true\n"));
  Bench b{.bias = bias};
  const std::vector<RootMove> biased = b.search({.visits = 1}).root_moves;
  double total = 0;
  const auto weight = [&](const RootMove& move) {
    const std::string text = b.history.position().move_text(move.move);
    return text.ends_with("a3") ? 0.0 : text == "e2e4" ? 10.0 : 1.0;
  };
  for (const RootMove& move : plain)
    total += weight(move) * move.prior;
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_NEAR(biased[i].prior, weight(plain[i]) * plain[i].prior / total,
                0.002 * biased[i].prior);
}

/// Expects one move, and that the position is a draw.
class Certain final : public Evaluator<Chess> {
 public:
  explicit Certain(Move expected) : expected_(expected) {}
  void submit(EvalBatch<Chess>& batch) override {
    batch.prepare_results();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch.evaluation(i) = Evaluation{};
      const auto moves = batch.moves(i);
      for (std::size_t m = 0; m < moves.size(); ++m)
        batch.priors(i)[m] = moves[m] == expected_ ? 1.0F : 0.0F;
    }
  }
  void wait(EvalBatch<Chess>&) override {}

 private:
  Move expected_;
};

TEST(BiasedSearch, SharesThePriorsEquallyWhereTheEvaluatorExpectsForbiddenMovesOnly) {
  const Move e4 = Chess::start({}).parse_move("e2e4").value();
  Bench b{.bias = strategy(kNoPawns), .evaluator = std::make_shared<Certain>(e4)};
  for (const RootMove& move : b.search({.visits = 1}).root_moves)
    EXPECT_NEAR(move.prior, moves_pawn(b.history.position(), move.move) ? 0 : 0.25, 0.001);
}

TEST(BiasedSearch, AddsBonusesToSelectionAndNotToValues) {
  const Bias bias = strategy("[[rules]]\nwhen = { from = 'a2', to = 'a3' }\nbonus = 0.5\n");
  Bench b{.bias = bias, .evaluator = std::make_shared<UniformEvaluator<Chess>>()};
  const SearchResult result = b.search({.visits = 400});
  const RootMove& liked = find(result, b.move("a2a3"));
  EXPECT_EQ(result.move, b.move("a2a3"));
  EXPECT_GT(liked.visits, 300U);
  EXPECT_NEAR(liked.bonus, 0.5, 0.001);
  EXPECT_EQ(liked.value, 0) << "every position is a draw";
  EXPECT_EQ(result.value.value(), 0);
  EXPECT_EQ(result.value.draw, 1);
  Bench plain{.evaluator = std::make_shared<UniformEvaluator<Chess>>()};
  EXPECT_LT(find(plain.search({.visits = 400}), plain.move("a2a3")).visits, 40U);
}

TEST(BiasedSearch, TriesTheMoveWithTheBonusFirstWhateverItsPrior) {
  // With the lowest prior of all, and others without a child before it.
  const Bias bias =
      strategy("[[rules]]\nwhen = { from = 'h2', to = 'h4' }\nprior = 0.001\nbonus = 1.5\n");
  Bench b{.bias = bias, .evaluator = std::make_shared<UniformEvaluator<Chess>>()};
  const SearchResult result = b.search({.visits = 20});
  EXPECT_EQ(result.move, b.move("h2h4"));
  EXPECT_EQ(find(result, b.move("h2h4")).visits, 19U);
}

TEST(BiasedSearch, AvoidsMovesWithANegativeBonus) {
  const Bias bias = strategy("[[rules]]\nwhen = { piece = 'pawn' }\nbonus = -1\n");
  Bench b{.bias = bias, .evaluator = std::make_shared<UniformEvaluator<Chess>>()};
  const SearchResult result = b.search({.visits = 200});
  std::uint32_t by_pawns = 0;
  for (const RootMove& move : result.root_moves)
    if (moves_pawn(b.history.position(), move.move)) by_pawns += move.visits;
  EXPECT_LT(by_pawns, 20U);
}

TEST(BiasedSearch, LiftsLimitsThatForbidEveryMoveAndSaysSo) {
  const Bias nothing = strategy("[[rules]]\nwhen = { to = '*' }\nforbid = true\n");
  Bench lifted{.bias = nothing};
  const SearchResult result = lifted.search({.visits = 200});
  EXPECT_TRUE(result.limits_lifted);
  EXPECT_GT(result.lifted_below, 20U);
  const SearchResult plain = Bench{}.search({.visits = 200});
  EXPECT_FALSE(plain.limits_lifted);
  EXPECT_EQ(plain.lifted_below, 0U);
  EXPECT_EQ(result.policy, plain.policy) << "as if there were no limits";
  EXPECT_EQ(result.value.value(), plain.value.value());
}

TEST(BiasedSearch, LiftsLimitsWhereTheyForbidTheOnlyMovesToBeSearched) {
  Bench b{.bias = strategy(kNoPawns)};
  const std::vector<Move> asked = {b.move("a2a3"), b.move("h2h4")};
  const SearchResult pawns = b.search({.visits = 50, .search_moves = asked});
  EXPECT_TRUE(pawns.limits_lifted);
  EXPECT_GT(find(pawns, asked[0]).visits + find(pawns, asked[1]).visits, 40U);
  const SearchResult mixed =
      b.search({.visits = 50, .search_moves = {b.move("a2a3"), b.move("g1f3")}});
  EXPECT_FALSE(mixed.limits_lifted);
  EXPECT_EQ(mixed.move, b.move("g1f3"));
  EXPECT_EQ(find(mixed, b.move("a2a3")).visits, 0U);
}

TEST(BiasedSearch, ReusedTreesMatchNewOnesThroughWholeGames) {
  // As for plain searches (tests/search/search_test.cpp): what the strategy says of a node does not
  // depend on where the root is.
  using Biased = Search<EscherPosition, false, true>;
  const auto bias = test::strategy<EscherPosition>(
      "[[rules]]\nwhen = { board_unchanged = true }\nprior = 3\nbonus = 0.4\n"
      "[[rules]]\nwhen = { piece = 'knight', ply = { at_most = 30 } }\nforbid = true\n"
      "[[rules]]\nwhen = { repeats = true }\nbonus = -0.3\nprior = 0.5\n",
      "escher");
  SearchParams params;
  params.fpu_root = params.fpu_reduction;
  params.two_fold_draws = false;
  HashEvaluator<EscherPosition> evaluator;
  const auto start = [&](const PositionHistory<EscherPosition>& history) {
    Biased search(params);
    search.set_bias(bias, Colour::White);
    search.set_position(history);
    return search;
  };
  Biased kept = start(PositionHistory<EscherPosition>(EscherPosition::start({})));
  std::mt19937_64 rng(5);
  std::uint64_t compared = 0;
  for (int ply = 0; ply < 60; ++ply) {
    test::run_visits(kept, evaluator, kept.root_visits() + 150);
    const auto moves = kept.root_moves();
    kept.advance(std::ranges::max_element(moves, {}, &RootMove::visits)->move);
    if (is_over(kept.history().outcome())) break;
    if (kept.root_visits() == 0) continue;
    Biased fresh = start(kept.history());
    test::run_visits(fresh, evaluator, kept.root_visits());
    const auto expected = fresh.root_moves();
    const auto found = kept.root_moves();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].visits, expected[i].visits);
      ASSERT_EQ(found[i].prior, expected[i].prior);
      ASSERT_EQ(found[i].value, expected[i].value);
      ASSERT_EQ(found[i].bonus, expected[i].bonus);
    }
    compared += kept.root_visits();
  }
  EXPECT_GT(compared, 1000U);
}

TEST(BiasedSearch, SearchesSeveralLeavesAtATimeUnderTheSameRules) {
  const Bias bias = strategy(
      "[[rules]]\nwhen = { to = '*4' }\nforbid = true\n"
      "[[rules]]\nwhen = { piece = 'knight' }\nbonus = 0.3\nprior = 2\n");
  Bench b{.bias = bias};
  const SearchResult result = b.search({.visits = 600, .leaves = 16});
  EXPECT_EQ(result.visits, 600U);
  std::uint32_t knights = 0;
  for (const RootMove& move : result.root_moves) {
    if (b.history.position().move_text(move.move).ends_with('4')) {
      EXPECT_EQ(move.visits, 0U);
    }
    if (b.history.position().piece_at(move.move.from()).type == PieceType::Knight)
      knights += move.visits;
  }
  EXPECT_GT(knights, 300U);
}

TEST(BiasedSearch, KeepsRootNoiseAmongTheMovesAllowed) {
  Bench b{.bias =
              strategy(std::string(kNoPawns) + "[[rules]]\nwhen = { to = 'f3' }\nbonus = 0.4\n")};
  const SearchResult result = b.search({.visits = 300, .leaves = 4, .root_noise = true});
  double priors = 0;
  for (const RootMove& move : result.root_moves) {
    priors += move.prior;
    if (moves_pawn(b.history.position(), move.move)) {
      EXPECT_EQ(move.visits, 0U);
    }
  }
  EXPECT_NEAR(priors, 1, 0.01);
  EXPECT_NEAR(find(result, b.move("g1f3")).bonus, 0.4, 0.001);
  EXPECT_EQ(find(result, b.move("b1c3")).bonus, 0);
  EXPECT_EQ(result.move, b.move("g1f3"));
}

TEST(BiasedSearch, GumbelRootsConsiderOnlyAllowedMovesAndCountBonuses) {
  SearchParams params;
  params.gumbel.enabled = true;
  Bench b{.bias = strategy(std::string(kNoPawns) + "[[rules]]\nwhen = { to = 'f3' }\nbonus = 1\n"),
          .params = params,
          .evaluator = std::make_shared<UniformEvaluator<Chess>>()};
  for (int i = 0; i < 5; ++i) {
    b.searcher = make_biased_puct_searcher<Chess>(params, b.bias);
    const SearchResult result = b.search({.visits = 40, .leaves = 2, .root_noise = true});
    EXPECT_EQ(result.move, b.move("g1f3"));
    EXPECT_EQ(result.value.value(), 0) << "the bonus is not a value";
    for (std::size_t m = 0; m < result.policy.size(); ++m)
      if (moves_pawn(b.history.position(), result.root_moves[m].move)) {
        EXPECT_EQ(result.policy[m], 0U);
      }
  }
}

TEST(BiasedSearch, ClaimsNoMatesThatOnlyTheStrategyDoesNotPrevent) {
  test::Random rng(3);
  SearchParams params;
  params.solver = true;
  Bench b{.bias = strategy("[[rules]]\nwhen = { piece = 'king' }\nforbid = true\n"),
          .params = params};
  const Chess::Variant& variant = Chess::variant({"chess", {}});
  int wins = 0, losses = 0;
  for (int i = 0; i < 4000 && (wins < 20 || losses < 20); ++i) {
    b.history = PositionHistory<Chess>(test::sparse_position<Chess>(variant, rng));
    if (is_over(b.history.outcome())) continue;
    for (const RootMove& move : b.search({.visits = 600}).root_moves) {
      if (move.mate_plies == 0 || std::abs(move.mate_plies) > 4) continue;
      Chess next = b.history.position();
      next.play(move.move);
      test::MateSolver solver;
      EXPECT_TRUE(move.wins() ? solver.is_mated_within(next, move.mate_plies - 1)
                              : solver.mates_within(next, -move.mate_plies - 1))
          << b.history.position().fen() << " " << b.history.position().move_text(move.move) << " "
          << move.mate_plies;
      ++(move.wins() ? wins : losses);
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(wins, 20);
  EXPECT_GE(losses, 20);
}

TEST(BiasedSearch, FollowsAStrategyInPositionsWithMoreMovesThanAByteNumbers) {
  Bench b{.bias = strategy("[[rules]]\nwhen = { to = 'a*' }\nbonus = 0.2\n"
                           "[[rules]]\nwhen = { to = 'h*' }\nforbid = true\n")};
  b.history = PositionHistory<Chess>(
      Chess::from_fen({}, "knQQQQQQ/nnQ4Q/QQ5Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1"));
  const SearchResult result = b.search({.visits = 500});
  EXPECT_GT(result.root_moves.size(), 256U);
  for (const RootMove& move : result.root_moves) {
    const std::string text = b.history.position().move_text(move.move);
    EXPECT_EQ(move.excluded, text[2] == 'h') << text;
    if (!move.excluded) {
      EXPECT_NEAR(move.bonus, text[2] == 'a' ? 0.2 : 0, 0.001) << text;
    }
  }
}

Bench alpha_beta(const Bias& bias, const std::string& fen = "", int threads = 1) {
  return {
      .bias = bias,
      .history = PositionHistory<Chess>(fen.empty() ? Chess::start({}) : Chess::from_fen({}, fen)),
      .alpha_beta = true,
      .threads = threads};
}
const std::string kMiddlegame =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

TEST(BiasedAlphaBeta, AsksAboutTheFollowersPositionsOnly) {
  for (const Colour follower : {Colour::White, Colour::Black}) {
    const auto witness = std::make_shared<Witness>(strategy(kNoPawns), follower);
    Bench b = alpha_beta(witness);
    if (follower == Colour::Black) b.history.play(b.move("e2e4"));
    b.search({.nodes = 3000});
    EXPECT_GT(witness->asked(), 50);
  }
}

TEST(BiasedAlphaBeta, FindsLinesInWhichTheFollowerKeepsToItsLimits) {
  for (const int threads : {1, 3}) {
    Bench b = alpha_beta(strategy(kNoPawns), kMiddlegame, threads);
    int others = 0;
    for (int ply = 0; ply < 12; ++ply) {
      // Both sides follow it, each in searches of its own: what the other found is not used.
      const SearchResult result = b.search({.nodes = 20000});
      Chess position = b.history.position();
      for (std::size_t i = 0; i < result.variation.size(); ++i) {
        const bool pawn = moves_pawn(position, result.variation[i]);
        if (i % 2 == 0) {
          EXPECT_FALSE(pawn) << position.fen();
        } else {
          others += pawn ? 1 : 0;
        }
        position.play(result.variation[i]);
      }
      for (const RootMove& move : result.root_moves)
        EXPECT_EQ(move.excluded, moves_pawn(b.history.position(), move.move));
      EXPECT_FALSE(result.limits_lifted);
      b.history.play(result.move);
    }
    EXPECT_GT(others, 0) << "the opponent's replies are free";
  }
}

TEST(BiasedAlphaBeta, DoesNotCountOnWhatItsPlanWillForbid) {
  // Kg6 and then Ra8 is mate; from the second move on, the rook may not move.
  const std::string fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
  EXPECT_EQ(alpha_beta(nullptr, fen).search({.depth = 8}).mate_plies, 3);
  Bench b = alpha_beta(
      strategy("[[rules]]\nwhen = { piece = 'rook', ply = { at_least = 1 } }\nforbid = true\n"),
      fen);
  EXPECT_EQ(b.search({.depth = 8}).mate_plies, std::nullopt);
}

TEST(BiasedAlphaBeta, BeingMatedUnderAPlanIsNoProof) {
  // Black is mated on the back rank as the plan forbids making room.
  const std::string fen = "6k1/5ppp/8/8/8/8/R7/6K1 b - - 0 1";
  Bench b = alpha_beta(
      strategy("[[rules]]\nwhen = { not = { to = ['g8', 'h8'] } }\nforbid = true\n"), fen);
  const SearchResult result = b.search({.depth = 6});
  EXPECT_EQ(b.history.position().move_text(result.move), "g8h8");
  EXPECT_EQ(result.value.loss, 1);
  EXPECT_EQ(result.mate_plies, std::nullopt);
}

TEST(BiasedAlphaBeta, ABonusDecidesBetweenMovesAndIsNotInTheValue) {
  const SearchResult plain = alpha_beta(nullptr).search({.depth = 6});
  Bench liked = alpha_beta(strategy("[[rules]]\nwhen = { to = 'h3' }\nbonus = 0.9\n"));
  const SearchResult result = liked.search({.depth = 6});
  EXPECT_TRUE(liked.history.position().move_text(result.move).ends_with("h3"));
  EXPECT_LE(result.value.value(), plain.value.value() + 0.05F);
  EXPECT_NEAR(find(result, result.move).bonus, 0.9, 0.001);
  // A pawn and a half costs more than a bonus of 0.1, and less than one of 0.9.
  const std::string hangs = "4k3/8/8/3p4/4B3/8/8/4K3 w - - 0 1";  // the bishop is attacked
  const auto says = [&](const std::string& bonus) {
    Bench b = alpha_beta(strategy("[[rules]]\nwhen = { piece = 'king' }\nbonus = " + bonus + "\n"),
                         hangs);
    return b.history.position().piece_at(b.search({.depth = 5}).move.from()).type;
  };
  EXPECT_EQ(says("0.1"), PieceType::Bishop);
  EXPECT_EQ(says("2"), PieceType::King);
}

TEST(BiasedAlphaBeta, SumsOfBonusesEndSearches) {
  for (const std::string bonus : {"2", "-2"}) {
    std::string rules;
    for (int i = 0; i < 60; ++i)
      rules += "[[rules]]\nwhen = { to = '*' }\nbonus = " + bonus + "\n";
    const SearchResult result = alpha_beta(strategy(rules)).search({.nodes = 2000});
    EXPECT_GT(result.depth, 1);
    EXPECT_EQ(result.mate_plies, std::nullopt);
  }
}

TEST(BiasedAlphaBeta, NoBonusIsWorthAMate) {
  Bench b = alpha_beta(strategy("[[rules]]\nwhen = { piece = 'king' }\nbonus = 2\n"),
                       "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
  const SearchResult result = b.search({.depth = 6});
  EXPECT_EQ(b.history.position().move_text(result.move), "a1a8");
  EXPECT_EQ(result.mate_plies, 1);
}

TEST(BiasedAlphaBeta, LiftsLimitsThatForbidEveryMoveAndSaysSo) {
  const Bias nothing = strategy("[[rules]]\nwhen = { to = '*' }\nforbid = true\n");
  const SearchResult result = alpha_beta(nothing, kMiddlegame).search({.depth = 4});
  EXPECT_TRUE(result.limits_lifted);
  EXPECT_GT(result.lifted_below, 20U);
  const SearchResult plain = alpha_beta(nullptr, kMiddlegame).search({.depth = 4});
  EXPECT_FALSE(plain.limits_lifted);
  EXPECT_EQ(plain.lifted_below, 0U);
  EXPECT_EQ(result.move, plain.move) << "as if there were no limits";
  EXPECT_EQ(result.nodes, plain.nodes);
  Bench pawns = alpha_beta(strategy(kNoPawns));
  EXPECT_TRUE(pawns.search({.depth = 2, .search_moves = {pawns.move("a2a3")}}).limits_lifted);
  const SearchResult mixed =
      pawns.search({.depth = 2, .search_moves = {pawns.move("a2a3"), pawns.move("g1f3")}});
  EXPECT_FALSE(mixed.limits_lifted);
  EXPECT_EQ(mixed.move, pawns.move("g1f3"));
}

}  // namespace
}  // namespace faultline
