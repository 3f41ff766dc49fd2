// Processes of runs and experiments: who holds a folder's lock, and starting one of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace faultline::web {

/// The locks of files (base/file_lock.h) that processes of this machine hold, as the system lists
/// them: none is taken to find out, which could stop a run from starting.
class HeldLocks {
 public:
  /// `list`: the system's, for tests.
  explicit HeldLocks(const std::filesystem::path& list = "/proc/locks");

  /// The process that holds a file's lock; nullopt: none, or none that can be seen from here.
  std::optional<pid_t> holder(const std::filesystem::path& file) const;

 private:
  struct Lock {
    pid_t process;
    std::uint64_t device;
  };
  std::multimap<std::uint64_t, Lock> locks_;  // by inode
};

/// Starts `words`, a program's path and its arguments, in `folder`, as a session of its own that
/// outlives this process, without input, and with its output at the end of the file `log`. Throws
/// std::system_error.
pid_t start_detached(const std::vector<std::string>& words, const std::filesystem::path& folder,
                     const std::filesystem::path& log);

/// How a child that start_detached() gave has ended, as waitpid() says it; nullopt while it runs.
/// To be called until it has ended. A process that is no child has ended with 0.
std::optional<int> end_of(pid_t child);
/// "exited with status 2", "was ended by signal 9 (Killed)".
std::string end_text(int status);

}  // namespace faultline::web
