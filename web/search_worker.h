// A thread for one search after another, and reports that are not published too often.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "report/report_json.h"

namespace faultline::web {

/// Runs jobs one after the other on a thread of its own; a new one stops the one before.
/// Thread-safe.
class SearchWorker {
 public:
  struct Job {
    /// `stop`: set as soon as it is to end. Must not throw.
    std::function<void(const std::atomic<bool>& stop)> run;
    /// Instead of `run`, if it is stopped before it has begun. Must not throw.
    std::function<void()> cancelled;
    bool is_cancelled = false;
  };

  static constexpr std::chrono::minutes kIdle{2};
  /// `idle`: called like a job once nothing was to be done for `after`. Must not throw.
  explicit SearchWorker(std::function<void()> idle, std::chrono::milliseconds after = kIdle)
      : idle_(std::move(idle)), after_(after) {}
  /// Stops the job, waits for its end, and forgets those that have not begun.
  ~SearchWorker();
  SearchWorker(const SearchWorker&) = delete;
  SearchWorker& operator=(const SearchWorker&) = delete;

  /// Stops what runs and runs `job` once that has ended.
  void post(Job job);
  /// Does not wait.
  void stop();

 private:
  void work();
  /// Call with mutex_ locked.
  void stop_all();

  std::function<void()> idle_;
  std::chrono::milliseconds after_;
  std::mutex mutex_;
  std::condition_variable wakes_;
  std::deque<Job> waiting_;        // guarded by mutex_; all but the last are cancelled
  bool closing_ = false;           // guarded by mutex_
  std::atomic<bool> stop_{false};  // of the job that runs; written under mutex_
  std::thread thread_;             // started by the first job
};

/// Publishes a topic's reports at most every kInterval: what comes sooner waits, and what is newer
/// takes its place. Thread-safe; publishes one report at a time.
class ReportPacer {
 public:
  static constexpr std::chrono::milliseconds kInterval{50};
  using Publish = std::function<void(const std::string& topic, ReportJson report)>;

  ReportPacer(std::string topic, Publish publish);
  ~ReportPacer();
  ReportPacer(const ReportPacer&) = delete;
  ReportPacer& operator=(const ReportPacer&) = delete;

  /// As soon as it is due.
  void publish(ReportJson report);
  /// At once; what waits is forgotten.
  void publish_last(ReportJson report);
  /// Nothing is published any more.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void send(ReportJson report);

  std::string topic_;
  Publish publish_;
  std::mutex mutex_;
  std::condition_variable wakes_;
  std::optional<ReportJson> waiting_;  // guarded by mutex_, like all that follows
  Clock::time_point last_;
  bool closed_ = false;
  std::thread thread_;  // started by the first report that waits
};

}  // namespace faultline::web
