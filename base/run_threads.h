// Work on several threads, whose first error ends it.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/processor.h"

namespace faultline {

/// Calls `work(thread)` for every number below `threads`, each on a thread of its own, 0 on the
/// calling one. The first error sets `stopping`, which `work` should look at, and is rethrown once
/// all have ended.
template <class Work>
void run_threads(std::size_t threads, std::atomic<bool>& stopping, const Work& work) {
  std::mutex mutex;
  std::exception_ptr error;  // guarded by mutex
  const auto guarded = [&](const auto& action) {
    try {
      action();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
      stopping = true;
    }
  };
  {
    std::vector<std::jthread> others;
    guarded([&] {  // where a thread cannot be started, those before it stop, too
      for (std::size_t thread = 1; thread < threads; ++thread)
        others.emplace_back([&, thread] { guarded([&] { work(thread); }); });
      work(0);
    });
  }
  if (error) std::rethrow_exception(error);
}

/// Calls `work(i)` for every i below `count` on `threads` threads (0: one for each of
/// available_processors()). Rethrows the
/// first error, after which no more is begun.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  const std::size_t at_once = threads > 0 ? static_cast<std::size_t>(threads)
                                          : static_cast<std::size_t>(available_processors());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopping{false};
  run_threads(at_once, stopping, [&](std::size_t) {
    for (std::size_t i = next++; i < count && !stopping; i = next++)
      work(i);
  });
}

}  // namespace faultline
