// Threads of pages' searches.
#include "web/search_worker.h"

#include <utility>

namespace faultline::web {

SearchWorker::~SearchWorker() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    stop_ = true;
    next_.reset();
  }
  wakes_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::optional<SearchWorker::Job> SearchWorker::replace(std::optional<Job> job) {
  const std::scoped_lock lock(mutex_);
  stop_ = true;
  if (job && !thread_.joinable()) thread_ = std::thread([this] { work(); });
  return std::exchange(next_, std::move(job));
}

void SearchWorker::post(Job job) {
  const std::optional<Job> replaced = replace(std::move(job));
  wakes_.notify_all();
  if (replaced) replaced->cancelled();
}

void SearchWorker::stop() {
  if (const std::optional<Job> replaced = replace(std::nullopt)) replaced->cancelled();
}

void SearchWorker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wakes_.wait(lock, [this] { return closing_ || next_; });
    if (closing_) return;
    const Job job = *std::exchange(next_, std::nullopt);
    stop_ = false;
    lock.unlock();
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
