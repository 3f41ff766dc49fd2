// The transposition table: what is found, kept and forgotten.
#include "search/transposition_table.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

constexpr std::uint64_t kKey = 0x0123456789abcdef;
/// A key of the same bucket.
constexpr std::uint64_t other_key(std::uint64_t i) {
  return kKey + (i << 40);
}
const Move kMove(1, 2);

TranspositionTable table() {
  TranspositionTable t;
  t.allocate(1);
  t.begin_search(false);
  return t;
}

TEST(TranspositionTable, FindsWhatWasStored) {
  TranspositionTable t = table();
  EXPECT_FALSE(t.find(kKey));
  t.store(kKey, kMove, 25, -30, 4, Bound::Lower, 3);
  const auto entry = t.find(kKey);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->move, kMove.bits());
  EXPECT_EQ(TranspositionTable::score_at(*entry, 7), 25);
  EXPECT_EQ(entry->evaluation, -30);
  EXPECT_EQ(entry->depth, 4);
  EXPECT_EQ(entry->bound, Bound::Lower);
  EXPECT_FALSE(t.find(other_key(1)));
}

TEST(TranspositionTable, CountsMatesFromThePosition) {
  TranspositionTable t = table();
  // Mate in 10 plies from the root, 4 plies above: in 6 from here.
  t.store(kKey, kMove, kMateScore - 10, 0, 4, Bound::Exact, 4);
  EXPECT_EQ(mate_plies_of(TranspositionTable::score_at(*t.find(kKey), 0)), 6);
  EXPECT_EQ(mate_plies_of(TranspositionTable::score_at(*t.find(kKey), 20)), 26);
  t.store(kKey, kMove, -kMateScore + 10, 0, 4, Bound::Exact, 4);
  EXPECT_EQ(mate_plies_of(TranspositionTable::score_at(*t.find(kKey), 20)), -26);
}

TEST(TranspositionTable, KeepsTheMoveOfAPositionStoredAgainWithoutOne) {
  TranspositionTable t = table();
  t.store(kKey, kMove, 25, 0, 4, Bound::Lower, 0);
  t.store(kKey, Move::none(), 10, 0, 5, Bound::Upper, 0);
  EXPECT_EQ(t.find(kKey)->move, kMove.bits());
  EXPECT_EQ(t.find(kKey)->bound, Bound::Upper);
}

TEST(TranspositionTable, ReplacesTheShallowestOfAFullBucket) {
  TranspositionTable t = table();
  for (const int depth : {5, 2, 7, 6})
    t.store(other_key(static_cast<std::uint64_t>(depth)), kMove, 0, 0, depth, Bound::Exact, 0);
  t.store(kKey, kMove, 0, 0, 1, Bound::Exact, 0);
  EXPECT_TRUE(t.find(kKey));
  EXPECT_FALSE(t.find(other_key(2)));
  for (const std::uint64_t depth : {5U, 7U, 6U})
    EXPECT_TRUE(t.find(other_key(depth)));
}

TEST(TranspositionTable, PrefersEntriesOfTheCurrentSearch) {
  TranspositionTable t = table();
  for (std::uint64_t i = 1; i <= 3; ++i)
    t.store(other_key(i), kMove, 0, 0, 4, Bound::Exact, 0);
  for (int searches = 0; searches < 3; ++searches)
    t.begin_search(true);
  t.store(other_key(4), kMove, 0, 0, 1, Bound::Exact, 0);
  t.store(kKey, kMove, 0, 0, 1, Bound::Exact, 0);
  EXPECT_TRUE(t.find(other_key(4))) << "shallow, but new";
  EXPECT_FALSE(t.find(other_key(1)));
}

TEST(TranspositionTable, ForgetsEarlierGamesButNotEarlierSearches) {
  TranspositionTable t = table();
  t.store(kKey, kMove, 0, 0, 4, Bound::Exact, 0);
  t.begin_search(true);
  EXPECT_TRUE(t.find(kKey));
  t.begin_search(false);
  EXPECT_FALSE(t.find(kKey));
}

TEST(TranspositionTable, OutlastsTheNumbersOfItsSearches) {
  TranspositionTable t = table();
  t.store(kKey, kMove, 0, 0, 4, Bound::Exact, 0);
  for (int searches = 0; searches < 65536; ++searches)
    t.begin_search(false);
  EXPECT_FALSE(t.find(kKey));
  t.store(kKey, kMove, 0, 0, 4, Bound::Exact, 0);
  EXPECT_TRUE(t.find(kKey));
}

}  // namespace
}  // namespace faultline
