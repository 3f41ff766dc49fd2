// The tree's nodes: packed priors and moves, growing children.
#include "search/tree.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace faultline {
namespace {

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
  struct Case {
    std::size_t count, legal;
  };
  for (const auto& [count, legal] :
       std::vector<Case>{{1, 1}, {2, 2}, {35, 35}, {256, 256}, {257, 257}, {900, 900}, {3, 900}}) {
    const bool wide = EdgeView::needs_wide(legal);
    std::vector<std::uint16_t> units(EdgeView::bytes_for(count, wide) / 2 + 1);
    EdgeView edges(units.data(), count, wide);
    for (std::size_t i = 0; i < count; ++i) {
      edges.set_prior(i, static_cast<std::uint16_t>(i * 7));
      edges.set_move_index(i, legal - 1 - i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(edges.prior(i), static_cast<std::uint16_t>(i * 7));
      EXPECT_EQ(edges.move_index(i), legal - 1 - i);
    }
  }
  EXPECT_EQ(EdgeView::bytes_for(36, EdgeView::needs_wide(36)), 36U * 3) << "three bytes per move";
}

TEST(Tree, NodesKeepTheirEdgesAndChildrenAsTheyGrow) {
  for (const std::size_t count : {1U, 2U, 64U, 300U}) {
    Tree tree(Tree::kLeastBytes);
    Handle parent = tree.add_node(NodeState::Expanded, count);
    tree.childless(parent).value = 5;
    tree.childless(parent).draw = 3;
    for (std::size_t i = 0; i < count; ++i) {
      tree.edges(parent).set_prior(i, pack_prior(1.0F / static_cast<float>(i + 1)));
      tree.edges(parent).set_move_index(i, count - 1 - i);
    }
    std::vector<Move> legal(count);
    for (std::size_t i = 0; i < count; ++i)
      legal[count - 1 - i] = Move::from_bits(static_cast<std::uint32_t>(i));
    float visited_prior = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(tree.child_count(parent), i);
      EXPECT_EQ(tree.knows_next_move(parent), i >= 2);
      parent = tree.make_room_for_child(parent, 2, i < 2 ? legal : std::vector<Move>{});
      ASSERT_NE(parent, kNoHandle);
      tree.add_child(parent, tree.add_node(NodeState::Draw, 0));
      Child& child = Tree::children(tree.parent(parent))[i];
      EXPECT_EQ(child.exploration, unpack_prior(tree.edges(parent).prior(i)));
      child.visits = i;
      child.mean = static_cast<float>(i);
      visited_prior += unpack_prior(tree.edges(parent).prior(i));
    }
    std::set<Handle> nodes{parent};
    for (std::uint32_t i = 0; i < count; ++i) {
      const ChildEdge child = tree.child(parent, i);
      nodes.insert(child.node);
      EXPECT_EQ(child.visits, i);
      EXPECT_EQ(Tree::children(tree.parent(parent))[i].mean, static_cast<float>(i));
      EXPECT_EQ(child.move.bits(), i);
      EXPECT_EQ(tree.edges(parent).prior(i), pack_prior(1.0F / static_cast<float>(i + 1)));
      EXPECT_EQ(tree.edges(parent).move_index(i), count - 1 - i);
    }
    EXPECT_EQ(nodes.size(), count + 1);
    EXPECT_EQ(tree.node_count(), count + 1);
    EXPECT_EQ(tree.parent(parent).visited_prior, visited_prior);
    EXPECT_EQ(tree.parent(parent).sums.value, 10) << "of two visits without children";
    EXPECT_EQ(tree.parent(parent).sums.draw, 6);
  }
}

}  // namespace
}  // namespace faultline
