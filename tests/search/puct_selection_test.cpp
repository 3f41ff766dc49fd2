// Selection: the scores that are kept with the children are those of PUCT.
#include "search/puct_selection.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(LogGrowth, IsTheLogarithmOfOneMore) {
  for (float growth = 1e-6F; growth < 1e6F; growth *= 1.01F)
    EXPECT_NEAR(log_growth(growth), std::log1p(growth), 1.0F / 8000) << growth;
}

/// A node with `count` children of few different priors, visits and values, so that scores are
/// equal, too, and `childless` edges more.
struct Family {
  Family(std::size_t count, std::mt19937& rng, std::size_t childless = 0)
      : tree(Tree::kLeastBytes), parent(tree.add_node(NodeState::Expanded, count + childless)) {
    for (std::size_t i = 0; i < count + childless; ++i) {
      tree.edges(parent).set_prior(i, pack_prior(0.01F * static_cast<float>(1 + rng() % 3)));
      tree.edges(parent).set_move_index(i, i);
    }
    const std::vector<Move> legal(count + childless);
    for (std::size_t i = 0; i < count; ++i) {
      parent = tree.make_room_for_child(parent, 1, legal);
      const Handle child = tree.add_node(NodeState::Draw, 0);
      tree.childless(child).value = static_cast<std::int32_t>(rng() % 3) - 1;
      tree.childless(child).value *= static_cast<std::int32_t>(FixedEvaluation::kUnits) / 2;
      tree.childless(child).draw = rng() % 2 * static_cast<std::uint32_t>(FixedEvaluation::kUnits);
      tree.childless(child).moves_left = static_cast<std::uint32_t>(rng() % 50) *
                                         static_cast<std::uint32_t>(FixedEvaluation::kPlyUnits);
      if (rng() % 3 == 0) tree.node(child).state = NodeState::Pending;
      tree.add_child(parent, child);
      Tree::children(tree.parent(parent))[i].visits =
          rng() % 3 == 0 ? rng() % (1U << 24) : rng() % 4;
      tree.update_score<false>(tree.parent(parent), i, tree.in_flight(child, kVirtualLoss));
    }
  }
  static constexpr int kVirtualLoss = 2;
  Tree tree;
  Handle parent;
};

TEST(PuctSelection, FindsTheFirstChildWithTheHighestScore) {
  std::mt19937 rng(1);
  SearchParams params;
  params.virtual_loss = Family::kVirtualLoss;
  for (std::size_t count = 1; count <= 60; ++count) {
    Family family(count, rng);
    Tree& tree = family.tree;
    constexpr std::uint32_t kVisits = 5000;
    const float scale =
        (params.cpuct + std::log1p(kVisits / params.cpuct_base)) * std::sqrt(float{kVisits});
    std::size_t best = 0;
    float best_score = -1e30F;
    for (std::size_t i = 0; i < count; ++i) {
      const ChildEdge child = tree.child(family.parent, i);
      const bool waits = tree.node(child.node).state == NodeState::Pending;
      const float lost = waits ? Family::kVirtualLoss : 0;
      const float n = static_cast<float>(child.visits) + lost;
      const EvaluationSum sums = tree.sums(child.node, child.visits);
      const float q = (sums.value_sum() - lost) / std::max(n, 1.0F);
      const float prior = unpack_prior(tree.edges(family.parent).prior(i));
      const float score = q + scale * (prior / (1 + n));
      if (score <= best_score + 1e-4F) continue;
      best = i;
      best_score = score;
    }
    const std::size_t found =
        select_edge(params, tree.parent(family.parent),
                    {.visits = kVisits, .fpu_reduction = 0, .may_grow = true});
    EXPECT_EQ(found, best) << count << " children";
  }
}

TEST(PuctSelection, TakesTheFirstEdgeWithoutAChildIfItsFirstPlayUrgencyIsHighest) {
  std::mt19937 rng(2);
  const SearchParams params;
  constexpr std::uint32_t kVisits = 5000;
  const float scale =
      (params.cpuct + std::log1p(kVisits / params.cpuct_base)) * std::sqrt(float{kVisits});
  int taken = 0, left = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + rng() % 8;
    Family family(count, rng, 3);
    Tree& tree = family.tree;
    ParentNode& parent = tree.parent(family.parent);
    EvaluationSum visited;  // of the parent's parent
    visited.value = (static_cast<std::int64_t>(rng() % 1001) - 500) *
                    static_cast<std::int64_t>(FixedEvaluation::kUnits);
    parent.sums = visited;
    const float reduction = 0.1F * static_cast<float>(rng() % 10);
    float best_child = -1e30F, priors = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Child& child = Tree::children(parent)[i];
      best_child = std::max(best_child, child.mean + scale * child.exploration);
      priors += unpack_prior(tree.edges(family.parent).prior(i));
    }
    const float urgency = -visited.value_sum() / kVisits - reduction * std::sqrt(priors) +
                          scale * unpack_prior(tree.edges(family.parent).prior(count));
    if (std::fabs(urgency - best_child) < 1e-3F) continue;
    const auto found = [&](bool may_grow) {
      return select_edge(params, parent,
                         {.visits = kVisits, .fpu_reduction = reduction, .may_grow = may_grow});
    };
    EXPECT_EQ(found(true) == count, urgency > best_child);
    EXPECT_LT(found(false), count);
    ++(urgency > best_child ? taken : left);
  }
  EXPECT_GT(taken, 20);
  EXPECT_GT(left, 20);
}

}  // namespace
}  // namespace faultline
