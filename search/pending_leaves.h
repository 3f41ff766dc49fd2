// Descents that wait for the evaluation of their leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/tree.h"

namespace faultline {

/// A child by its index, since child edges move as their blocks grow.
struct PathStep {
  std::uint64_t key;  // of the position after the move
  ChildEdge* child;   // valid only during the descent: edges move as their blocks grow
  Handle parent;
  std::uint16_t edge_index;
};

/// The leaves of one batch that wait for their evaluation, and their paths.
class PendingLeaves {
 public:
  struct Leaf {
    std::size_t index;  // in the batch
    Handle node;
    std::size_t path_begin;
    std::size_t path_length;
  };

  bool empty() const { return leaves_.empty(); }
  std::size_t size() const { return leaves_.size(); }
  std::span<const Leaf> leaves() const { return leaves_; }
  std::span<const PathStep> path(const Leaf& leaf) const {
    return {path_.data() + leaf.path_begin, leaf.path_length};
  }

  /// `index`: of the leaf in the batch.
  void add(std::size_t index, Handle node, std::span<const PathStep> path) {
    leaves_.push_back(
        {.index = index, .node = node, .path_begin = path_.size(), .path_length = path.size()});
    path_.insert(path_.end(), path.begin(), path.end());
  }
  void clear() {
    leaves_.clear();
    path_.clear();
  }

 private:
  std::vector<Leaf> leaves_;
  std::vector<PathStep> path_;
};

}  // namespace faultline
