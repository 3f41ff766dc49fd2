// A lock that a process holds on a file, so that no two processes write to one folder.
#pragma once

#include <filesystem>

namespace faultline {

/// Held from construction to destruction, and released by the system if the process dies. The file
/// is created if it does not exist, and left behind.
class FileLock {
 public:
  /// Does not wait; see held(). Throws std::system_error if the file cannot be created.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// False if another process, or another FileLock of this one, holds it.
  bool held() const { return held_; }

 private:
  int fd_ = -1;
  bool held_ = false;
};

}  // namespace faultline
