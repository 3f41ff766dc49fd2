// Ending a search when further visits no longer change what it found (after Leela Chess Zero's
// "KLD gain").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/root_moves.h"

namespace faultline {

/// Watches the shares of visits of the root's moves.
class KlGain {
 public:
  /// Looks every `interval` visits (at least 1), `least` nats per visit.
  KlGain(std::uint32_t interval, float least) : interval_(interval), least_(least) {}

  /// Whether to look now, at so many visits of the root.
  bool is_due(std::uint32_t root_visits) const { return root_visits >= next_; }
  /// Looks at the root's moves; whether the visits since the last look gained too little: less than
  /// `least` nats per visit, by the Kullback-Leibler divergence of the shares before from those
  /// now. The first look only remembers.
  bool is_spent(std::span<const RootMove> moves, std::uint32_t root_visits);

 private:
  std::uint32_t interval_;
  float least_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> visits_;  // at the last look; empty before the first
};

}  // namespace faultline
