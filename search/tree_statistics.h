// What a search tree says about positions and moves.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rules/move.h"
#include "search/evaluation.h"
#include "search/root_moves.h"
#include "search/tree.h"

namespace faultline {

/// The mean at the node that a visited edge leads to, for the side to move there.
Evaluation mean_of(const Tree& tree, const ChildEdge& edge);

/// The root's own evaluation, for the side to move: what its visits found less what its children's
/// did. `root` must have visits.
Evaluation own_evaluation(const Tree& tree, const ChildEdge& root);

/// The statistics of all of `legal`, the moves at the root, in their order. Unvisited ones have the
/// root's evaluation, `mean`; those that are proven to win or to lose have that value if proofs
/// decide.
std::vector<RootMove> root_statistics(const Tree& tree, Handle root, std::span<const Move> legal,
                                      const Evaluation& mean);

/// The node's child by a move.
std::optional<ChildEdge> find_child(const Tree& tree, Handle at, Move move);

/// The most visited line that starts with `first` at `root`, `first` included, of `longest` moves
/// at most; empty if it was not searched. Where a win or a loss is proven, it follows the proof.
std::vector<Move> most_visited_line(const Tree& tree, Handle root, Move first, std::size_t longest);

}  // namespace faultline
