// Ending a search when further visits no longer change what it found (after Leela Chess Zero's
// "KLD gain").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/root_moves.h"

namespace faultline {

/// Watches the shares of the root's moves in the visits that one search makes; those that the tree
/// had before do not count.
class KlGain {
 public:
  /// Looks every `interval` visits (at least 1); `least`: nats per visit.
  KlGain(std::uint32_t interval, float least) : interval_(interval), least_(least) {}

  /// Whether to look now, at so many visits of the root.
  bool is_due(std::uint32_t root_visits) const { return root_visits >= next_; }
  /// Looks at the root's moves; whether the visits since the last look gained too little: less than
  /// `least` nats per visit, by the Kullback-Leibler divergence of the shares before from those
  /// now. The first look finds what the tree had before, the second one the first shares.
  bool is_spent(std::span<const RootMove> moves, std::uint32_t root_visits);

 private:
  std::uint32_t interval_;
  float least_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> kept_;    // visits at the first look; empty before it
  std::vector<std::uint32_t> visits_;  // made by this search, at the last look
};

}  // namespace faultline
