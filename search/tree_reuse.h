// Moving the root of a search tree: what stays below it, in a new tree or in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "search/tree.h"

namespace faultline {

/// Visits that no longer count, as they enter a node's sums. Whether a twofold repetition counts as
/// a draw depends on the root: such nodes are re-evaluated on the next visit, and what they
/// contributed to their ancestors (draws of value 0) is subtracted.
struct TakenBack {
  std::uint32_t visits = 0;
  std::int64_t draws = 0;       // as in EvaluationSum
  std::int64_t moves_left = 0;  // as in EvaluationSum

  /// What a child's ancestors lose. A node is one ply further from the end than its child.
  void add_child(const TakenBack& below) {
    visits += below.visits;
    draws += below.draws;
    moves_left +=
        below.moves_left + static_cast<std::int64_t>(below.visits * FixedEvaluation::kPlyUnits);
  }
  /// Renews a node below which this is taken back. `node_visits`: so far.
  void renew(Node& node, std::uint32_t node_visits) {
    if (node.state == NodeState::TwoFold) {  // no children; each visit was one draw
      *this = {node_visits, node.sums.draw, node.sums.moves_left};
      node.state = NodeState::Fresh;
    }
    node.sums.draw -= draws;
    node.sums.moves_left -= moves_left;
  }
};

struct CopiedSubtree {
  Handle node;
  TakenBack taken_back;
};
/// Copies the subtree that an edge leads to into another tree, children without slack.
template <class TreeType>
CopiedSubtree copy_subtree(const TreeType& from, const ChildEdge& edge, TreeType& into) {
  CopiedSubtree copy{into.add_node(), {}};
  const Node& old = from.node(edge.node);
  Node renewed = old;
  if (old.edge_count > 0)
    std::copy_n(from.edges(old).units(), EdgeView::units_for(old.edge_count),
                into.add_edges(renewed, old.edge_count).units());
  if (old.child_count > 0) {
    into.reserve_children(renewed, old.child_count);
    for (std::size_t i = 0; i < old.child_count; ++i) {
      ChildEdge child = from.children(old)[i];
      const CopiedSubtree below = copy_subtree(from, child, into);
      child.node = below.node;
      child.visits -= below.taken_back.visits;
      into.children(renewed)[i] = child;
      copy.taken_back.add_child(below.taken_back);
    }
  }
  copy.taken_back.renew(renewed, edge.visits);
  into.node(copy.node) = renewed;
  return copy;
}

/// Marks and renews the subtree that an edge of a BudgetedTree leads to.
template <class TreeType>
TakenBack mark_subtree(TreeType& tree, const ChildEdge& edge) {
  Node& node = tree.node(edge.node);
  tree.mark(edge.node);
  TakenBack taken_back;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    ChildEdge& child = tree.children(node)[i];
    const TakenBack below = mark_subtree(tree, child);
    child.visits -= below.visits;
    taken_back.add_child(below);
  }
  taken_back.renew(node, edge.visits);
  return taken_back;
}
/// Frees everything but the subtree that an edge of a BudgetedTree leads to; returns the visits
/// that it loses.
template <class TreeType>
std::uint32_t keep_subtree(TreeType& tree, const ChildEdge& edge) {
  tree.begin_marking();
  const std::uint32_t lost = mark_subtree(tree, edge).visits;
  tree.sweep();
  return lost;
}

}  // namespace faultline
