// What a search tree says about positions and moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rules/move.h"
#include "search/evaluation.h"
#include "search/proof.h"
#include "search/root_moves.h"
#include "search/tree.h"

namespace faultline {

/// The mean at the node that a visited edge leads to, for the side to move there.
template <class TreeType>
Evaluation mean_of(const TreeType& tree, const ChildEdge& edge) {
  Evaluation mean = tree.node(edge.node).sums.mean(edge.visits);  // for the parent's mover
  std::swap(mean.win, mean.loss);
  return mean;
}

/// The statistics of all of `legal`, the moves at the root, in their order. Unvisited ones have the
/// root's evaluation, `mean`.
template <class TreeType>
std::vector<RootMove> root_statistics(const TreeType& tree, const Node& root,
                                      std::span<const Move> legal, const Evaluation& mean) {
  std::vector<RootMove> result;
  result.reserve(legal.size());
  for (const Move move : legal)
    result.push_back({.move = move,
                      .visits = 0,
                      .prior = 0,
                      .value = mean.value(),
                      .draw = mean.draw,
                      .moves_left = mean.moves_left,
                      .wins = false});
  const ConstEdgeView edges = tree.edges(root);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    RootMove& found = result[edges.move_index(i)];
    found.prior = unpack_prior(edges.prior(i));
    if (i >= root.child_count) continue;
    const ChildEdge& edge = tree.children(root)[i];
    if (edge.visits == 0) continue;
    const Node& child = tree.node(edge.node);
    const Evaluation value = child.sums.mean(edge.visits);
    found.visits = edge.visits;
    found.value = value.value();
    found.draw = value.draw;
    found.moves_left = value.moves_left + 1;
    found.wins = child.state == NodeState::Loss;
  }
  return result;
}

template <class TreeType>
std::optional<ChildEdge> find_child(const TreeType& tree, Handle at, Move move) {
  const Node& node = tree.node(at);
  for (std::size_t i = 0; i < node.child_count; ++i)
    if (tree.node(tree.children(node)[i].node).move == move) return tree.children(node)[i];
  return std::nullopt;
}

/// The most visited line that starts with `first` at `root`, `first` included; empty if it was
/// not searched. Where a win or a loss is proven, it follows the proof.
template <class TreeType>
std::vector<Move> most_visited_line(const TreeType& tree, Handle root, Move first,
                                    std::size_t longest) {
  std::vector<Move> moves;
  const std::optional<ChildEdge> child = find_child(tree, root, first);
  if (!child) return moves;
  moves.push_back(first);
  Handle at = child->node;
  while (moves.size() < longest) {
    const Node& node = tree.node(at);
    if (node.state != NodeState::Expanded || node.child_count == 0) break;
    const ChildEdge* children = tree.children(node);
    const ChildEdge* best = std::max_element(
        children, children + node.child_count, [&](const ChildEdge& a, const ChildEdge& b) {
          return std::pair(keeps_proof(tree, node, a), a.visits) <
                 std::pair(keeps_proof(tree, node, b), b.visits);
        });
    if (best->visits == 0) break;
    at = best->node;
    moves.push_back(tree.node(at).move);
  }
  return moves;
}

}  // namespace faultline
