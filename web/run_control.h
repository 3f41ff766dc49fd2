// Starting and halting runs, each as a process of its own.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "web/processes.h"

namespace faultline::web {

/// The files of a run that a page has begun, beside the run's own: its configuration as given, and
/// what its processes print.
inline constexpr const char* kStartName = "start.toml";
inline constexpr const char* kLogName = "train.log";

/// The last line of a run's log that says something; "" if there is none.
std::string last_log_line(const std::filesystem::path& folder);

/// Thread-safe.
class RunControl {
 public:
  /// `program`: `faultline`. Its processes run in `root`.
  RunControl(std::filesystem::path program, std::filesystem::path root)
      : program_(std::move(program)), root_(std::move(root)) {}

  /// Trains with a configuration in `folder`, which must not hold a run, and is made. Waits a
  /// second for a failure. Throws RequestError, with the field "text" for a configuration that is
  /// wrong or that the program refuses, and "path" for the folder; what was made is then gone.
  void train(const std::filesystem::path& folder, const std::string& text);
  /// Goes on with a run. Throws RequestError likewise.
  void resume(const std::filesystem::path& folder);
  /// Asks the process of a run or an experiment to save everything and stop, once. Throws
  /// RequestError if none is known.
  void halt(const std::filesystem::path& folder);

  /// The process that was started for a folder and goes on, whether or not it has the lock yet.
  std::optional<pid_t> process(const std::filesystem::path& folder);
  /// Why the last process that was started for a folder failed; "" if it did not.
  std::string failure(const std::filesystem::path& folder);
  /// Whether a process was asked to stop.
  bool is_halting(pid_t process);

 private:
  struct Started {
    pid_t process;
    std::optional<int> end;  // as waitpid() says it
  };

  void start(const std::filesystem::path& folder, std::vector<std::string> arguments);
  void see_ends();  // with mutex_ held

  std::filesystem::path program_;
  std::filesystem::path root_;
  std::mutex mutex_;
  std::map<std::filesystem::path, Started> started_;  // the last one of a folder
  std::set<pid_t> halted_;
};

}  // namespace faultline::web
