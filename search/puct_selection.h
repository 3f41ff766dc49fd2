// PUCT (Silver et al. 2018): which edge a descent follows from a node.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// What selection at a node depends on besides the node: the statistics of the edge that leads
/// there, for the mover of the node's parent, and the search's settings.
struct SelectionSite {
  std::uint32_t visits;
  std::uint32_t in_flight;
  float value_sum;
  float fpu_reduction;  // the root has one of its own
  float draw_worth;     // of a draw to the node's mover
  bool may_grow;        // whether an edge without a child may be selected
};

/// An edge and its PUCT score.
struct Selected {
  float score;
  std::uint32_t edge;
};

namespace puct {

#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 16;
#else
inline constexpr std::size_t kLanes = 8;
#endif
using Floats [[gnu::vector_size(kLanes * 4)]] = float;
using Ints [[gnu::vector_size(kLanes * 4)]] = std::int32_t;
using Shorts [[gnu::vector_size(kLanes * 2)]] = std::uint16_t;

/// May read beyond the last element, within NodeMemory::kReadableAfter.
template <class Vector, class T>
Vector load(const T* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// Of the children from `first` on, the first with the highest score.
inline Selected best_child(const ChildArrays& children, const std::uint16_t* priors,
                           std::size_t count, float scale) {
  // Each lane keeps the best of every kLanes'th child.
  Floats best = Floats{} - 1e30F;
  Ints best_at = Ints{} + static_cast<std::int32_t>(count);
  Ints at{};
  for (std::size_t i = 0; i < kLanes; ++i)
    at[i] = static_cast<std::int32_t>(i);
  const Ints end = Ints{} + static_cast<std::int32_t>(count);
  for (std::size_t i = 0; i < count; i += kLanes, at += static_cast<std::int32_t>(kLanes)) {
    const auto lost = __builtin_convertvector(load<Shorts>(children.in_flight + i), Floats);
    // Visits are below 2^31, so that the cheaper conversion of signed numbers will do.
    const Floats n = __builtin_convertvector(load<Ints>(children.visits + i), Floats) + lost;
    const Ints prior_bits = __builtin_convertvector(load<Shorts>(priors + i), Ints) << 14;
    const auto prior = std::bit_cast<Floats>(prior_bits);
    const Floats wins = load<Floats>(children.values + i) - lost;
    const Floats one = Floats{} + 1.0F;
    const Floats q = wins / (n > one ? n : one);
    const Floats score = q + scale * prior / (1.0F + n);
    const Ints better = (score > best) & (at < end);
    best = better ? score : best;
    best_at = better ? at : best_at;
  }
  Selected found{.score = -1e30F, .edge = static_cast<std::uint32_t>(count)};
  const std::size_t lanes = std::min(count, kLanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto edge = static_cast<std::uint32_t>(best_at[i]);
    const bool better = best[i] > found.score || (best[i] == found.score && edge < found.edge);
    found.score = better ? best[i] : found.score;
    found.edge = better ? edge : found.edge;
  }
  return found;
}

/// The same for few children, or with draws, one after the other. `draws`: their sum, of child i.
template <class Draws>
Selected best_child_of_few(const ChildArrays& children, const std::uint16_t* priors,
                           std::size_t count, float scale, float draw_worth, Draws&& draws) {
  Selected found{.score = -1e30F, .edge = static_cast<std::uint32_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto lost = static_cast<float>(children.in_flight[i]);
    const float n = static_cast<float>(children.visits[i]) + lost;
    float wins = children.values[i] - lost;
    if (draw_worth != 0) wins += draw_worth * draws(i);
    const float q = wins / std::max(n, 1.0F);
    const float score = q + scale * unpack_prior(priors[i]) / (1 + n);
    if (score > found.score) found = {.score = score, .edge = static_cast<std::uint32_t>(i)};
  }
  return found;
}

}  // namespace puct

/// The index of the best edge of an expanded node; child_count for the best one that has no child
/// yet. The sums hold only wins and losses, so that the worth of draws can change with the side to
/// move at the root.
inline std::size_t select_edge(const SearchParams& params, const Tree& tree, Handle h,
                               const SelectionSite& site) {
  // A node without children can only grow.
  if (!tree.node(h).has_children) return 0;
  auto& node = const_cast<ParentNode&>(tree.parent(h));
  const ChildArrays children = Tree::children(node);
  const std::uint16_t* const priors = Tree::priors(node);
  const std::size_t count = node.child_count;
  const float visits = static_cast<float>(site.visits) + static_cast<float>(site.in_flight);
  const float cpuct = params.cpuct + log_growth(visits / params.cpuct_base);
  const float scale = cpuct * std::sqrt(std::max(visits, 1.0F));

  constexpr std::size_t kFew = 4;
  const Selected found =
      count > kFew && site.draw_worth == 0
          ? puct::best_child(children, priors, count, scale)
          : puct::best_child_of_few(
                children, priors, count, scale, site.draw_worth, [&](std::size_t i) {
                  return tree.sums(children.links[i].node, children.visits[i]).draw_sum();
                });
  if (site.may_grow && count < node.edge_count) {
    float wins = -site.value_sum;
    if (site.draw_worth != 0) wins += site.draw_worth * node.sums.draw_sum();
    const float mean = site.visits ? wins / static_cast<float>(site.visits) : 0.0F;
    const float q = mean - site.fpu_reduction * std::sqrt(node.visited_prior);
    if (q + scale * unpack_prior(priors[count]) > found.score) return count;
  }
  return found.edge;
}

}  // namespace faultline
