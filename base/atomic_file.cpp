// Files written at once: readers always see a complete one, even after a power failure.
#include "base/atomic_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace faultline {
namespace {

/// A file descriptor that closes itself. Functions that fail leave the reason in errno.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return fd_ >= 0; }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() const { return ::fsync(fd_) == 0; }
  /// Some file systems report a full disk only here.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool write_synced(Descriptor& out, std::string_view bytes) {
  return out.is_open() && out.write(bytes) && out.sync() && out.close();
}

/// Gives `from` the name `to` unless that is taken.
bool rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  // File systems without that, such as NFS, have a second name for a file.
  return ::link(from.c_str(), to.c_str()) == 0 && ::unlink(from.c_str()) == 0;
}

std::system_error refused(const std::filesystem::path& file, int reason) {
  return {reason, std::generic_category(), file.string() + ": cannot be written"};
}

bool sync_folder(const std::filesystem::path& folder) {
  const Descriptor in(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  return in.is_open() && in.sync();
}

}  // namespace

std::filesystem::path temporary_of(const std::filesystem::path& file) {
  std::filesystem::path temporary = file;
  return temporary += ".tmp";
}

void write_file_atomically(const std::filesystem::path& file, std::string_view bytes) {
  // What a link leads to is replaced, not the link.
  std::error_code ignored;
  const bool link = std::filesystem::is_symlink(file, ignored);
  const std::filesystem::path target = link ? std::filesystem::weakly_canonical(file) : file;
  const std::filesystem::path temporary = temporary_of(target);
  Descriptor out(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (!write_synced(out, bytes) || std::rename(temporary.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());  // a partial file may have filled the disk
    throw refused(target, reason);
  }
  // The rename itself must survive a power failure too.
  if (!sync_folder(target.parent_path())) throw refused(target, errno);
}

void write_new_file(const std::filesystem::path& file, std::string_view bytes) {
  // Not named after `file`, whose name may be as long as names can be.
  const std::string start = ".new-" + std::to_string(::getpid()) + "-";
  for (int number = 0;; ++number) {
    const std::filesystem::path temporary =
        file.parent_path() / (start + std::to_string(number) + ".tmp");
    Descriptor out(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!out.is_open() && errno == EEXIST) continue;
    if (!out.is_open()) throw refused(file, errno);
    if (!write_synced(out, bytes) || !rename_to_new(temporary, file)) {
      const int reason = errno;
      ::unlink(temporary.c_str());
      throw refused(file, reason);
    }
    break;
  }
  if (!sync_folder(file.parent_path())) throw refused(file, errno);
}

}  // namespace faultline
