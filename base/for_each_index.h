// Independent work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace faultline {

/// Runs `work(i)` for every i below `count` on `threads` threads (0: one per core), of which the
/// calling one is one. Rethrows the first error, after which no more is begun.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // guards error
  std::exception_ptr error;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++)
        work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back(run);
    run();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace faultline
