// Looks at watched runs and publishes what is new.
#include "web/run_follower.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "cluster/cluster_status.h"
#include "record/run_folder.h"
#include "web/run_status.h"

namespace faultline::web {

namespace fs = std::filesystem;

void RunWatcher::watch(const fs::path& folder, const std::string& name, std::size_t have,
                       std::optional<double> seconds) {
  const std::lock_guard lock(mutex_);
  if (!publish_) return;
  runs_.insert_or_assign(
      folder, Watched{.name = name, .have = have, .seconds = seconds, .number = ++watches_});
}

void RunWatcher::unwatch(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::erase_if(runs_, [&](const auto& run) { return run.second.name == name; });
}

void RunWatcher::end() {
  const std::lock_guard lock(mutex_);
  runs_.clear();
  publish_ = nullptr;
}

RunFollower::RunFollower(RunControl& control, std::chrono::milliseconds interval)
    : control_(&control), interval_(interval), thread_([this] { follow(); }) {}

RunFollower::~RunFollower() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RunFollower::add(std::weak_ptr<RunWatcher> watcher) {
  const std::lock_guard lock(mutex_);
  watchers_.push_back(std::move(watcher));
}

void RunFollower::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

void RunFollower::follow() {
  auto next = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    const auto is_due = [&] { return stopped_ || woken_; };
    // Without anybody who watches there is nothing to wait for but a watch.
    if (watchers_.empty())
      changed_.wait(lock, is_due);
    else
      changed_.wait_until(lock, next, is_due);
    if (stopped_) break;
    woken_ = false;
    lock.unlock();
    const auto now = std::chrono::steady_clock::now();
    const bool all = now >= next;
    if (all) next = now + interval_;
    look(all);
    lock.lock();
  }
}

void RunFollower::look(bool all) {
  std::vector<std::shared_ptr<RunWatcher>> watchers;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(watchers_, [](const auto& watcher) { return watcher.expired(); });
    for (const auto& watcher : watchers_)
      if (auto held = watcher.lock()) watchers.push_back(std::move(held));
  }
  std::map<fs::path, bool> seen;  // whether its files were read in this look
  locks_ = HeldLocks();
  for (const auto& watcher : watchers)
    look(*watcher, all, seen);
  if (all) std::erase_if(runs_, [&](const auto& run) { return !seen.contains(run.first); });
}

void RunFollower::look(RunWatcher& watcher, bool all, std::map<fs::path, bool>& seen) {
  std::map<fs::path, RunWatcher::Watched> watched_runs;
  {
    const std::lock_guard lock(watcher.mutex_);
    for (const auto& [folder, watched] : watcher.runs_)
      if (all || !watched.edition) watched_runs.emplace(folder, watched);
  }
  // Files are read without the lock: who watches or unwatches never waits for them.
  for (auto& [folder, watched] : watched_runs) {
    auto& run = runs_.try_emplace(folder, Followed{.rows = RunRows(folder / "metrics.jsonl")})
                    .first->second;
    if (!std::exchange(seen[folder], true)) run.rows.update();
    std::optional<ReportJson> report = new_report(folder, run, watched);
    if (!report) continue;
    const std::lock_guard lock(watcher.mutex_);
    const auto place = watcher.runs_.find(folder);
    if (place == watcher.runs_.end() || place->second.number != watched.number) continue;
    const std::string topic = "run:" + watched.name;
    place->second = std::move(watched);
    watcher.publish_(topic, std::move(*report));
  }
}

std::optional<ReportJson> RunFollower::cluster_of(const fs::path& folder, bool running,
                                                  Followed& run) {
  const Post post{folder / "post"};
  const auto report = read_object(post.learner());
  if (!report || report->value("state", nlohmann::json()) != "serving") return std::nullopt;
  const auto beat = report->value("beat", nlohmann::json());
  if (!beat.is_number_unsigned()) return std::nullopt;
  run.beat.see(beat.get<std::uint64_t>());
  if (!run.first_beat) run.first_beat = beat;
  // What an earlier session has left there says nothing.
  const bool is_news = running || *run.first_beat != beat;
  const bool alive = is_news && run.beat.unchanged() < 3 * PostSettings().beat;
  run.served = run.served || alive;
  if (!run.served) return std::nullopt;
  try {
    return to_json(cluster_document(post, *report, alive));
  } catch (const RunError&) {  // it is no report
    return std::nullopt;
  }
}

std::optional<ReportJson> RunFollower::new_report(const fs::path& folder, Followed& run,
                                                  RunWatcher::Watched& watched) {
  const RunRows& rows = run.rows;
  const bool again = watched.edition != rows.edition();
  // The page may have rows of an earlier connection.
  const bool has_rows_of_these = !watched.edition && rows.complete() &&
                                 watched.have <= rows.size() &&
                                 (watched.have == 0 || !watched.seconds ||
                                  std::abs(rows.seconds(watched.have - 1) - *watched.seconds) <=
                                      1e-5 * std::abs(*watched.seconds));
  if (again && !has_rows_of_these) watched.have = 0;
  watched.edition = rows.edition();
  std::vector<ReportJson> read = rows.read(watched.have);
  const ReportJson last = read.empty() ? last_row(folder / "metrics.jsonl") : read.back();
  const RunStatus status = run_status(folder, last, locks_, *control_);
  if (run.variant.empty()) run.variant = variant_of_run(folder);
  ReportJson report = {{"path", watched.name},
                       {"state", status.state},
                       {"running", status.running},
                       {"variant", run.variant}};
  report["facts"] = status.facts;
  if (status.seconds_left) report["secondsLeft"] = *status.seconds_left;
  if (auto cluster = cluster_of(folder, status.running, run))
    report["cluster"] = *std::move(cluster);
  if (!again && read.empty() && report == watched.last) return std::nullopt;
  watched.last = report;
  report["from"] = watched.have;
  watched.have += read.size();
  report["rows"] = std::move(read);
  return report;
}

}  // namespace faultline::web
