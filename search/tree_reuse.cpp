// Walks over the subtrees that stay.
#include "search/tree_reuse.h"

namespace faultline {
namespace {

/// What a node that stays, with `visits` so far, loses by itself. A twofold repetition has no
/// children, and each of its visits was one draw.
TakenBack renew_repetition(Tree& tree, Handle h, std::uint32_t visits) {
  ChildlessNode& node = tree.childless(h);
  if (node.state != NodeState::TwoFold) return {};
  const EvaluationSum sums = tree.sums(h, visits);
  node.state = NodeState::Fresh;
  return {.visits = visits, .draws = sums.draw, .moves_left = sums.moves_left};
}

/// Takes from a node what was taken back from its child i, and adds it to what its parent loses.
void take_back(Tree& tree, ParentNode& node, std::size_t i, const TakenBack& below,
               TakenBack& all) {
  if (below.visits == 0) return;
  // A node is one ply further from the end than its child.
  const std::int64_t moves_left =
      below.moves_left + static_cast<std::int64_t>(below.visits * FixedEvaluation::kPlyUnits);
  Tree::children(node)[i].visits -= below.visits;
  tree.update_score<true>(node, i, 0);
  node.sums.draw -= below.draws;
  node.sums.moves_left -= moves_left;
  all.visits += below.visits;
  all.draws += below.draws;
  all.moves_left += moves_left;
}

struct CopiedSubtree {
  Handle node;
  TakenBack taken_back;
};
CopiedSubtree copy(const Tree& from, Handle h, std::uint32_t visits, Tree& into) {
  CopiedSubtree copied{into.copy_node(from, h), {}};
  if (copied.node == kNoHandle) return copied;
  if (!into.node(copied.node).has_children) {
    copied.taken_back = renew_repetition(into, copied.node, visits);
    return copied;
  }
  for (std::size_t i = 0; i < into.parent(copied.node).child_count; ++i) {
    const ChildEdge child = into.child(copied.node, i);
    const CopiedSubtree below = copy(from, child.node, child.visits, into);
    if (below.node == kNoHandle) return below;
    ParentNode& node = into.parent(copied.node);
    Tree::children(node)[i].node = below.node;
    take_back(into, node, i, below.taken_back, copied.taken_back);
  }
  return copied;
}

TakenBack mark(Tree& tree, Handle h, std::uint32_t visits) {
  tree.mark(h);
  if (!tree.node(h).has_children) return renew_repetition(tree, h, visits);
  ParentNode& node = tree.parent(h);
  TakenBack taken_back;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    const ChildEdge child = tree.child(h, i);
    take_back(tree, node, i, mark(tree, child.node, child.visits), taken_back);
  }
  return taken_back;
}

}  // namespace

ChildEdge copy_subtree(const Tree& from, const ChildEdge& edge, Tree& into) {
  const CopiedSubtree copied = copy(from, edge.node, edge.visits, into);
  ChildEdge result = edge;
  result.node = copied.node;
  result.visits -= copied.taken_back.visits;
  return result;
}

ChildEdge keep_subtree(Tree& tree, const ChildEdge& edge) {
  tree.begin_marking();
  ChildEdge result = edge;
  result.visits -= mark(tree, edge.node, edge.visits).visits;
  tree.sweep();
  return result;
}

}  // namespace faultline
