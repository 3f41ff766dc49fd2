// Fetching from memory what the next descent will probably read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/tree.h"

namespace faultline {

/// In a tree that is larger than the caches, each node of a descent is read at random from main
/// memory, and where it is follows only from the node before. So the next descent is worked out
/// while the present one's leaf waits for its evaluation and is expanded: advance() follows it a
/// few nodes at a time, and asks the processor for the next one's memory. Work is not repeated:
/// what was selected at a node that has not changed since is remembered there (ParentNode::next)
/// for the descent itself, so that searches give the same results with and without.
class LookAhead {
 public:
  /// Trees of at least so many bytes are too large for the caches.
  static constexpr std::size_t kLargeTree = std::size_t{1} << 20;

  /// Starts at the root.
  void start(const ChildEdge& root) {
    at_ = root;
    root_visits_ = root.visits;
    depth_ = 0;
  }
  void stop() { at_.node = kNoHandle; }

  /// Goes on to the first node that is probably not in the caches. `select(edge, depth)`: the edge
  /// that selection follows from the node that `edge` leads to, `depth` plies from the root.
  template <class Select>
  void advance(Tree& tree, Select&& select) {
    while (at_.node != kNoHandle && tree.node(at_.node).has_children) {
      const std::size_t i = select(at_, depth_);
      if (i >= tree.parent(at_.node).child_count) break;
      at_ = tree.child(at_.node, i);
      ++depth_;
      tree.prefetch(at_.node, at_.visits);
      if (std::uint64_t{at_.visits} * kOftenVisited < root_visits_) return;
    }
    stop();
  }

 private:
  /// Nodes with more than this share of the visits are in the caches.
  static constexpr std::uint64_t kOftenVisited = 2048;

  ChildEdge at_;
  std::uint32_t root_visits_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace faultline
