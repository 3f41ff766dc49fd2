// Proven wins and losses in a search tree, and the lengths of their lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "search/tree.h"

namespace faultline {

/// What one child's proof gives its parent's mover by that move.
constexpr Proof parent_proof(Proof child) {
  constexpr int kMost = 32000;
  if (child == kUnproven) return kUnproven;
  return static_cast<Proof>(child < 0 ? std::min(1 - child, kMost) : std::max(-1 - child, -kMost));
}

/// Plies to the mate: positive if the mover mates, negative if it is mated, nothing if unproven.
constexpr std::optional<int> mate_plies(Proof proof) {
  if (proof == kUnproven) return std::nullopt;
  return proof > 0 ? proof - 1 : proof + 1;
}

/// A node is won for its mover if one child is lost for its own, and lost if all its moves have
/// children and all of those are won. In both cases this is the length of the shortest line that
/// the tree contains, an upper bound of the shortest there is. Draws by repetition prove nothing.
/// `all_edges`: whether the node's edges are all legal moves.
template <class TreeType>
Proof find_proof(const TreeType& tree, const Node& node, bool all_edges) {
  const ChildEdge* children = tree.children(node);
  Proof win = kUnproven;
  Proof longest_loss = kUnproven;
  bool loses = all_edges && node.child_count == node.edge_count;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    const Proof proof = parent_proof(tree.node(children[i].node).proof);
    if (proof > 0) win = win == kUnproven ? proof : std::min(win, proof);
    if (proof < 0) longest_loss = std::min(longest_loss, proof);
    loses = loses && proof < 0;
  }
  return win != kUnproven ? win : loses ? longest_loss : kUnproven;
}

/// Records that the game is over at the end of `path`, and what follows from it on the way up.
template <class TreeType, class Path>
void prove_path(TreeType& tree, const Path& path, NodeState end, bool all_root_edges) {
  if (end != NodeState::Win && end != NodeState::Loss) return;
  tree.node(path.back().child->node).proof = end == NodeState::Win ? 1 : -1;
  for (std::size_t i = path.size(); i-- > 0;) {
    Node& parent = tree.node(path[i].parent);
    const Proof proof = find_proof(tree, parent, i > 0 || all_root_edges);
    if (proof == parent.proof) return;
    parent.proof = proof;
  }
}

/// Whether a move to `child` realises what is proven for its parent.
template <class TreeType>
bool keeps_proof(const TreeType& tree, const Node& parent, const ChildEdge& child) {
  return parent.proof != kUnproven && parent_proof(tree.node(child.node).proof) == parent.proof;
}

}  // namespace faultline
