// Kernels as loops on a CPU.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>

namespace faultline::gpu {

/// Reorders the threads of a phase where launches are loops (gpu_launch.h); null: they stay in
/// their order. For tests.
inline void (*thread_order)(std::span<int>) = nullptr;

/// Runs a kernel's blocks one after another and the threads of each phase in the order that
/// `reorder(std::span<int>)` gives them, with shared memory that holds NaN at first: a missing
/// barrier or a value that nobody wrote shows in the result.
template <class Kernel, class Reorder>
void emulate(const typename Kernel::Arguments& arguments, int blocks, Reorder&& reorder) {
  std::array<int, Kernel::kThreads> threads{};
  std::iota(threads.begin(), threads.end(), 0);
  const auto shared = std::make_unique<typename Kernel::Shared>();
  const auto run_phase = [&]<int phase>(int block) {
    reorder(threads);
    for (const int thread : threads)
      Kernel::template run<phase>(arguments, *shared, block, thread);
  };
  for (int block = 0; block < blocks; ++block) {
    std::memset(static_cast<void*>(shared.get()), 0xFF, sizeof *shared);
    [&]<int... phases>(std::integer_sequence<int, phases...>) {
      (run_phase.template operator()<phases>(block), ...);
    }
    (std::make_integer_sequence<int, Kernel::kPhases + 1>());
  }
}

}  // namespace faultline::gpu
