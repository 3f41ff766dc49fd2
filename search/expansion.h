// The order of a node's edges: best prior first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rules/move.h"
#include "search/move_bias.h"
#include "search/tree.h"

namespace faultline {

/// Sorts edges. Keeps its memory from one node to the next.
class EdgeOrder {
 public:
  /// Starts with all moves of a node and their priors, which become prior^(1/temperature),
  /// normalised.
  void assign(std::span<const float> priors, float temperature) {
    keys_.resize(priors.size());
    if (temperature == 1) {
      for (std::size_t i = 0; i < priors.size(); ++i)
        keys_[i] = sort_key(pack_prior(priors[i]), i);
    } else {
      soften(priors, temperature);
    }
  }
  /// Keeps only the moves in `allowed`; `moves` are those of assign().
  void restrict_to(std::span<const Move> allowed, std::span<const Move> moves) {
    std::erase_if(keys_, [&](std::uint32_t key) {
      return std::ranges::find(allowed, moves[move_index_of(key)]) == allowed.end();
    });
  }
  /// Assigns the priors of a node whose mover follows a strategy: priors^(1/temperature) times the
  /// weights, normalised over the moves that are not forbidden, of which there must be one.
  void assign(std::span<const float> priors, float temperature,
              std::span<const MoveVerdict> verdicts) {
    std::vector<float> weighted(priors.size());
    double total = 0;
    for (const bool weights_alone : {false, true}) {  // if the evaluator expects none of them
      for (std::size_t i = 0; i < priors.size(); ++i) {
        if (verdicts[i].forbidden) continue;
        const float prior = weights_alone      ? 1.0F
                            : temperature == 1 ? priors[i]
                                               : std::pow(priors[i], 1 / temperature);
        total += weighted[i] = verdicts[i].weight * prior;
      }
      if (total > 0) break;
    }
    keys_.clear();
    for (std::size_t i = 0; i < priors.size(); ++i)
      if (!verdicts[i].forbidden)
        keys_.push_back(sort_key(pack_prior(static_cast<float>(weighted[i] / total)), i));
  }
  std::size_t size() const { return keys_.size(); }
  /// Best prior first; equal priors keep the moves' order. `edges` has size() edges.
  void write(EdgeView edges) {
    sort();
    for (std::size_t i = 0; i < keys_.size(); ++i)
      set_edge(edges, i, keys_[i]);
  }
  /// Sorts the edges from `first` on again, after their priors have changed.
  void sort_again(EdgeView edges, std::size_t first) {
    keys_.clear();
    for (std::size_t i = first; i < edges.size(); ++i)
      keys_.push_back(sort_key(edges.prior(i), edges.move_index(i)));
    sort();
    for (std::size_t i = first; i < edges.size(); ++i)
      set_edge(edges, i, keys_[i - first]);
  }

 private:
  // Edges are sorted as numbers: the prior in the upper half, the index in legal_moves() in the
  // lower, reversed so that equal priors keep their order.
  static std::uint32_t sort_key(std::uint16_t prior, std::size_t move_index) {
    return static_cast<std::uint32_t>(prior) << 16 |
           static_cast<std::uint32_t>(0xffff - move_index);
  }
  static std::size_t move_index_of(std::uint32_t key) { return 0xffff - (key & 0xffff); }
  static void set_edge(EdgeView& edges, std::size_t i, std::uint32_t key) {
    edges.set_prior(i, static_cast<std::uint16_t>(key >> 16));
    edges.set_move_index(i, move_index_of(key));
  }
  void sort() {
    if (!std::is_sorted(keys_.begin(), keys_.end(), std::greater<>{}))
      std::sort(keys_.begin(), keys_.end(), std::greater<>{});
  }
  void soften(std::span<const float> priors, float temperature) {
    std::vector<float> softened(priors.size());
    float total = 0;
    for (std::size_t i = 0; i < priors.size(); ++i)
      total += softened[i] = std::pow(priors[i], 1 / temperature);
    for (std::size_t i = 0; i < priors.size(); ++i)
      keys_[i] = sort_key(pack_prior(softened[i] / total), i);
  }

  std::vector<std::uint32_t> keys_;
};

/// The bonuses of a node's moves, from what a strategy says of all legal ones.
inline void write_bonuses(EdgeView edges, std::span<const MoveVerdict> verdicts) {
  for (std::size_t i = 0; i < edges.size(); ++i)
    edges.set_bonus(i, verdicts[edges.move_index(i)].bonus);
}

}  // namespace faultline
