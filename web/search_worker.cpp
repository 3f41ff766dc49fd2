// Threads of pages' searches.
#include "web/search_worker.h"

#include <utility>

namespace faultline::web {

SearchWorker::~SearchWorker() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    stop_ = true;
  }
  wakes_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SearchWorker::stop_all() {
  stop_ = true;
  for (Job& job : waiting_)
    job.is_cancelled = true;
}

void SearchWorker::post(Job job) {
  const std::scoped_lock lock(mutex_);
  stop_all();
  waiting_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wakes_.notify_all();
}

void SearchWorker::stop() {
  const std::scoped_lock lock(mutex_);
  stop_all();
}

void SearchWorker::work() {
  std::unique_lock lock(mutex_);
  const auto wakes = [this] { return closing_ || !waiting_.empty(); };
  for (;;) {
    if (!wakes_.wait_for(lock, after_, wakes)) {
      lock.unlock();
      idle_();
      lock.lock();
      wakes_.wait(lock, wakes);
    }
    if (closing_) return;
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    stop_ = false;
    lock.unlock();
    if (job.is_cancelled)
      job.cancelled();
    else
      job.run(stop_);
    lock.lock();
  }
}

ReportPacer::ReportPacer(std::string topic, Publish publish)
    : topic_(std::move(topic)), publish_(std::move(publish)) {}

ReportPacer::~ReportPacer() {
  close();
  if (thread_.joinable()) thread_.join();
}

void ReportPacer::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  wakes_.notify_all();
}

void ReportPacer::send(ReportJson report) {
  waiting_.reset();
  last_ = Clock::now();
  if (!closed_) publish_(topic_, std::move(report));
}

void ReportPacer::publish(ReportJson report) {
  const std::scoped_lock lock(mutex_);
  if (Clock::now() >= last_ + kInterval) return send(std::move(report));
  waiting_ = std::move(report);
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wakes_.notify_all();
}

void ReportPacer::publish_last(ReportJson report) {
  const std::scoped_lock lock(mutex_);
  send(std::move(report));
}

void ReportPacer::work() {
  std::unique_lock lock(mutex_);
  while (!closed_) {
    if (!waiting_) {
      wakes_.wait(lock);
    } else if (const Clock::time_point due = last_ + kInterval; Clock::now() < due) {
      wakes_.wait_until(lock, due);
    } else {
      send(*std::exchange(waiting_, std::nullopt));
    }
  }
}

}  // namespace faultline::web
