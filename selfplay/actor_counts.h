// What all actors of a process have done, for reports.
#pragma once

#include <atomic>
#include <cstdint>

namespace faultline {

/// Counters of all actors; they never decrease.
struct ActorCounts {
  std::atomic<std::uint64_t> games{0};        // finished
  std::atomic<std::uint64_t> moves{0};        // played after a search
  std::atomic<std::uint64_t> targets{0};      // of those, after a full search
  std::atomic<std::uint64_t> visits{0};       // evaluated leaves and terminal positions
  std::atomic<std::uint64_t> evaluations{0};  // positions sent to the evaluator
  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> evaluator_nanoseconds{0};  // of all threads; see TimedEvaluator
  std::atomic<std::uint64_t> searches_cut{0};           // ended early: no room for their trees
  // Games played without resignation in which a side would have resigned; and of those, the ones
  // that this side did not lose.
  std::atomic<std::uint64_t> resign_tests{0};
  std::atomic<std::uint64_t> resign_errors{0};
};

}  // namespace faultline
