// Where a line of the search tree ends: by the rules, or at the first repetition inside the tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rules/history.h"
#include "rules/position.h"
#include "search/evaluation.h"
#include "search/pending_leaves.h"
#include "search/tree.h"

namespace faultline {

struct LineEnd {
  NodeState state;  // Fresh if the line goes on
  int repetitions;  // how often the position occurred before
};

/// The state of a new node at the end of `path`, which holds `position`. `played`: the game's keys,
/// those of the root last.
template <Position P>
LineEnd find_line_end(const P& position, bool has_moves, std::span<const PathStep> path,
                      const KeyHistory& played, bool two_fold_draws) {
  const Outcome outcome = position.outcome(has_moves);
  if (is_over(outcome)) {
    const int score = score_for(outcome, position.side_to_move());
    return {score > 0 ? NodeState::Win : score < 0 ? NodeState::Loss : NodeState::Draw, 0};
  }
  // Counted in plies from the root: 0 is the root, the path holds the positions below it (this one
  // last), and the game's keys those played before it.
  const int root_at = static_cast<int>(played.size()) - 1;
  const int here = static_cast<int>(path.size());
  const int first = std::max(here - position.repetition_window(), -root_at);
  int in_tree = 0;
  int before = 0;
  for (int ply = here - 2; ply >= first; ply -= 2) {
    const std::uint64_t key = ply > 0 ? path[static_cast<std::size_t>(ply - 1)].key
                                      : played[static_cast<std::size_t>(root_at + ply)];
    if (key == path.back().key) ++(ply >= 0 ? in_tree : before);
  }
  const int repetitions = in_tree + before;
  if (repetitions >= 2) return {NodeState::Draw, repetitions};
  if (in_tree > 0 && two_fold_draws) return {NodeState::TwoFold, repetitions};
  return {NodeState::Fresh, repetitions};
}

/// The evaluation of a terminal node, for the side to move there.
inline Evaluation terminal_evaluation(NodeState state) {
  switch (state) {
    case NodeState::Win:
      return {.win = 1, .draw = 0, .loss = 0, .moves_left = 0};
    case NodeState::Loss:
      return {.win = 0, .draw = 0, .loss = 1, .moves_left = 0};
    default:
      return {.win = 0, .draw = 1, .loss = 0, .moves_left = 0};
  }
}

}  // namespace faultline
