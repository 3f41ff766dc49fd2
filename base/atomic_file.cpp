// Atomic file replacement: readers always see a complete file, even after a power failure.
#include "base/atomic_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
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

bool write_synced(const std::filesystem::path& file, std::string_view bytes) {
  Descriptor out(file, O_WRONLY | O_CREAT | O_TRUNC);
  return out.is_open() && out.write(bytes) && out.sync() && out.close();
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
  const auto refused = [&](int reason) {
    return std::system_error(reason, std::generic_category(),
                             file.string() + ": cannot be written");
  };
  const std::filesystem::path temporary = temporary_of(file);
  if (!write_synced(temporary, bytes) || std::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());  // a partial file may have filled the disk
    throw refused(reason);
  }
  // The rename itself must survive a power failure too.
  if (!sync_folder(file.parent_path())) throw refused(errno);
}

}  // namespace faultline
