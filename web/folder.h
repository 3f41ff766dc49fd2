// The lab's folder as an API: what lies in it, what runs in it, and what pages may do there
// (page/src/lab/desk.ts). Runs and experiments belong to processes of their own: the lab reads
// their files, starts `faultline`, and ends nothing when it ends.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "web/request.h"

namespace faultline::web {

struct FolderOptions {
  /// All paths of requests and replies are relative to it, and what leads out of it is refused.
  std::filesystem::path root;
  std::filesystem::path program;  // `faultline`, which `start` runs
  bool may_start = false;         // whether pages may start and halt processes
  Handler position;               // the desk's, for games of files; null: `gameFile` shows none
};

/// Thread-safe.
class Folder {
 public:
  /// Throws std::system_error if the root is no folder.
  explicit Folder(FolderOptions options);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// folder, document, gamesOf, wall, ratings, config, configs, start, halt, gameFile, gamePage,
  /// saveGame. Reading many games takes seconds, and a start waits for one: not for the thread of
  /// the sockets. They must not be called after the object has gone.
  Handlers handlers();

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// The runs that one connection watches. Thread-safe.
class RunWatches {
 public:
  /// Called from the thread that follows runs: for each run at most once a second, with the topic
  /// "run:PATH". A report has the rows after those that the last one ended with, or all from row 0
  /// where rows have gone or were thinned: one that is left out leaves a gap.
  using Publish = std::function<void(const std::string& topic, ReportJson report)>;

  /// `folder` must outlive it.
  RunWatches(Folder& folder, Publish publish);
  /// Nothing is published after it.
  ~RunWatches();
  RunWatches(const RunWatches&) = delete;
  RunWatches& operator=(const RunWatches&) = delete;

  /// Both return {} at once; throw RequestError.
  ReportJson watch(const ReportJson& request);
  ReportJson unwatch(const ReportJson& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace faultline::web
