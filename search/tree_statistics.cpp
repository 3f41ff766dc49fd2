// Reading a search tree.
#include "search/tree_statistics.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "search/exact_sums.h"
#include "search/proof.h"

namespace faultline {

Evaluation mean_of(const Tree& tree, const ChildEdge& edge) {
  Evaluation mean = tree.sums(edge.node, edge.visits).mean(edge.visits);  // for the parent's mover
  std::swap(mean.win, mean.loss);
  return mean;
}

Evaluation own_evaluation(const Tree& tree, const ChildEdge& root) {
  EvaluationSum own = tree.sums(root.node, root.visits);
  own.value = -own.value;
  std::uint32_t visits = root.visits;
  for (std::size_t i = 0; i < tree.child_count(root.node); ++i) {
    const ChildEdge edge = tree.child(root.node, i);
    const EvaluationSum child = tree.sums(edge.node, edge.visits);
    own.value -= child.value;
    own.draw -= child.draw;
    own.moves_left -= child.moves_left + std::int64_t{edge.visits} *
                                             static_cast<std::int64_t>(FixedEvaluation::kPlyUnits);
    visits -= edge.visits;
  }
  return own.mean(visits);
}

std::vector<RootMove> root_statistics(const Tree& tree, Handle root, std::span<const Move> legal,
                                      const Evaluation& mean) {
  std::vector<RootMove> result;
  result.reserve(legal.size());
  for (const Move move : legal)
    result.push_back({.move = move,
                      .visits = 0,
                      .prior = 0,
                      .value = mean.value(),
                      .draw = mean.draw,
                      .moves_left = mean.moves_left});
  if (tree.node(root).state != NodeState::Expanded) return result;
  for (RootMove& move : result)
    move.excluded = true;
  const ConstEdgeView edges = tree.edges(root);
  const std::size_t children = tree.child_count(root);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    RootMove& found = result[edges.move_index(i)];
    found.excluded = false;
    found.prior = unpack_prior(edges.prior(i));
    if (tree.node(root).has_bonuses) found.bonus = edges.bonus(i);
    if (i >= children) continue;
    const ChildEdge edge = tree.child(root, i);
    if (edge.visits == 0) continue;
    const Evaluation value = tree.sums(edge.node, edge.visits).mean(edge.visits);
    found.visits = edge.visits;
    found.value = value.value();
    found.draw = value.draw;
    found.moves_left = value.moves_left + 1;
    found.mate_plies = mate_plies(parent_proof(tree.proof(edge.node))).value_or(0);
    if (found.mate_plies == 0 || !tree.proofs_decide()) continue;
    found.value = found.wins() ? 1.0F : -1.0F;
    found.draw = 0;
    found.moves_left = static_cast<float>(std::abs(found.mate_plies));
  }
  return result;
}

std::optional<ChildEdge> find_child(const Tree& tree, Handle at, Move move) {
  for (std::size_t i = 0; i < tree.child_count(at); ++i)
    if (const ChildEdge child = tree.child(at, i); child.move == move) return child;
  return std::nullopt;
}

std::vector<Move> most_visited_line(const Tree& tree, Handle root, Move first,
                                    std::size_t longest) {
  std::vector<Move> moves;
  const std::optional<ChildEdge> child = find_child(tree, root, first);
  if (!child) return moves;
  moves.push_back(first);
  for (Handle at = child->node; moves.size() < longest;) {
    ChildEdge best;
    bool best_keeps = false;
    for (std::size_t i = 0; i < tree.child_count(at); ++i) {
      const ChildEdge next = tree.child(at, i);
      const bool keeps = keeps_proof(tree, at, next.node);
      if (i > 0 && std::pair(best_keeps, best.visits) >= std::pair(keeps, next.visits)) continue;
      best = next;
      best_keeps = keeps;
    }
    if (best.visits == 0) break;
    at = best.node;
    moves.push_back(best.move);
  }
  return moves;
}

}  // namespace faultline
