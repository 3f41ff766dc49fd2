// Descents, and those that wait for the evaluation of their leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/tree.h"

namespace faultline {

/// One ply of a descent.
struct PathStep {
  std::uint64_t key;  // of the position after the move
  Handle parent;      // valid only during the descent: nodes move as they grow
  std::uint16_t edge_index;
};

/// The leaves of one batch that wait for their evaluation, and the ways to them from the root.
class PendingLeaves {
 public:
  struct Leaf {
    std::size_t index;  // in the batch
    Handle node;        // it stays where it is while it waits
    std::size_t path_begin;
    std::size_t path_length;
  };

  bool empty() const { return leaves_.empty(); }
  std::size_t size() const { return leaves_.size(); }
  std::span<const Leaf> leaves() const { return leaves_; }
  /// Edge indices, the root's first.
  std::span<const std::uint16_t> path(const Leaf& leaf) const {
    return {path_.data() + leaf.path_begin, leaf.path_length};
  }

  /// `index`: of the leaf in the batch.
  void add(std::size_t index, Handle node, std::span<const PathStep> path) {
    leaves_.push_back(
        {.index = index, .node = node, .path_begin = path_.size(), .path_length = path.size()});
    for (const PathStep& step : path)
      path_.push_back(step.edge_index);
  }
  void clear() {
    leaves_.clear();
    path_.clear();
  }

 private:
  std::vector<Leaf> leaves_;
  std::vector<std::uint16_t> path_;
};

}  // namespace faultline
