// PUCT (Silver et al. 2018): which edge a descent follows from a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "search/params.h"
#include "search/tree.h"

namespace faultline {

/// log(1 + growth), to within 1/8000: the library function would cost noticeable time at every
/// node of the upper tree.
inline float log_growth(float growth) {
  if (growth < 1.0F / 64) return growth;
  if (growth < 1.0F / 8) return growth * (1 - growth * (0.5F - growth * (1.0F / 3)));
  return std::log1p(growth);
}

/// What selection at one node depends on besides the node.
struct SelectionSite {
  float fpu_reduction;  // the root has one of its own
  float draw_worth;     // of a draw to the node's mover
  bool may_grow;        // whether an edge without a child may be selected
};

/// The index of the best edge of an expanded node; child_count for the best one that has no child
/// yet. `from` leads to the node. The sums hold only wins and losses, so that the worth of draws
/// can change with the side to move at the root; without `with_draws` it is 0.
template <bool with_draws, class TreeType>
std::uint16_t select_edge(const SearchParams& params, const TreeType& tree, const Node& node,
                          const ChildEdge& from, const SelectionSite& site) {
  const ChildEdge* children = tree.children(node);
  const auto waiting = static_cast<float>(from.in_flight);
  const float visits = static_cast<float>(from.visits) + waiting;
  const float cpuct = params.cpuct + log_growth(visits / params.cpuct_base);
  const float scale = cpuct * std::sqrt(std::max(visits, 1.0F));

  float best_score = -1e30F;
  std::size_t best = node.child_count;
  float visited_prior = 0;
  for (std::size_t i = 0; i < node.child_count; ++i) {
    const ChildEdge& child = children[i];
    const auto lost = static_cast<float>(child.in_flight);
    const float n = static_cast<float>(child.visits) + lost;
    const float prior = unpack_prior(child.prior);
    visited_prior += prior;
    float wins = child.value_sum - lost;
    if constexpr (with_draws) wins += site.draw_worth * tree.node(child.node).sums.draw_sum();
    const float q = wins / std::max(n, 1.0F);
    const float score = q + scale * prior / (1 + n);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  if (site.may_grow && node.child_count < node.edge_count) {
    float wins = -from.value_sum;
    if constexpr (with_draws) wins += site.draw_worth * node.sums.draw_sum();
    const float mean = from.visits ? wins / static_cast<float>(from.visits) : 0.0F;
    const float q = mean - site.fpu_reduction * std::sqrt(visited_prior);
    const float prior = unpack_prior(tree.edges(node).prior(node.child_count));
    if (q + scale * prior > best_score) best = node.child_count;
  }
  return static_cast<std::uint16_t>(best);
}

}  // namespace faultline
