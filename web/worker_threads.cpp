#include "web/worker_threads.h"

#include <system_error>
#include <utility>

namespace faultline::web {

WorkerThreads::WorkerThreads() {
  threads_.emplace_back([this] { loop(); });
}

WorkerThreads::~WorkerThreads() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads)
    thread.join();
}

void WorkerThreads::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    if (waiting_.size() > idle_ && !ending_) {
      try {
        threads_.emplace_back([this] { loop(); });
      } catch (const std::system_error&) {  // the machine has no more
      }
    }
  }
  changed_.notify_one();
}

void WorkerThreads::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    {
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
    }  // what it holds is destroyed without the lock, too
    lock.lock();
  }
}

}  // namespace faultline::web
