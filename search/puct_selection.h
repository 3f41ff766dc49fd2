// PUCT (Silver et al. 2018): which edge a descent follows from a node.
#pragma once

#include <algorithm>
#include <bit>
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
  // 1 + growth = 2^exponent m with m in 3/4 … 3/2, and log m = 2 artanh((m - 1) / (m + 1)).
  const auto bits = std::bit_cast<std::uint32_t>(1 + growth);
  const std::uint32_t exponent = (bits + (1U << 22)) >> 23;
  const float m = std::bit_cast<float>(bits - ((exponent - 127) << 23));
  const float s = (m - 1) / (m + 1);
  const float squared = s * s;
  const float artanh = s * (1 + squared * (1.0F / 3 + squared * (1.0F / 5)));
  return static_cast<float>(exponent - 127) * 0.69314718F + 2 * artanh;
}

/// What selection at a node depends on besides the node.
struct SelectionSite {
  std::uint32_t visits;  // of the edge that leads there
  float fpu_reduction;   // the root has one of its own
  bool may_grow;         // whether an edge without a child may be selected
};

/// An edge and its PUCT score.
struct Selected {
  float score;
  std::uint32_t edge;
};

namespace puct {

/// The first of the children with the highest score.
inline Selected best_child(const ParentNode& node, float scale) {
  const Child* const children = Tree::children(node);
  const std::uint32_t count = node.child_count;
  Selected found{.score = -1e30F, .edge = count};
  for (std::uint32_t i = 0; i < count; ++i) {
    const float score = children[i].mean + scale * children[i].exploration;
    found.edge = score > found.score ? i : found.edge;
    found.score = score > found.score ? score : found.score;
  }
  return found;
}

}  // namespace puct

/// How much a move's exploration counts at a node with `visits`, of which `in_flight` are waiting.
inline float exploration_scale(const SearchParams& params, std::uint32_t site_visits,
                               std::uint32_t in_flight) {
  const float visits = static_cast<float>(site_visits) + static_cast<float>(in_flight);
  const float cpuct = params.cpuct + log_growth(visits / params.cpuct_base);
  return cpuct * std::sqrt(std::max(visits, 1.0F));
}

/// The index of the best edge of an expanded node with children; child_count for the best one that
/// has no child yet. `biased`: nodes may have bonuses.
template <bool biased = false>
std::size_t select_edge(const SearchParams& params, const ParentNode& node,
                        const SelectionSite& site) {
  const float scale = exploration_scale(params, site.visits, node.in_flight);
  const Selected found = puct::best_child(node, scale);
  if (site.may_grow && node.child_count < node.edge_count) {
    const float wins = -node.sums.value_sum();
    const float mean = site.visits ? wins / static_cast<float>(site.visits) : 0.0F;
    float q = mean - site.fpu_reduction * std::sqrt(node.visited_prior);
    if constexpr (biased)
      if (node.has_bonuses) q += Tree::bonus(node, node.child_count);
    if (q + scale * unpack_prior(Tree::priors(node)[node.child_count]) > found.score)
      return node.child_count;
  }
  return found.edge;
}

/// The edge without a child that selection prefers at a node with bonuses: the others' order is by
/// prior alone. There must be one.
inline std::size_t best_unvisited_edge(const SearchParams& params, const Tree& tree, Handle h,
                                       std::uint32_t visits) {
  const std::size_t first = tree.child_count(h);
  const std::uint32_t in_flight = first > 0 ? tree.parent(h).in_flight : 0;
  const float scale = exploration_scale(params, visits, in_flight);
  const ConstEdgeView edges = tree.edges(h);
  std::size_t best = first;
  float best_score = -1e30F;
  for (std::size_t i = first; i < edges.size(); ++i) {
    const float score = edges.bonus(i) + scale * unpack_prior(edges.prior(i));
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

/// Makes, at a node with bonuses, the best edge without a child the next to get one.
[[gnu::noinline]] inline void raise_best_edge(const SearchParams& params, Tree& tree, Handle h,
                                              std::uint32_t visits) {
  const std::size_t next = tree.child_count(h);
  if (next + 1 >= tree.node(h).edge_count) return;
  const std::size_t best = best_unvisited_edge(params, tree, h, visits);
  if (best != next) tree.swap_edges(h, best, next);
}

}  // namespace faultline
