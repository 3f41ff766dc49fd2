// Moving the root of a search tree: what stays below it, in a new tree or in place.
#pragma once

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
};

/// Copies the subtree that an edge leads to into an empty tree, without slack. Leaves the edge to
/// the copy, with the visits that it keeps; a node of kNoHandle if there is no room.
ChildEdge copy_subtree(const Tree& from, const ChildEdge& edge, Tree& into);

/// Frees everything but the subtree that an edge leads to; returns the edge with the visits that it
/// keeps.
ChildEdge keep_subtree(Tree& tree, const ChildEdge& edge);

}  // namespace faultline
