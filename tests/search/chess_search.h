// One searcher and everything that it needs to search chess, for tests.
#pragma once

#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/searcher.h"

namespace faultline::test {

struct ChessSearch {
  std::unique_ptr<Searcher<ChessPosition>> searcher =
      make_puct_searcher<ChessPosition>(SearchParams{});
  HashEvaluator<ChessPosition> evaluator = {};
  EvalBatch<ChessPosition> batch = {};
  std::mt19937_64 rng = std::mt19937_64(1);
  PositionHistory<ChessPosition> history = PositionHistory<ChessPosition>(ChessPosition::start({}));

  /// Searches the last position of `history`; expects a result that is complete.
  SearchResult search(const SearchLimits& limits) {
    SearchResult result =
        run_search<ChessPosition>(*searcher, &evaluator, batch, history, limits, rng);
    EXPECT_TRUE(searcher->done());
    EXPECT_EQ(searcher->waiting(), 0U);
    EXPECT_EQ(result.policy.size(), history.position().count_legal_moves());
    EXPECT_EQ(result.root_moves.size(), result.policy.size());
    EXPECT_TRUE(history.position().parse_move(history.position().move_text(result.move)));
    return result;
  }
  Move move(const std::string& text) const { return history.position().parse_move(text).value(); }
};

}  // namespace faultline::test
