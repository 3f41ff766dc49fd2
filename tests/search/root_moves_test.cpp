// Choosing among the moves at the root.
#include "search/root_moves.h"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "search/root_noise.h"
#include "search/search_result.h"

namespace faultline {
namespace {

RootMove root_move(Square to, std::uint32_t visits, float value, int mate_plies = 0) {
  return {.move = Move(0, to),
          .visits = visits,
          .prior = 0,
          .value = value,
          .draw = 0,
          .moves_left = 0,
          .mate_plies = mate_plies};
}

TEST(BestMove, HasMostVisitsThenValue) {
  const std::vector moves = {root_move(1, 5, 0.9F), root_move(2, 7, 0.1F), root_move(3, 7, 0.2F)};
  EXPECT_EQ(best_move(moves), Move(0, 3));
}

TEST(BestMove, IsAMateIfThereIsOne) {
  const std::vector moves = {root_move(1, 500, 0.9F), root_move(2, 1, 1, 1)};
  EXPECT_EQ(best_move(moves), Move(0, 2));
}

TEST(BestMove, IsTheShortestOfSeveralMates) {
  const std::vector moves = {root_move(1, 90, 1, 5), root_move(2, 1, 1, 3), root_move(3, 9, 1, 7)};
  EXPECT_EQ(best_move(moves), Move(0, 2));
}

TEST(BestMove, LosesForSureOnlyIfAllMovesDo) {
  std::vector moves = {root_move(1, 500, -1, -4), root_move(2, 0, -0.9F), root_move(3, 9, -1, -2)};
  EXPECT_EQ(best_move(moves), Move(0, 2));
  moves[1].mate_plies = -2;
  EXPECT_EQ(best_move(moves), Move(0, 1)) << "the one that loses last";
}

SearchResult result_with(std::vector<float> priors, std::vector<std::uint32_t> policy) {
  SearchResult result;
  for (const float prior : priors) {
    result.root_moves.push_back(root_move(1, 0, 0));
    result.root_moves.back().prior = prior;
  }
  result.policy = std::move(policy);
  return result;
}

TEST(PolicySurprise, IsTheDivergenceOfTheTargetFromThePriors) {
  EXPECT_NEAR(policy_surprise(result_with({0.5F, 0.25F, 0.25F}, {2, 1, 1})), 0, 1e-12);
  EXPECT_NEAR(policy_surprise(result_with({0.5F, 0.25F, 0.25F}, {0, 7, 0})), std::log(4), 1e-12);
  EXPECT_NEAR(policy_surprise(result_with({0.8F, 0.2F}, {1, 1})),
              0.5 * std::log(0.5 / 0.8) + 0.5 * std::log(0.5 / 0.2), 1e-6);
}

TEST(PolicySurprise, IsFiniteWithoutPriorsAndWithAPriorOfZero) {
  EXPECT_EQ(policy_surprise(result_with({0, 0}, {1, 0})), 0);
  EXPECT_NEAR(policy_surprise(result_with({1, 0}, {0, 1})), std::log(1e6), 1e-6);
}

TEST(PickIndex, FollowsTheWeightsAtTemperatureOne) {
  const std::vector<std::uint32_t> weights = {10, 30, 0};
  std::mt19937_64 rng(1);
  std::map<std::size_t, int> picked;
  for (int i = 0; i < 4000; ++i)
    ++picked[pick_index(weights, 1.0F, rng).value()];
  EXPECT_EQ(picked[2], 0);
  EXPECT_NEAR(picked[1], 3000, 150);
}

TEST(PickIndex, IsSharperAtLowerTemperature) {
  const std::vector<std::uint32_t> weights = {10, 30};
  std::mt19937_64 rng(1);
  int second = 0;
  for (int i = 0; i < 4000; ++i)
    second += pick_index(weights, 0.5F, rng) == 1U ? 1 : 0;
  EXPECT_NEAR(second, 3600, 120);
}

TEST(PickIndex, ReturnsNothingAtTemperatureZeroOrWithoutWeights) {
  std::mt19937_64 rng(1);
  EXPECT_EQ(pick_index(std::vector<std::uint32_t>{10, 30}, 0, rng), std::nullopt);
  EXPECT_EQ(pick_index(std::vector<std::uint32_t>{0, 0}, 1, rng), std::nullopt);
}

TEST(Dirichlet, SumsToOneAndIsSpikyForSmallAlpha) {
  std::mt19937_64 rng(3);
  double spiky = 0;
  double flat = 0;
  for (int i = 0; i < 200; ++i) {
    const auto small = dirichlet(20, 0.03F, rng);
    const auto large = dirichlet(20, 30.0F, rng);
    EXPECT_NEAR(std::accumulate(small.begin(), small.end(), 0.0), 1.0, 1e-4);
    spiky += *std::max_element(small.begin(), small.end());
    flat += *std::max_element(large.begin(), large.end());
  }
  EXPECT_GT(spiky / 200, 0.7);
  EXPECT_LT(flat / 200, 0.15);
}

TEST(MeanOfVisits, WeighsMovesByTheirVisits) {
  EXPECT_FALSE(mean_of_visits(std::vector<RootMove>{root_move(1, 0, 0.9F)}));
  std::vector<RootMove> moves = {root_move(1, 3, 0.5F), root_move(2, 1, -0.5F),
                                 root_move(3, 0, 0.9F)};
  moves[0].moves_left = 10;
  moves[1].draw = 0.4F;
  moves[1].moves_left = 20;
  const std::optional<Evaluation> mean = mean_of_visits(moves);
  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->value(), 0.25F, 1e-6F);
  EXPECT_NEAR(mean->draw, 0.1F, 1e-6F);
  EXPECT_NEAR(mean->moves_left, 12.5F, 1e-5F);
}

}  // namespace
}  // namespace faultline
