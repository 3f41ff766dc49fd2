// A search tree in a fixed amount of memory: what it holds stays right while parts come and go.
#include "search/budgeted_tree.h"

#include <functional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "search/tree_reuse.h"

namespace faultline {
namespace {

using TestTree = BudgetedTree<512>;
constexpr std::size_t kBytes = TestTree::kLeastBytes;

/// Grows a tree at random places and remembers what it put there.
class Gardener {
 public:
  Gardener() : tree_(kBytes) { root_ = plant(tree_.try_add_node().value()); }

  /// Until there is no room for a node with `most` edges.
  void grow_until_full(std::size_t most) {
    while (true) {
      const Handle parent = open_[rng_() % open_.size()];
      Node& node = tree_.node(parent);
      if (node.edge_count == 0) {
        const std::size_t count = 1 + rng_() % most;
        if (!tree_.try_reserve_edges(node, count)) return;
        EdgeView edges = tree_.add_edges(node, count);
        for (std::size_t i = 0; i < count; ++i) {
          edges.set_prior(i, prior_of(node, i));
          edges.set_move_index(i, count - 1 - i);
        }
      }
      if (node.child_count == node.edge_count) {
        std::erase(open_, parent);
        continue;
      }
      const ChildEdge* child = tree_.try_add_child(parent);
      if (child == nullptr) return;
      plant(child->node);
    }
  }
  void move_root(std::size_t child) {
    const Node& root = tree_.node(root_);
    const ChildEdge edge = tree_.children(root)[child % root.child_count];
    root_ = edge.node;
    keep_subtree(tree_, edge);
    open_.clear();
    visit(root_, [&](Handle h) { open_.push_back(h); });
  }
  /// Every node is where its parent says, once, with the edges that it was given.
  void check() {
    std::set<Handle> nodes;
    std::set<std::uint32_t> names;
    visit(root_, [&](Handle h) {
      ASSERT_TRUE(nodes.insert(h).second);
      const Node& node = tree_.node(h);
      ASSERT_TRUE(names.insert(node.move.bits()).second) << "overwritten";
      const ConstEdgeView edges = std::as_const(tree_).edges(node);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        ASSERT_EQ(edges.prior(i), prior_of(node, i));
        ASSERT_EQ(edges.move_index(i), edges.size() - 1 - i);
      }
      for (std::size_t i = 0; i < node.child_count; ++i)
        ASSERT_EQ(tree_.children(node)[i].prior, prior_of(node, i));
    });
    EXPECT_EQ(tree_.node_count(), nodes.size());
    EXPECT_LE(tree_.used_bytes(), tree_.capacity_bytes());
  }
  const TestTree& tree() const { return tree_; }
  std::size_t root_children() const { return tree_.node(root_).child_count; }

 private:
  Handle plant(Handle h) {
    tree_.node(h).move = Move::from_bits(++names_);
    open_.push_back(h);
    return h;
  }
  static std::uint16_t prior_of(const Node& node, std::size_t i) {
    return static_cast<std::uint16_t>(node.move.bits() * 31 + i);
  }
  void visit(Handle h, const std::function<void(Handle)>& see) {
    see(h);
    for (std::size_t i = 0; i < tree_.node(h).child_count; ++i)
      visit(tree_.children(tree_.node(h))[i].node, see);
  }

  TestTree tree_;
  Handle root_;
  std::vector<Handle> open_;  // nodes that may get children
  std::uint32_t names_ = 0;
  std::mt19937_64 rng_{1};
};

TEST(BudgetedTree, KeepsWhatItHoldsWhilePartsAreFreedAndUsedAgain) {
  Gardener gardener;
  for (std::size_t round = 0; round < 60; ++round) {
    // Few edges, then many: what was freed does not fit what comes.
    gardener.grow_until_full(round % 3 == 0 ? 8 : 80);
    gardener.check();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << round;
    gardener.move_root(round * 7);
    gardener.check();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << round;
    if (gardener.root_children() == 0) break;
  }
}

TEST(BudgetedTree, FillsAlmostAllOfItsMemory) {
  Gardener gardener;
  gardener.grow_until_full(40);
  EXPECT_GT(gardener.tree().used_bytes(), gardener.tree().capacity_bytes() * 99 / 100);
  gardener.move_root(0);
  const std::size_t kept = gardener.tree().used_bytes();
  EXPECT_LT(kept, gardener.tree().capacity_bytes() / 2) << "the test should free most of it";
  gardener.grow_until_full(40);
  EXPECT_GT(gardener.tree().used_bytes(), gardener.tree().capacity_bytes() * 9 / 10);
}

TEST(BudgetedTree, ReservesNoMoreThanItsBudget) {
  for (const std::size_t bytes : {kBytes, kBytes + 1, kBytes + 519, std::size_t{12345678}}) {
    const TestTree tree(bytes);
    EXPECT_LE(tree.reserved_bytes(), bytes);
    EXPECT_GT(tree.reserved_bytes() + 1024, bytes);
  }
  EXPECT_THROW(TestTree(kBytes - 1), std::invalid_argument);
}

TEST(BudgetedTree, TakesBackTheLastChild) {
  TestTree tree(kBytes);
  const Handle root = tree.try_add_node().value();
  ASSERT_TRUE(tree.try_reserve_edges(tree.node(root), 3));
  tree.add_edges(tree.node(root), 3);
  const std::size_t used = tree.used_bytes();
  for (int again = 0; again < 2; ++again) {
    ASSERT_NE(tree.try_add_child(root), nullptr);
    tree.remove_last_child(root);
    EXPECT_EQ(tree.used_bytes(), used);
    EXPECT_EQ(tree.node_count(), 1U);
  }
}

}  // namespace
}  // namespace faultline
