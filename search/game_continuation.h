// Where a game's next positions are in the tree of its earlier ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rules/history.h"
#include "rules/position.h"
#include "search/tree.h"

namespace faultline {

/// The most visited child of the node `at`, which holds `position`, whose position has `key`.
template <Position P>
std::optional<ChildEdge> find_child_by_key(const Tree& tree, Handle at, const P& position,
                                           std::uint64_t key) {
  std::optional<ChildEdge> found;
  for (std::size_t i = 0; i < tree.child_count(at); ++i) {
    const ChildEdge child = tree.child(at, i);
    P next = position;
    next.play(child.move);
    if (next.key() == key && (!found || child.visits > found->visits)) found = child;
  }
  return found;
}

/// The node of the last position of `next`, if that is `known`, whose last position `root` holds,
/// continued by moves that were searched; `root` if it is `known` itself.
template <Position P>
std::optional<ChildEdge> node_reached(const Tree& tree, const ChildEdge& root,
                                      const PositionHistory<P>& known,
                                      const PositionHistory<P>& next) {
  const std::size_t played = known.keys().size();
  if (next.keys().size() < played) return std::nullopt;
  for (std::size_t i = played; i-- > 0;)
    if (next.keys()[i] != known.keys()[i]) return std::nullopt;
  ChildEdge reached = root;
  P position = known.position();
  for (std::size_t i = played; i < next.keys().size(); ++i) {
    const std::optional<ChildEdge> child =
        find_child_by_key(tree, reached.node, position, next.keys()[i]);
    if (!child) return std::nullopt;
    position.play(child->move);
    reached = *child;
  }
  if (position.halfmove_clock() != next.position().halfmove_clock() ||
      position.repetition_window() != next.position().repetition_window() ||
      position.full_move_number() != next.position().full_move_number())
    return std::nullopt;  // a different game through the same positions
  return reached;
}

}  // namespace faultline
