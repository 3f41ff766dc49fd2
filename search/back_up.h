// What a visit changes on the way from the root to its leaf: sums, visits and virtual losses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/evaluation.h"
#include "search/exact_sums.h"
#include "search/tree.h"

namespace faultline {

/// The evaluation of a node without children: every visit will add it.
inline void set_evaluation(ChildlessNode& node, const Evaluation& evaluation) {
  const FixedEvaluation own(evaluation);
  node.value = static_cast<std::int32_t>(-own.value);  // for the mover of the parent
  node.draw = static_cast<std::uint32_t>(own.draw);
  node.moves_left = static_cast<std::uint32_t>(own.moves_left);
}

/// Adds a visit's evaluation to the sums of a node with children, and removes `virtual_loss`.
/// Returns the virtual losses that remain. `visit`: for the mover of the node's parent.
inline std::uint32_t add_visit(Node& node, const FixedEvaluation& visit, int virtual_loss) {
  if (!node.has_children) return 0;
  auto& parent = static_cast<ParentNode&>(node);
  parent.sums.add(visit);
  parent.in_flight = static_cast<std::uint16_t>(parent.in_flight - virtual_loss);
  return parent.in_flight;
}

/// Adds a leaf's evaluation, which is already its own, to every node on the path to it, and removes
/// `virtual_loss` from them. `path`: edge indices, the root's first. `biased`: Tree::update_score's
/// `may_have_bonuses`.
template <bool biased = false>
void back_up(Tree& tree, ChildEdge& root, std::span<const std::uint16_t> path,
             const Evaluation& leaf, int virtual_loss) {
  FixedEvaluation visit(leaf);  // for the mover of the parent, of every node in turn
  visit.step_back(path.size());
  visit.value = -visit.value;
  ++root.visits;
  add_visit(tree.node(root.node), visit, virtual_loss);
  Handle at = root.node;
  for (const std::uint16_t i : path) {
    visit.step_forward();
    ParentNode& parent = tree.parent(at);
    Child& child = Tree::children(parent)[i];
    at = child.node;
    ++child.visits;
    tree.update_score<biased>(parent, i, add_visit(tree.node(at), visit, virtual_loss));
  }
}

/// Adds virtual losses to every node on a path, or takes them back, which ends at a leaf in flight
/// or one that no longer is: of a leaf, its state tells it. Each leaf counts as `virtual_loss`.
template <bool biased = false>
void add_virtual_losses(Tree& tree, Handle root, std::span<const std::uint16_t> path, int change,
                        int virtual_loss) {
  const auto add = [change](Node& node) {
    if (!node.has_children) return;
    auto& parent = static_cast<ParentNode&>(node);
    parent.in_flight = static_cast<std::uint16_t>(parent.in_flight + change);
  };
  add(tree.node(root));
  Handle at = root;
  for (const std::uint16_t i : path) {
    ParentNode& parent = tree.parent(at);
    at = Tree::children(parent)[i].node;
    add(tree.node(at));
    tree.update_score<biased>(parent, i, tree.in_flight(at, virtual_loss));
  }
}

}  // namespace faultline
