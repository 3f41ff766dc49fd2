// Threads that do what is handed to them, as many as there are pieces of work at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace faultline::web {

class WorkerThreads {
 public:
  WorkerThreads();
  /// Waits until all work is done.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /// From any thread; does not wait. `work` must not throw. Where no more threads can be started,
  /// it waits for one of those that there are.
  void run(std::function<void()> work);

 private:
  void loop();

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace faultline::web
