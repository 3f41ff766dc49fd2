// A lock that a process holds on a file, so that no two processes write to one folder.
#include "base/file_lock.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace faultline {

FileLock::FileLock(const std::filesystem::path& file)
    : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (fd_ < 0)
    throw std::system_error(errno, std::generic_category(), file.string() + ": cannot be created");
  held_ = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
}

FileLock::~FileLock() {
  ::close(fd_);  // releases the lock
}

}  // namespace faultline
