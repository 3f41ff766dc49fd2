// A search tree in a fixed amount of memory: what it holds stays right while parts come and go.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "search/node_memory.h"
#include "search/tree.h"
#include "search/tree_reuse.h"

namespace faultline {
namespace {

constexpr std::size_t kBytes = Tree::kLeastBytes;

/// Grows a tree at random places and remembers what it put there.
class Gardener {
 public:
  explicit Gardener(Tree::Reserve reserve) : tree_(kBytes, reserve) {
    root_ = {.node = tree_.add_node(NodeState::Expanded, 0), .move = Move::from_bits(++names_)};
  }

  /// Fills the tree until there is no room for a node with up to `most` edges.
  void grow_until_full(std::size_t most) {
    while (grow(root_.node, root_.move, most)) {
    }
  }
  void move_root(std::size_t child) {
    root_ = tree_.child(root_.node, child % tree_.child_count(root_.node));
    root_ = keep_subtree(tree_, root_);
  }
  void copy_root(std::size_t child) {
    root_ = tree_.child(root_.node, child % tree_.child_count(root_.node));
    Tree copy(kBytes);
    root_ = copy_subtree(tree_, root_, copy);
    ASSERT_NE(root_.node, kNoHandle);
    tree_ = std::move(copy);
  }
  /// Every node is where its parent says, once, with the edges that it was given.
  void check() {
    std::set<Handle> nodes;
    std::set<std::uint32_t> names;
    visit(root_, [&](const ChildEdge& edge) {
      ASSERT_TRUE(nodes.insert(edge.node).second);
      ASSERT_TRUE(names.insert(edge.move.bits()).second) << "overwritten";
      const ConstEdgeView edges = std::as_const(tree_).edges(edge.node);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        ASSERT_EQ(edges.prior(i), prior_of(edge.move, i));
        ASSERT_EQ(edges.move_index(i), edges.size() - 1 - i);
      }
      for (std::size_t i = 0; i < tree_.child_count(edge.node); ++i)
        ASSERT_EQ(tree_.child(edge.node, i).move, legal_.at(edge.move.bits())[edges.move_index(i)]);
    });
    EXPECT_EQ(tree_.node_count(), nodes.size());
    EXPECT_LE(tree_.used_bytes(), tree_.capacity_bytes());
    EXPECT_LE(tree_.footprint_bytes(), tree_.capacity_bytes());
  }
  const Tree& tree() const { return tree_; }
  std::size_t root_children() const { return tree_.child_count(root_.node); }

 private:
  /// Adds a node somewhere below; false if there is no room.
  bool grow(Handle& at, Move name, std::size_t most) {
    if (tree_.node(at).edge_count == 0) {
      const std::size_t count = 1 + rng_() % most;
      const Handle roomy = tree_.add_node(NodeState::Expanded, count);
      if (roomy == kNoHandle) return false;
      tree_.remove_node(at);
      at = roomy;
      EdgeView edges = tree_.edges(at);
      std::vector<Move>& legal = legal_[name.bits()];
      legal.clear();
      for (std::size_t i = 0; i < count; ++i) {
        edges.set_prior(i, prior_of(name, i));
        edges.set_move_index(i, count - 1 - i);
        legal.push_back(Move::from_bits(++names_));
      }
    }
    const std::size_t children = tree_.child_count(at);
    const std::size_t i = rng_() % std::min<std::size_t>(tree_.node(at).edge_count, children + 2);
    if (i < children) {
      const ChildEdge child = tree_.child(at, i);
      Handle below = child.node;
      const bool grew = grow(below, child.move, most);
      Tree::children(tree_.parent(at))[i].node = below;
      return grew;
    }
    std::span<const Move> legal;
    if (!tree_.knows_next_move(at)) legal = legal_[name.bits()];
    const Handle room = tree_.make_room_for_child(at, 1, legal);
    if (room == kNoHandle) return false;
    at = room;
    const Handle added = tree_.add_node(NodeState::Expanded, 0);
    if (added == kNoHandle) return false;
    tree_.add_child(at, added);
    return true;
  }
  static std::uint16_t prior_of(Move name, std::size_t i) {
    return static_cast<std::uint16_t>((name.bits() * 31 + i) % 16000);
  }
  void visit(const ChildEdge& edge, const std::function<void(const ChildEdge&)>& see) {
    see(edge);
    for (std::size_t i = 0; i < tree_.child_count(edge.node); ++i)
      visit(tree_.child(edge.node, i), see);
  }

  Tree tree_;
  ChildEdge root_;
  std::uint32_t names_ = 0;
  std::map<std::uint32_t, std::vector<Move>> legal_;  // of a node by its own move
  std::mt19937_64 rng_{1};
};

TEST(TreeMemory, KeepsWhatItHoldsWhilePartsAreFreedAndUsedAgain) {
  for (const Tree::Reserve reserve : {Tree::Reserve::AtOnce, Tree::Reserve::AsNeeded}) {
    Gardener gardener(reserve);
    for (std::size_t round = 0; round < 60; ++round) {
      // Few edges, then many: what was freed does not fit what comes.
      gardener.grow_until_full(round % 3 == 0 ? 8 : 80);
      gardener.check();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << round;
      if (reserve == Tree::Reserve::AsNeeded && round % 2 == 0)
        gardener.copy_root(round * 7);
      else
        gardener.move_root(round * 7);
      gardener.check();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << round;
      if (gardener.root_children() == 0) break;
    }
  }
}

TEST(TreeMemory, FillsMostOfItsMemory) {
  for (const Tree::Reserve reserve : {Tree::Reserve::AtOnce, Tree::Reserve::AsNeeded}) {
    Gardener gardener(reserve);
    gardener.grow_until_full(40);
    EXPECT_GT(gardener.tree().used_bytes(), gardener.tree().capacity_bytes() * 7 / 10);
    gardener.move_root(0);
    const std::size_t kept = gardener.tree().used_bytes();
    EXPECT_LT(kept, gardener.tree().capacity_bytes() * 3 / 4) << "the test should free some of it";
    gardener.grow_until_full(40);
    EXPECT_GT(gardener.tree().used_bytes(), gardener.tree().capacity_bytes() * 7 / 10);
  }
}

TEST(TreeMemory, ReservesNoMoreThanItsBudget) {
  for (const std::size_t bytes : {kBytes, kBytes + 1, kBytes + 519, std::size_t{12345678}}) {
    const Tree tree(bytes, Tree::Reserve::AtOnce);
    EXPECT_LE(tree.reserved_bytes(), bytes);
    EXPECT_GT(tree.reserved_bytes() + 1024, bytes);
  }
  EXPECT_THROW(Tree(kBytes - 1), std::invalid_argument);
}

TEST(TreeMemory, StaysSmallWhereTheTreeIsSmall) {
  Tree tree;
  tree.add_node(NodeState::Fresh, 20);
  EXPECT_LT(tree.reserved_bytes(), 32U << 10);
}

TEST(NodeMemory, UsesFreedBlocksAgainAndDividesLargerOnes) {
  NodeMemory memory(Tree::kLeastBytes, NodeMemory::Reserve::AsNeeded);
  const Handle first = memory.allocate(40);
  memory.allocate(10);
  memory.release(first, 40);
  EXPECT_EQ(memory.allocate(12), first);
  EXPECT_EQ(memory.allocate(28), first + 12);
  EXPECT_EQ(memory.used_bytes(), 50 * NodeMemory::kUnit);
  EXPECT_EQ(memory.footprint_bytes(), 50 * NodeMemory::kUnit);
}

TEST(NodeMemory, LeavesOutChunksThatAreTooSmallForABlock) {
  NodeMemory memory(Tree::kLeastBytes, NodeMemory::Reserve::AsNeeded);
  const Handle large = memory.allocate(30000);
  ASSERT_NE(large, kNoHandle);
  std::memset(memory.at<std::byte>(large), 1, 30000 * NodeMemory::kUnit);
  EXPECT_LT(memory.reserved_bytes(), 2 * 32768 * NodeMemory::kUnit);
  for (Handle h = 0; h != kNoHandle; h = memory.allocate(7))
    if (h != 0) std::memset(memory.at<std::byte>(h), 2, 7 * NodeMemory::kUnit);
  EXPECT_EQ(*memory.at<unsigned char>(large), 1);
}

}  // namespace
}  // namespace faultline
