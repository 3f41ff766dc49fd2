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

/// A node with children is won for its mover if one child is lost for its own, and lost if all its
/// moves have children and all of those are won. In both cases this is the length of the shortest
/// line that the tree contains, an upper bound of the shortest there is. Draws by repetition prove
/// nothing. Where only some moves are searched, a node is never lost.
inline Proof find_proof(const Tree& tree, Handle h) {
  const ParentNode& node = tree.parent(h);
  Proof win = kUnproven;
  Proof longest_loss = kUnproven;
  bool loses = node.has_all_moves && node.child_count == node.edge_count;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    const Proof proof = parent_proof(tree.proof(tree.child(h, i).node));
    if (proof > 0) win = win == kUnproven ? proof : std::min(win, proof);
    if (proof < 0) longest_loss = std::min(longest_loss, proof);
    loses = loses && proof < 0;
  }
  return win != kUnproven ? win : loses ? longest_loss : kUnproven;
}

/// Records what follows on the way up from the game being over, with `end`, at the end of `path`.
template <class Path>
void prove_path(Tree& tree, const Path& path, NodeState end) {
  if (end != NodeState::Win && end != NodeState::Loss) return;
  for (std::size_t i = path.size(); i-- > 0;) {
    ParentNode& parent = tree.parent(path[i].parent);
    const Proof proof = find_proof(tree, path[i].parent);
    if (proof == parent.proof) return;
    parent.proof = proof;
  }
}

/// Whether a move to `child` realises what is proven for its parent.
inline bool keeps_proof(const Tree& tree, Handle parent, Handle child) {
  const Proof proof = tree.proof(parent);
  return proof != kUnproven && parent_proof(tree.proof(child)) == proof;
}

}  // namespace faultline
