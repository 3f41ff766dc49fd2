// Sequential halving at the root, and the policies that it improves.
#include "search/gumbel_root.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/search.h"
#include "search/searcher.h"
#include "tests/search/chess_search.h"
#include "tests/search/run_visits.h"

namespace faultline {
namespace {

std::vector<RootMove> root_moves(const std::vector<float>& priors) {
  std::vector<RootMove> moves;
  for (const float prior : priors)
    moves.push_back({.move = Move::none(),
                     .visits = 0,
                     .prior = prior,
                     .value = 0,
                     .draw = 0,
                     .moves_left = 0});
  return moves;
}

/// A root without draws.
Evaluation worth_of(float value) {
  return mean_evaluation(value, 0, 0);
}

/// A search whose visits of move i find values[i].
struct Played {
  std::vector<RootMove> moves;
  std::vector<std::size_t> order;  // of visits
  GumbelRoot root;
};
Played search(const GumbelParams& params, const std::vector<float>& priors,
              const std::vector<float>& values, std::uint32_t visits, std::uint64_t seed = 1) {
  Played played{root_moves(priors), {}, GumbelRoot(params)};
  std::mt19937_64 rng(seed);
  played.root.begin(played.moves, visits, rng);
  for (std::uint32_t i = 0; i < visits; ++i) {
    if (played.root.phase_is_over()) played.root.next_phase(played.moves);
    const std::size_t move = played.root.aim();
    played.root.count_visit();
    played.order.push_back(move);
    ++played.moves[move].visits;
    played.moves[move].value = values[move];
  }
  return played;
}

TEST(GumbelRoot, HalvesTheMovesAndDividesTheVisits) {
  const std::vector<float> priors(16, 1.0F / 16);
  std::vector<float> values(16, -0.5F);
  values[5] = 0.9F;
  values[9] = 0.7F;
  const Played played = search({.moves = 8}, priors, values, 48);
  std::map<std::uint32_t, int> moves_with;
  for (const RootMove& move : played.moves)
    ++moves_with[move.visits];
  // 2 visits for each of 8 moves, 4 for each of 4, 8 for each of 2.
  EXPECT_EQ(moves_with, (std::map<std::uint32_t, int>{{0, 8}, {2, 4}, {6, 2}, {14, 2}}));
}

TEST(GumbelRoot, UsesAllVisitsWhateverTheirNumber) {
  for (const std::uint32_t visits : {1U, 2U, 3U, 7U, 16U, 31U, 100U, 1000U}) {
    const Played played =
        search({.moves = 16}, std::vector<float>(40, 0.025F), std::vector<float>(40, 0.1F), visits);
    EXPECT_EQ(played.order.size(), visits);
    EXPECT_LE(std::set(played.order.begin(), played.order.end()).size(),
              std::min<std::size_t>(visits, 16));
  }
}

TEST(GumbelRoot, ChoosesTheBetterMoveWhateverTheNoise) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Played played = search({}, {0.3F, 0.3F, 0.4F}, {-0.5F, 0.6F, -0.5F}, 24, seed);
    EXPECT_EQ(played.root.decide(played.moves, {}).move, 1U);
  }
}

TEST(GumbelRoot, DrawsMovesInProportionToTheirPriors) {
  // Where all values are equal, the noise decides: the Gumbel-max trick samples the priors.
  std::array<int, 3> chosen{};
  constexpr int kSearches = 6'000;
  const std::vector<float> priors = {0.6F, 0.3F, 0.1F};
  for (std::uint64_t seed = 0; seed < kSearches; ++seed) {
    const Played played = search({}, priors, {0.2F, 0.2F, 0.2F}, 12, seed);
    ++chosen[played.root.decide(played.moves, {}).move];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = priors[i];
    const double deviation = std::sqrt(kSearches * share * (1 - share));
    EXPECT_NEAR(chosen[i], kSearches * share, 5 * deviation);
  }
}

TEST(GumbelRoot, DoesNotConsiderMovesWithoutPrior) {
  const Played played = search({}, {0, 0.5F, 0, 0.5F}, {1, 0, 1, 0}, 20);
  EXPECT_EQ(played.moves[0].visits + played.moves[2].visits, 0U);
  const GumbelRoot::Decision decision = played.root.decide(played.moves, {});
  EXPECT_EQ(decision.policy[0], 0U);
  EXPECT_GT(decision.policy[1], 0U);
}

TEST(ImprovedPolicy, IsThePriorsWhereValuesAreEqual) {
  std::vector<RootMove> moves = root_moves({0.5F, 0.3F, 0.2F});
  moves[0].visits = moves[2].visits = 5;
  for (RootMove& move : moves)
    move.value = 0.25F;
  const std::vector<double> policy = improved_policy(moves, worth_of(0.25F), {});
  for (std::size_t i = 0; i < moves.size(); ++i)
    EXPECT_NEAR(policy[i], moves[i].prior, 1e-6);
}

TEST(ImprovedPolicy, FollowsTheFormula) {
  std::vector<RootMove> moves = root_moves({0.5F, 0.3F, 0.2F});
  moves[0].visits = 6;
  moves[0].value = -0.4F;
  moves[1].visits = 2;
  moves[1].value = 0.2F;
  const GumbelParams params{.visits = 10, .scale = 0.5F};
  const double own = 0.1F;
  const double mixed = (own + 8 * (0.5 * -0.4 + 0.3 * 0.2) / 0.8) / 9;
  const auto weight = [](double prior, double value) {
    return prior * std::exp((10 + 6) * 0.5 * (value + 1) / 2);
  };
  const std::vector<double> weights = {weight(0.5, -0.4), weight(0.3, 0.2), weight(0.2, mixed)};
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const std::vector<double> policy = improved_policy(moves, worth_of(0.1F), params);
  for (std::size_t i = 0; i < moves.size(); ++i)
    EXPECT_NEAR(policy[i], weights[i] / total, 1e-5);
}

TEST(ImprovedPolicy, TemperatureFlattensPriorsAndShrinkageDoubtsFewVisits) {
  std::vector<RootMove> moves = root_moves({0.8F, 0.2F});
  EXPECT_NEAR(improved_policy(moves, {}, {}, 2)[0], 2.0 / 3, 1e-6);
  moves[0].visits = 1;
  moves[0].value = -0.5F;
  moves[1].visits = 9;
  moves[1].value = 0.5F;
  const GumbelParams params{.visits = 1, .scale = 1, .shrinkage = 3};
  const double mixed = (0.0 + 10 * (0.8 * -0.5 + 0.2 * 0.5)) / 11;
  const auto shrunk = [&](double visits, double value) {
    return (visits * value + 3 * mixed) / (visits + 3);
  };
  const double difference = (1 + 9) * (shrunk(9, 0.5) - shrunk(1, -0.5)) / 2;
  const std::vector<double> policy = improved_policy(moves, {}, params);
  EXPECT_NEAR(policy[1] / policy[0], 0.25 * std::exp(difference), 1e-4);
}

TEST(ImprovedPolicy, HasABetterExpectationThanThePriors) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int n = 0; n < 100; ++n) {
    std::vector<RootMove> moves = root_moves({unit(rng), unit(rng), unit(rng), unit(rng)});
    float total = 0;
    for (const RootMove& move : moves)
      total += move.prior;
    double before = 0, after = 0;
    for (RootMove& move : moves) {
      move.prior /= total;
      move.visits = 3;
      move.value = 2 * unit(rng) - 1;
    }
    const std::vector<double> policy = improved_policy(moves, {}, {});
    for (std::size_t i = 0; i < moves.size(); ++i) {
      before += static_cast<double>(moves[i].prior) * moves[i].value;
      after += policy[i] * moves[i].value;
    }
    EXPECT_GE(after, before - 1e-9);
  }
}

using Chess = ChessPosition;

test::ChessSearch search_with(const SearchParams& params) {
  return {.searcher = make_puct_searcher<Chess>(params)};
}

SearchParams gumbel() {
  SearchParams params;
  params.gumbel = {.enabled = true, .moves = 8};
  return params;
}

TEST(GumbelSearch, VisitsTheMovesThatItConsiders) {
  for (const std::uint32_t leaves : {1U, 4U}) {
    SearchParams params = gumbel();
    params.gumbel.scale = 0.01F;
    test::ChessSearch b = search_with(params);
    const SearchResult result = b.search({.visits = 65, .leaves = leaves, .root_noise = true});
    EXPECT_EQ(result.visits, 65U);
    std::multiset<std::uint32_t> visits;
    for (const RootMove& move : result.root_moves)
      if (move.visits > 0) visits.insert(move.visits);
    // 64 visits: 2 of each of 8 moves, 5 of each of 4, 10 of each of 2, which share the last 8.
    EXPECT_EQ(visits, (std::multiset<std::uint32_t>{2, 2, 2, 2, 7, 7, 21, 21}));
    EXPECT_GT(std::ranges::count_if(result.policy, [](std::uint32_t w) { return w > 0; }), 8)
        << "moves without visits are in the policy, too";
  }
}

TEST(GumbelSearch, WithoutNoiseItIsPuct) {
  test::ChessSearch with = search_with(gumbel());
  test::ChessSearch without;
  const SearchResult a = with.search({.visits = 100});
  const SearchResult b = without.search({.visits = 100});
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.move, b.move);
}

TEST(GumbelSearch, KeepsItsTreeBetweenMoves) {
  test::ChessSearch b = search_with(gumbel());
  for (int ply = 0; ply < 8; ++ply) {
    const SearchResult result =
        b.search({.visits = 40, .least_new_visits = 20, .root_noise = true});
    EXPECT_GE(result.new_visits, 20U);
    EXPECT_GE(result.visits, 40U);
    EXPECT_NEAR(result.value.win + result.value.draw + result.value.loss, 1, 1e-5);
    b.history.play(result.move);
  }
}

TEST(GumbelSearch, DrawsOtherMovesEachTime) {
  std::set<std::uint32_t> moves;
  test::ChessSearch b = search_with(gumbel());
  for (int i = 0; i < 30; ++i)
    moves.insert(b.search({.visits = 9, .root_noise = true}).move.bits());
  EXPECT_GT(moves.size(), 3U);
}

TEST(GumbelSearch, Mates) {
  for (int i = 0; i < 10; ++i) {
    test::ChessSearch b = search_with(gumbel());
    b.rng.seed(static_cast<std::uint64_t>(i));
    b.history = PositionHistory<Chess>(Chess::from_fen({}, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
    const SearchResult result = b.search({.visits = 200, .root_noise = true});
    const auto mate = std::ranges::find(result.root_moves, true, &RootMove::wins);
    if (mate == result.root_moves.end()) continue;  // it was not drawn
    EXPECT_EQ(result.move, mate->move);
    EXPECT_EQ(b.history.position().move_text(result.move), "a1a8");
  }
}

TEST(OwnEvaluation, IsWhatTheRootWasGiven) {
  Search<Chess> search({}, PositionHistory<Chess>(Chess::start({})));
  HashEvaluator<Chess> evaluator;
  test::run_visits(search, evaluator, 1);
  const Evaluation own = search.root_evaluation();
  test::run_visits(search, evaluator, 500);
  const Evaluation later = search.own_root_evaluation();
  EXPECT_NEAR(later.value(), own.value(), 1e-6);
  EXPECT_NEAR(later.draw, own.draw, 1e-6);
  EXPECT_NEAR(later.moves_left, own.moves_left, 1e-3);
}

}  // namespace
}  // namespace faultline
