// Selection: the scores that are kept with the children are those of PUCT.
#include "search/puct_selection.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(LogGrowth, IsTheLogarithmOfOneMore) {
  for (float growth = 1e-6F; growth < 1e6F; growth *= 1.01F)
    EXPECT_NEAR(log_growth(growth), std::log1p(growth), 1.0F / 8000) << growth;
}

/// A node with `count` children of few different priors, visits and values, so that scores are
/// equal, too.
struct Family {
  Family(std::size_t count, std::mt19937& rng)
      : tree(Tree::kLeastBytes), parent(tree.add_node(NodeState::Expanded, count)) {
    for (std::size_t i = 0; i < count; ++i) {
      tree.edges(parent).set_prior(i, pack_prior(0.01F * static_cast<float>(1 + rng() % 3)));
      tree.edges(parent).set_move_index(i, i);
    }
    const std::vector<Move> legal(count);
    for (std::size_t i = 0; i < count; ++i) {
      parent = tree.make_room_for_child(parent, 1, legal);
      const Handle child = tree.add_node(NodeState::Draw, 0);
      tree.childless(child).value = static_cast<std::int32_t>(rng() % 3) - 1;
      tree.childless(child).value *= static_cast<std::int32_t>(FixedEvaluation::kUnits) / 2;
      tree.childless(child).draw = rng() % 2 * static_cast<std::uint32_t>(FixedEvaluation::kUnits);
      if (rng() % 3 == 0) tree.node(child).state = NodeState::Pending;
      tree.add_child(parent, child);
      Tree::children(tree.parent(parent))[i].visits =
          rng() % 3 == 0 ? rng() % (1U << 24) : rng() % 4;
      tree.update_score(tree.parent(parent), i, tree.in_flight(child, kVirtualLoss));
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
  for (std::size_t count = 1; count <= 60; ++count)
    for (const float draw_worth : {0.0F, 0.5F}) {
      const Family family(count, rng);
      const Tree& tree = family.tree;
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
        const float q =
            (sums.value_sum() - lost + draw_worth * sums.draw_sum()) / std::max(n, 1.0F);
        const float prior = unpack_prior(tree.edges(family.parent).prior(i));
        const float score = q + scale * (prior / (1 + n));
        if (score <= best_score + 1e-4F) continue;
        best = i;
        best_score = score;
      }
      const std::size_t found = select_edge(
          params, tree, tree.parent(family.parent),
          {.visits = kVisits, .fpu_reduction = 0, .draw_worth = draw_worth, .may_grow = true});
      EXPECT_EQ(found, best) << count << " children, draws worth " << draw_worth;
    }
}

}  // namespace
}  // namespace faultline
