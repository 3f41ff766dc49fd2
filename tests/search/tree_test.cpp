// The tree's storage: pools, packed priors and moves, growing children.
#include "search/tree.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Pool, GivesContiguousRunsThatDoNotOverlap) {
  Pool<int, 16> pool;
  int next = 0;
  std::vector<std::pair<Handle, std::size_t>> runs;
  for (const std::size_t length : {5U, 11U, 1U, 16U, 3U, 14U, 2U, 16U, 16U, 7U}) {
    const Handle h = pool.allocate(length);
    for (std::size_t i = 0; i < length; ++i)
      (&pool[h])[i] = next++;
    runs.emplace_back(h, length);
  }
  int expected = 0;
  for (const auto& [h, length] : runs)
    for (std::size_t i = 0; i < length; ++i)
      EXPECT_EQ(pool[static_cast<Handle>(h + i)], expected++);
}

TEST(Pool, KeepsItsMemoryWhenCleared) {
  Pool<int, 16> pool;
  for (int i = 0; i < 40; ++i)
    pool.allocate(1);
  const std::size_t reserved = pool.reserved_bytes();
  pool.clear();
  EXPECT_EQ(pool.used_bytes(), 0U);
  for (int i = 0; i < 40; ++i)
    pool[pool.allocate(1)] = i;
  EXPECT_EQ(pool.reserved_bytes(), reserved);
}

TEST(PackedPrior, IsAccurateAndKeepsOrder) {
  float previous = -1;
  for (float p = 1e-6F; p <= 1.0F; p *= 1.003F) {
    const float back = unpack_prior(pack_prior(p));
    EXPECT_NEAR(back / p, 1.0F, 1e-3F);
    EXPECT_GE(back, previous);
    previous = back;
  }
  EXPECT_EQ(unpack_prior(pack_prior(0.0F)), 0.0F);
  EXPECT_EQ(unpack_prior(pack_prior(1.0F)), 1.0F);
}

TEST(EdgeView, HoldsPriorsAndMoveIndicesOfFewAndOfManyMoves) {
  for (const std::size_t count : {1U, 2U, 35U, 256U, 257U, 900U}) {
    std::vector<std::uint16_t> units(EdgeView::units_for(count));
    EdgeView edges(units.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      edges.set_prior(i, static_cast<std::uint16_t>(i * 7));
      edges.set_move_index(i, count - 1 - i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(edges.prior(i), static_cast<std::uint16_t>(i * 7));
      EXPECT_EQ(edges.move_index(i), count - 1 - i);
    }
  }
  EXPECT_EQ(EdgeView::units_for(36) * 2, 36U * 3) << "three bytes per move";
}

TEST(Tree, ChildEdgesGrowAndKeepTheirChildren) {
  Tree<64> tree;
  const Handle parent = tree.add_node();
  EdgeView edges = tree.add_edges(tree.node(parent), 64);
  for (std::size_t i = 0; i < 64; ++i)
    edges.set_prior(i, pack_prior(1.0F / static_cast<float>(i + 1)));
  std::set<Handle> children;
  for (std::uint32_t i = 0; i < 64; ++i) {
    ChildEdge& child = tree.add_child(parent);
    child.visits = i;
    children.insert(child.node);
  }
  EXPECT_EQ(children.size(), 64U);
  for (std::uint32_t i = 0; i < 64; ++i) {
    const ChildEdge& child = tree.children(tree.node(parent))[i];
    EXPECT_EQ(child.visits, i);
    EXPECT_EQ(child.prior, edges.prior(i));
  }
  EXPECT_EQ(tree.node_count(), 65U);
}

}  // namespace
}  // namespace faultline
