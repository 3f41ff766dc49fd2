// Work that a second thread does meanwhile, one piece at a time.
#include "base/background_task.h"

#include <cassert>
#include <utility>

namespace faultline {

BackgroundTask::~BackgroundTask() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::start(std::function<void()> work) {
  {
    const std::scoped_lock lock(mutex_);
    assert(!work_ && work);
    work_ = std::move(work);
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  changed_.notify_all();
}

void BackgroundTask::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !work_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void BackgroundTask::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return work_ || ending_; });
    if (!work_) return;
    std::exception_ptr failure;
    lock.unlock();
    try {
      work_();  // start() does not touch it before it is empty again
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace faultline
