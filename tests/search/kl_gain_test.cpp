// Ending a search when its visits gain too little.
#include "search/kl_gain.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "search/searcher.h"
#include "tests/search/chess_search.h"

namespace faultline {
namespace {

std::vector<RootMove> with_visits(const std::vector<std::uint32_t>& visits) {
  std::vector<RootMove> moves;
  for (const std::uint32_t count : visits)
    moves.push_back({.move = Move::none(),
                     .visits = count,
                     .prior = 0.5F,
                     .value = 0,
                     .draw = 0,
                     .moves_left = 0});
  return moves;
}

TEST(KlGain, IsTheDivergenceOfTheSharesBeforeFromThoseNow) {
  // From (3/4, 1/4) to (1/2, 1/2) in four visits, beside those that were kept.
  const double gain = 0.75 * std::log(1.5) + 0.25 * std::log(0.5);
  for (const double least : {0.99 * gain / 4, 1.01 * gain / 4}) {
    KlGain kl(4, static_cast<float>(least));
    EXPECT_TRUE(kl.is_due(41));
    EXPECT_FALSE(kl.is_spent(with_visits({0, 40}), 41));
    EXPECT_FALSE(kl.is_due(44));
    EXPECT_TRUE(kl.is_due(45));
    EXPECT_FALSE(kl.is_spent(with_visits({3, 41}), 45)) << "the first shares";
    EXPECT_EQ(kl.is_spent(with_visits({4, 44}), 49), least > gain / 4);
  }
}

TEST(KlGain, IsNothingWhereTheSharesStay) {
  KlGain kl(4, 1e-6F);
  kl.is_spent(with_visits({0, 0, 0}), 1);
  EXPECT_FALSE(kl.is_spent(with_visits({3, 1, 0}), 5));
  EXPECT_TRUE(kl.is_spent(with_visits({6, 2, 0}), 9));
}

TEST(KlGain, EndsOnlyFullSearchesWithoutGumbel) {
  const auto visits = [](SearchParams params, bool root_noise) {
    test::ChessSearch b{.searcher = make_puct_searcher<ChessPosition>(params)};
    return b.search({.visits = 80, .root_noise = root_noise}).visits;
  };
  SearchParams params;
  EXPECT_EQ(visits(params, true), 80U);
  params.least_kl_gain = 1;
  EXPECT_EQ(visits(params, true), 21U) << "looks after 1, 11 and 21 visits, the first at no shares";
  EXPECT_EQ(visits(params, false), 80U);
  params.gumbel.enabled = true;
  EXPECT_EQ(visits(params, true), 80U);
  params = {.least_kl_gain = 1e-9F};
  EXPECT_EQ(visits(params, true), 80U);
}

TEST(KlGain, CountsOnlyTheVisitsOfItsOwnSearch) {
  SearchParams params;
  params.least_kl_gain = 1;
  test::ChessSearch b{.searcher = make_puct_searcher<ChessPosition>(params)};
  b.history.play(b.search({.visits = 2'000}).move);
  const SearchResult kept = b.search({.visits = 80, .least_new_visits = 80, .root_noise = true});
  EXPECT_GT(kept.visits, 100U);
  EXPECT_EQ(kept.new_visits, 20U) << "as many as without a kept tree";
}

}  // namespace
}  // namespace faultline
