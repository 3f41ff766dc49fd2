// Follows the runs that pages watch, in one thread for all connections.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/post.h"
#include "report/report_json.h"
#include "web/run_control.h"
#include "web/run_rows.h"

namespace faultline::web {

/// One connection's part in it.
class RunWatcher {
 public:
  using Publish = std::function<void(const std::string& topic, ReportJson report)>;
  explicit RunWatcher(Publish publish) : publish_(std::move(publish)) {}

  /// `have`: rows that the page has; `seconds`: the run's time at the last of them, if the page
  /// says it.
  void watch(const std::filesystem::path& folder, const std::string& name, std::size_t have,
             std::optional<double> seconds);
  void unwatch(const std::string& name);
  /// Nothing is published after it.
  void end();

 private:
  friend class RunFollower;

  struct Watched {
    std::string name;  // as pages know it
    std::size_t have = 0;
    std::optional<double> seconds;
    std::uint64_t number = 0;  // of the watch, which may have begun anew meanwhile
    std::optional<std::uint64_t> edition =
        {};                // of the rows that it has; nullopt: not compared yet
    ReportJson last = {};  // the report without rows
  };

  std::mutex mutex_;  // held while something is published
  std::map<std::filesystem::path, Watched> runs_;
  std::uint64_t watches_ = 0;
  Publish publish_;  // null: ended
};

class RunFollower {
 public:
  /// Looks at the runs once in `interval`. `control` must outlive it.
  explicit RunFollower(RunControl& control,
                       std::chrono::milliseconds interval = std::chrono::seconds(1));
  ~RunFollower();
  RunFollower(const RunFollower&) = delete;
  RunFollower& operator=(const RunFollower&) = delete;

  void add(std::weak_ptr<RunWatcher> watcher);
  /// Looks at new watches at once.
  void wake();

 private:
  struct Followed {
    RunRows rows;
    std::string variant = {};
    // Of a learner that serves actors.
    Watch beat = {};
    std::optional<std::uint64_t> first_beat = {};
    bool served = false;  // it was seen alive
  };

  void follow();
  /// `all`: not only what has just begun to be watched.
  void look(bool all);
  void look(RunWatcher& watcher, bool all, std::map<std::filesystem::path, bool>& seen);
  /// The document of its actors while it serves them; `running`: as far as this machine knows.
  static std::optional<ReportJson> cluster_of(const std::filesystem::path& folder, bool running,
                                              Followed& run);
  /// Nothing if nothing is new. `watched`: as it is once the report is published.
  std::optional<ReportJson> new_report(const std::filesystem::path& folder, Followed& run,
                                       RunWatcher::Watched& watched);

  RunControl* control_;
  std::chrono::milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::weak_ptr<RunWatcher>> watchers_;  // guarded by mutex_, as the flags
  bool woken_ = false;
  bool stopped_ = false;
  std::map<std::filesystem::path, Followed> runs_;  // the thread's own
  HeldLocks locks_;                                 // the thread's own
  std::thread thread_;
};

}  // namespace faultline::web
