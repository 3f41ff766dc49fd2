// Input and output of a training step: positions with their targets, and losses. No LibTorch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/encoding/encoding.h"

namespace faultline {

/// Positions for fast networks (model/fast/), with their expected results.
struct FastBatch {
  std::vector<std::uint16_t> inputs;    // that are 1: of all positions, each as both sides see it
  std::vector<std::uint32_t> first{0};  // 2 * count + 1 offsets into `inputs`
  std::vector<float> expected;          // [count] win + draw / 2 for the mover

  std::size_t count() const { return expected.size(); }
  /// The inputs of position i as its mover sees it (`side` 0), or the opponent (1).
  std::span<const std::uint16_t> of(std::size_t i, std::size_t side) const {
    const std::size_t n = 2 * i + side;
    return std::span(inputs).subspan(first[n], first[n + 1] - first[n]);
  }
  void clear();
};

/// Positions with their training targets.
struct TrainBatch {
  std::size_t count = 0;
  std::vector<float> planes;              // [count, planes, height, width], row-major
  std::vector<PolicyIndex> moves;         // the legal moves of all positions, concatenated
  std::vector<std::uint32_t> first_move;  // count + 1 offsets into `moves`
  /// One target per move; a position's targets sum to 1, or are all 0: it then has no policy loss.
  std::vector<float> policy;
  std::vector<float> wdl;         // [count, 3] win, draw, loss for the mover; rows sum to 1
  std::vector<float> moves_left;  // [count] plies; negative: unknown, no loss
  FastBatch fast;                 // instead of planes to policy, if a fast network learns

  void clear();
  /// Appends one position. `planes` has EncodingInfo::floats() values; `moves` and `policy` have
  /// the same length, at least 1.
  void add(std::span<const float> position_planes, std::span<const PolicyIndex> legal_moves,
           std::span<const float> policy_target, const std::array<float, 3>& wdl_target,
           float moves_left_target);
};

/// Positions [count * part / parts, count * (part + 1) / parts) of a batch with planes.
TrainBatch share_of(const TrainBatch& batch, int part, int parts);

/// Means over the batch, before the step. Losses are unweighted, in nats (moves_left: a Huber
/// loss in units of 20 plies).
struct StepLosses {
  double total = 0;           // weighted sum
  double policy = 0;          // cross-entropy
  double policy_entropy = 0;  // the targets' own entropy: the minimum of `policy`
  double value = 0;           // cross-entropy over win, draw, loss
  double moves_left = 0;
  double policy_accuracy = 0;  // share of positions whose likeliest move is the target's
  double value_accuracy = 0;   // share whose likeliest result is the target's
  double grad_norm = 0;        // before clipping; 0 from evaluate()
};

}  // namespace faultline
