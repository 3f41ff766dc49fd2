// Descents, and those that wait for the evaluation of their leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/move_bias.h"
#include "search/tree.h"

namespace faultline {

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

  // In searches with a strategy, after each add().
  /// What the strategy says of the leaf's legal moves; nothing if the leaf's mover follows none.
  void add_verdicts(std::span<const MoveVerdict> verdicts) {
    verdicts_.insert(verdicts_.end(), verdicts.begin(), verdicts.end());
    verdict_ends_.push_back(verdicts_.size());
  }
  /// The verdicts on the moves of the leaf with this index in leaves().
  std::span<const MoveVerdict> verdicts(std::size_t leaf) const {
    const std::size_t begin = leaf == 0 ? 0 : verdict_ends_[leaf - 1];
    return {verdicts_.data() + begin, verdict_ends_[leaf] - begin};
  }
  void clear_verdicts() {
    verdicts_.clear();
    verdict_ends_.clear();
  }

 private:
  std::vector<Leaf> leaves_;
  std::vector<std::uint16_t> path_;
  std::vector<MoveVerdict> verdicts_;  // of all leaves
  std::vector<std::size_t> verdict_ends_;
};

}  // namespace faultline
