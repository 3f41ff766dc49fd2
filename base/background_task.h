// Work that a second thread does meanwhile, one piece at a time.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace faultline {

/// Owned and used by one thread. Its own thread starts with the first piece of work and is joined
/// by the destructor, after it has finished what it was doing.
class BackgroundTask {
 public:
  BackgroundTask() = default;
  ~BackgroundTask();
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  /// Begins `work`. The work before it must have been waited for.
  void start(std::function<void()> work);
  /// Returns once the thread is idle: everything that the work wrote is then visible. Rethrows what
  /// the work threw, once.
  void wait();

 private:
  void loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // empty: idle; guarded by mutex_
  std::exception_ptr failure_;  // guarded by mutex_
  bool ending_ = false;         // guarded by mutex_
  std::thread thread_;
};

}  // namespace faultline
